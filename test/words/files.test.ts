import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const feed = (...lines: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:1', 'SUMMARY:Ball', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')

const files: readonly (readonly [name: string, text: string])[] = [
  ['dates.csv', 'Títol,Data\nBall,5/6/2027\nConcert,6/13/2027\nFira,25/6/2027\n'],
  ['order.csv', 'Títol,Data,Hora,Lloc\nBall,5/6/2027,19-21,"Teatre, C/ Nou 1, Olot"\nFira,6/6/2027,,Teatre (Olot)\n'],
  ['headings.csv', 'Titol,Datta\nBall,5/6/2027\n'],
  ['venues.csv', 'Nom,Codi postal\nTeatre,17001,more\n'],
  ['unknown.csv', 'one;two\n1;2\n'],
  ['quotes.csv', 'Títol,Data\n"Ball,5/6/2027\n'],
  ['cells.csv', 'Títol,Data,Hora,Preu\nBall,2027-06-05,25 h,5-oct\nMÃºsica,2027-06-05,,#REF!\n'],
  ['list.json', '[1]'],
  ['cut.json', '[{"title": "Ball"'],
  ['lines.ndjson', '{"title": "Ball", "resource": "evens"}\n'],
  ['bad.yaml', 'a: [\n'],
  ['page.html', '<html><body></body></html>'],
  ['zones.ics', feed('DTSTART;TZID=Nowhere:20270605T190000', 'RRULE:FREQ=DAILY', 'X-NOTE:1')],
  ['rule.ics', feed('DTSTART:20270605T190000Z', 'RRULE:FREQ=DAILY;COUNT=0')],
  ['end.ics', feed('DTSTART:20270605T190000Z', 'DTEND:20270605T180000Z')],
]

/** What stands outside of the brackets that tests put around sentences. */
const withoutSentences = (text: string): string => {
  const rest = text.replace(/⟦[^⟦⟧]*⟧/g, '')
  return rest === text ? text : withoutSentences(rest)
}

test.each(files)('what is said about %s is in the language of the interface', async (name, text) => {
  const { calctl, file } = calendarWithFiles()
  const { err } = await calctl(['apply', file(name, text), '--dry-run', '--create-missing', '--ui', 'xx'])
  expect(err).toContain('⟦')
  const lines = withoutSentences(err).split('\n')
  expect(lines.filter(line => /[a-z]{3,} [a-z]{2,}/.test(line))).toEqual([])
})

test('a sheet is refused in Catalan, with the names of options as they are', async () => {
  const { calctl, file } = calendarWithFiles()
  const { err } = await calctl([
    'apply',
    file('dates.csv', 'Títol,Data\nBall,13/6/2027\nFira,6/14/2027\n'),
    '--ui',
    'ca',
  ])
  expect(err).toContain('hi ha dates amb el dia al davant (fila 2, Data: 13/6/2027)')
  expect(err).toContain('amb: --date-order dmy\n')
})
