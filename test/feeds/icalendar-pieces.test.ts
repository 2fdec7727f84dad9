/** A feed comes in pieces, wherever they end: within a line, between the two characters of a line break, before a fold. */
import { expect, test } from 'vitest'
import { read } from '../support/record-files.ts'

const feed = (lineBreak: string) =>
  [
    'BEGIN:VCALENDAR',
    'X-WR-TIMEZONE:Europe/Ma',
    ' drid',
    'BEGIN:VEVENT',
    'UID:a@exam',
    ' ple.org',
    'SUMMARY:Fi',
    '\tra – L’hora',
    'BEG',
    ' IN:VALARM',
    'UID:alarm',
    'END:VALARM',
    'DTSTART:20261205T1900',
    ' 00',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'SUMMARY;ENCODING=QUOTED-PRINTABLE:=46=',
    '=69ra',
    'DTSTART:20261206T190000Z',
    'DTEND:20261206T180000Z',
    'UID:b@example.org',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:c@example.org',
    'no property',
    'DTSTART:20261207T190000',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join(lineBreak)

for (const [label, lineBreak] of [
  ['CRLF', '\r\n'],
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRCRLF', '\r\r\n'],
] as const)
  test(`a feed with lines that end in ${label} is read the same in pieces of any size`, async () => {
    const bytes = Buffer.from(`\uFEFF${feed(lineBreak)}`, 'utf16le')
    const whole = await read(bytes, { name: 'feed.ics' })
    expect(whole.records.map(({ values, mistakes }) => [values.title, values.start_date, mistakes.length])).toEqual([
      ['Fira – L’hora', '2026-12-05 19:00:00', 0],
      [undefined, undefined, 1],
      ['(no title)', '2026-12-07 19:00:00', 0],
    ])
    expect(whole.notices).toContain('feed.ics: skipped 1 line that cannot be read: line 25')
    for (let size = 64; size < 150; size += 2) expect(await read(bytes, { name: 'feed.ics' }, size)).toEqual(whole)
  })
