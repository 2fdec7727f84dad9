import { connect } from 'node:net'

/** Sends raw bytes, in one or several pieces, and returns all that is received until the other side disconnects. */
export function sendRaw(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', text => {
      received += text
    })
    socket.on('error', error => (received === '' ? reject(error) : resolve(received)))
    socket.on('close', () => resolve(received))
    for (const piece of pieces) socket.write(piece)
  })
}

/** The status, the header lines in lower case, and the body of the last response received. */
export function lastAnswer(received: string) {
  const start = received.lastIndexOf('HTTP/1.1 ')
  const [head = '', ...body] = received.slice(start).split('\r\n\r\n')
  const [line = '', ...headers] = head.split('\r\n')
  return {
    status: Number(line.split(' ')[1]),
    headers: headers.map(header => header.toLowerCase()),
    body: body.join('\r\n\r\n'),
  }
}
