import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A feed with these events. */
export const feed = (...events: string[]) =>
  `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Town//Feed//EN
${events.join('\n')}
END:VCALENDAR
`.replaceAll('\n', '\r\n')

interface Sketch {
  readonly uid: string
  readonly title: string
  readonly start?: string
  readonly end?: string
  readonly place?: string
  /** Further lines. */
  readonly more?: string
}

/** An event of a feed. */
export const event = ({
  uid,
  title,
  start = '20261205T190000',
  end = '20261205T203000',
  place,
  more,
}: Sketch): string =>
  [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART;TZID=Europe/Madrid:${start}`,
    `DTEND;TZID=Europe/Madrid:${end}`,
    `SUMMARY:${title}`,
    ...(place === undefined ? [] : [`LOCATION:${place}`]),
    ...(more === undefined ? [] : [more]),
    'END:VEVENT',
  ].join('\n')

/** Serves texts on loopback until the test ends; a text that changes is served from then on. */
export async function serveTexts(texts: Record<string, string>) {
  const server = createServer((request, response) => {
    const text = texts[request.url ?? '']
    response.statusCode = text === undefined ? 404 : 200
    response.end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The environment of a user who has used nothing yet. */
export function newUser(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'user-'))
  return { XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder }
}
