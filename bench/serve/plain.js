// The limit that Node itself sets: answers every read with the same bytes from memory, and every write once it is in a journal.
// argv: a JSON file with status, headers and body of the answer to reads; the journal.
import { fdatasync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { line } from './journal.js'

const { status, headers, body } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const bytes = Buffer.from(body)
const journal = openSync(process.argv[3], 'a')
const created = Buffer.alloc(2000, 'x')
const server = createServer(async (request, response) => {
  if (request.method === 'GET') return send(response, status, bytes)
  for await (const _ of request);
  writeSync(journal, line)
  fdatasync(journal, () => send(response, 201, created))
})
function send(response, code, content) {
  response.writeHead(code, { ...headers, 'content-length': content.length })
  response.end(content)
}
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
process.once('SIGTERM', () => server.close(() => process.exit()).closeAllConnections())
