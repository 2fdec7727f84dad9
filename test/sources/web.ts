import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a path answers: a text, or a function of the request's headers. */
type Answers = Record<string, string | ((headers: IncomingHttpHeaders, response: ServerResponse) => void)>

/** A site on loopback that answers these paths, and 404 to all others; `seen` gets every request. */
export async function web(answers: Answers) {
  const seen: { path: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer(({ url = '', headers }, response) => {
    seen.push({ path: url, headers })
    const answer = answers[url]
    if (typeof answer === 'function') return answer(headers, response)
    response.statusCode = answer === undefined ? 404 : 200
    response.end(answer ?? 'nothing here')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers, seen }
}

export const feedOf = (...events: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Town//EN', ...events, 'END:VCALENDAR', ''].join('\r\n')

export const concert = (uid: string, title = 'Concert', day = '20261205'): string =>
  [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART;TZID=Europe/Madrid:${day}T190000`,
    `DTEND;TZID=Europe/Madrid:${day}T210000`,
    `SUMMARY:${title}`,
    'LOCATION:Teatre',
    'END:VEVENT',
  ].join('\r\n')
