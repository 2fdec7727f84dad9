/** Wrong letters are refused with what they mean wherever they are written, unless the record has some already. */
import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

type Calendar = ReturnType<typeof calendarWithFiles>

const when = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']
const feed = (summary: string) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20261120T000000Z']
    .concat(['DTSTART:20261205T190000', 'DTEND:20261205T210000', `SUMMARY:${summary}`, 'END:VEVENT', 'END:VCALENDAR'])
    .map(line => `${line}\r\n`)
    .join('')

const entrances: Readonly<Record<string, (calendar: Calendar, text: string) => ReturnType<Calendar['calctl']>>> = {
  update: ({ calctl }, text) => calctl(['events', 'update', '1', '--title', text]),
  description: ({ calctl }, text) => calctl(['events', 'update', '1', '--description', `<p>Gran ${text}</p>`]),
  create: ({ calctl }, text) => calctl(['events', 'create', '--title', text, ...when]),
  '--data': ({ calctl }, text) => calctl(['events', 'create', ...when, '--data', JSON.stringify({ title: text })]),
  'a new venue': ({ calctl }, text) => calctl(['venues', 'create', '--venue', text]),
  'a venue of an event': ({ calctl }, text) =>
    calctl(['events', 'create', '--title', 'x', ...when, '--venue', JSON.stringify({ venue: text })]),
  'a tag': ({ calctl }, text) => calctl(['tags', 'create', '--name', text]),
  'a feed': ({ calctl, file }, text) => calctl(`apply ${file('a.ics', feed(text))} --yes`),
  'a sheet': ({ calctl, file }, text) =>
    calctl(`apply ${file('a.csv', `title,start_date,end_date\n${text},2026-12-05 19:00,2026-12-05 21:00\n`)} --yes`),
  'a sheet with IDs': ({ calctl, file }, text) =>
    calctl(`apply ${file('b.csv', `id,title\n1,${text}\n`)} --resource events --yes`),
  JSON: ({ calctl, file }, text) =>
    calctl(`apply ${file('a.json', JSON.stringify([{ id: 1, resource: 'events', title: text }]))} --yes`),
}

test.each([
  ['MÃºsica', 'Música'],
  ['ConcÃ¨rt', 'Concèrt'],
  ['L‚Äôhora', 'L’hora'],
])('%s is refused everywhere, with %s', async (text, meant) => {
  const calendar = calendarWithFiles()
  await calendar.calctl(['events', 'create', '--title', 'Ball', ...when])
  for (const [name, write] of Object.entries(entrances)) {
    const { status, out, err } = await write(calendar, text)
    expect([name, status === 0, out + err]).toEqual([name, false, expect.stringContaining(meant)])
  }
  expect((await calendar.calctl('events list --all-dates --json')).out).not.toMatch(/[ÃÂ‚]/)
})

test('a record with wrong letters can be changed, copied and moved without mending them', async () => {
  const { calctl } = calendarWithFiles()
  const sent = await calctl(
    'api POST /calendar/events/v1/events --input -',
    JSON.stringify({ title: 'MÃºsica', ...dates }),
  )
  expect(sent.status, sent.err).toBe(0)
  expect(await calctl('events update 1 --title "MÃºsica en viu"')).toMatchObject({ status: 0 })
  expect(await calctl('events duplicate 1 --to 2026-12-12 --yes')).toMatchObject({ status: 0 })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
})

const dates = { start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' }

test('letters that are right are written', async () => {
  const { calctl } = calendarWithFiles()
  for (const text of ['Música', 'São Paulo', 'Âme', '10 € – 12 €', 'Ã', '«Élan» ÃO'])
    expect(await calctl(['events', 'create', '--title', text, ...when]), text).toMatchObject({ status: 0 })
})
