import { expect, test } from 'vitest'
import { readEnd } from '../../src/base/time/when.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import type { Keys } from '../support/world.ts'

const ctrlC = '\u0003'

/** Two venues and two categories, and a user who types at a terminal. */
async function town(keys: readonly Keys[], options: { quirks?: boolean } = {}) {
  const answers: Keys[] = []
  const requests: string[] = []
  const site = calendarWithFiles({ terminal: 160, keys: answers, seen: requests, ...options })
  for (const venue of ['Plaça Major', 'Teatre Principal']) await site.calctl(['venues', 'create', '--venue', venue])
  for (const name of ['Concerts', 'Teatre']) await site.calctl(['categories', 'create', '--name', name])
  answers.push(...keys)
  const events = async () => {
    const fields = 'title,start_date,end_date,all_day,venue.venue,categories.name,description,cost,status'
    return (await site.calctl(`events list --all-dates --fields ${fields} -o csv`)).out.split('\n').slice(1, -1)
  }
  return { ...site, requests, events }
}

const down = '\u001b[B'

/** Goes down a menu, which has been drawn with this line under the cursor before Enter is pressed. */
const choose = (shown: string, steps = 2): Keys => [down.repeat(steps), `❯ ${shown}`, '\r']

const pick = (term: string, shown: string): Keys => [term, `❯ ${shown}`, '\r']

test('events create asks for title, start, end, venue, price, categories, image, description and status, and shows the result', async () => {
  for (const quirks of [false, true]) {
    const keys = [
      'Concert de Nadal\r',
      'tomorrow 19:00\r',
      '21h30\r',
      pick('teatr', 'Teatre Principal'),
      '5 €\r',
      pick('conc', 'Concerts'),
      '\r',
      '\r',
      'Nadales i més.\r',
      '\r',
    ]
    const { calctl, events } = await town(keys, { quirks })
    const { status, err } = await calctl('events create')
    expect(status).toBe(0)
    expect(err).toContain('Would create "Concert de Nadal", Sun 22 Nov 19:00: ends 21:30, venue "Teatre Principal"')
    expect(err).toMatch(
      /Created "Concert de Nadal", Sun 22 Nov 19:00, Teatre Principal \(\d+\)\. Undo: calctl undo \w+\n$/,
    )
    const [event = ''] = await events()
    expect(event).toContain('Concert de Nadal,2026-11-22 19:00:00,2026-11-22 21:30:00,false,Teatre Principal,Concerts,')
    expect(event).toContain('Nadales i més.')
    expect(event).toMatch(/,5 ?€,publish$/)
  }
})

test('what is given as an option is not asked for, and a new venue can be typed', async () => {
  const { calctl, events } = await town(['120 min\r', pick('Sala Nova', 'New venue "Sala Nova"'), '\r', '\r', '\r'])
  const given = '--title Concert --start-date "2026-12-05 19:00" --categories Concerts --description x'
  const { status, err } = await calctl(`events create ${given}`)
  expect([status, err]).toEqual([
    0,
    expect.stringMatching(/Created venue "Sala Nova" .*\nCreated "Concert", .*, Sala Nova \(/),
  ])
  expect(await events()).toEqual([
    'Concert,2026-12-05 19:00:00,2026-12-05 21:00:00,false,Sala Nova,Concerts,x,,publish',
  ])
})

test('a day alone may be an all-day event, of one day or several', async () => {
  const { calctl, events } = await town(['Fira\r', '5 december\r', 'y\r', '6 december\r', ...Array<Keys>(6).fill('\r')])
  expect((await calctl('events create')).status).toBe(0)
  expect(await events()).toEqual(['Fira,2026-12-05 00:00:00,2026-12-06 23:59:59,true,,,,,publish'])
})

test('an end before the start is asked for again, with what was typed still there', async () => {
  const { calctl, events } = await town([
    'Concert\r',
    '2026-12-05 19:00\r',
    ['18:00\r', '"18:00" is not after the start, 2026-12-05 19:00', '\u001521:00\r'],
    ...Array<Keys>(6).fill('\r'),
  ])
  expect((await calctl('events create')).status).toBe(0)
  expect(await events()).toEqual(['Concert,2026-12-05 19:00:00,2026-12-05 21:00:00,false,,,,,publish'])
})

const dated = '--title Concert --start-date "2026-12-05 19:00" --description x'

test('a name that is close to an existing one is offered with that one first', async () => {
  const { calctl, events } = await town([
    '120 min\r',
    ['Teatre Prinicpal', 'New venue "Teatre Prinicpal"', '\r'],
    '\r',
    '\r',
    '\r',
  ])
  expect((await calctl(`events create ${dated} --categories Concerts`)).status).toBe(0)
  expect(await events()).toEqual([expect.stringContaining(',Teatre Principal,Concerts,')])
})

test.each([
  ['\r', 'Plaça Major'],
  [`${down}\r`, 'Pl. Major'],
])('a place that is named in other words is offered first, and a new one after it: %j', async (key, venue) => {
  const place: Keys = ['Pl. Major', 'New venue "Pl. Major"', key]
  const { calctl, events } = await town(['120 min\r', place, '\r', '\r', '\r'])
  expect((await calctl(`events create ${dated} --categories Concerts`)).status).toBe(0)
  expect(await events()).toEqual([expect.stringContaining(`,${venue},Concerts,`)])
})

test.each(['15 €', 'free', '5 december'])('"%s" does not become a category', async answer => {
  const none = `None: "${answer}" is a price or a date, not a category`
  const { calctl, events } = await town(['120 min\r', '\r', '\r', pick(answer, none), '\r', '\r'])
  expect((await calctl(`events create ${dated}`)).status).toBe(0)
  expect(await events()).toEqual([expect.stringMatching(/,,,x,,publish$/)])
})

test('an image that cannot be read is asked for again, and the last question can make a draft', async () => {
  const image: Keys = ['poster.png\r', 'Cannot read poster.png', '\u0015\r']
  const { calctl, events } = await town(['120 min\r', '\r', '\r', image, choose('Create it as a draft', 1)])
  expect((await calctl(`events create ${dated} --categories Concerts`)).status).toBe(0)
  expect(await events()).toEqual([expect.stringMatching(/,draft$/)])
})

test('a price in words is asked for again, and an end is the hour after the start', async () => {
  const price: Keys = ['dotze euros\r', 'an amount in digits', '\u001512,50 euros\r']
  const { calctl, events } = await town(['a les deu\r', '\r', price, '\r', '\r'])
  expect((await calctl(`events create ${dated} --categories Concerts`)).status).toBe(0)
  expect(await events()).toEqual(['Concert,2026-12-05 19:00:00,2026-12-05 22:00:00,false,,Concerts,x,12.50 €,publish'])
})

test('Ctrl-C gives back what was typed as the command line to type', async () => {
  const { calctl, events } = await town([
    "L'home\r",
    '2026-12-05 19:00\r',
    '120 min\r',
    pick('teatr', 'Teatre Principal'),
    ctrlC,
  ])
  const { status, err } = await calctl('events create --status draft')
  expect([status, err]).toEqual([
    130,
    expect.stringContaining(
      `you typed: calctl events create --status draft --title 'L'\\''home' --start-date '2026-12-05 19:00' --end-date '2026-12-05 21:00' --venue 2\n`,
    ),
  ])
  expect(await events()).toEqual([])
})

test('after a no, and after a refused request, what was typed is given back as well', async () => {
  const typed = ['Concert\r', '2026-12-05 19:00\r', '120 min\r', ...Array<Keys>(5).fill('\r')]
  const declined = await town([...typed, choose('Create nothing', 3)])
  expect(await declined.calctl('events create')).toMatchObject({
    status: 8,
    err: expect.stringMatching(
      /(?<!error: )nothing was written\nhint: you typed: calctl events create --title Concert /,
    ),
  })
  const refused = await town([...typed, '\r'])
  expect(await refused.calctl('events create --tags Nope')).toMatchObject({
    status: 4,
    err: expect.stringMatching(/you typed:\s+calctl events create --tags Nope --title Concert /),
  })
})

test('< goes back to the question before, whose answer stands in the line to be changed', async () => {
  const { calctl, events } = await town([
    'Concret\r',
    '2026-12-05 19:00\r',
    '<\r',
    '<\r',
    '\u0015Concert\r',
    ['', '2026-12-05 19:00', '\r'],
    '120 min\r',
    pick('teatr', 'Teatre Principal'),
    '<\r',
    ['', '❯ Teatre Principal', '\r'],
    '5 €\r',
    pick('conc', 'Concerts'),
    pick('<', 'Back'),
    pick('teat', 'Teatre'),
    '\r',
    '<\r',
    '\r',
    '\r',
    '\r',
    ['\u001b[B\u001b[B\u001b[B\u001b[B', '❯ Back', '\r'],
    '\r',
    '\r',
  ])
  const { status, err } = await calctl('events create')
  expect(status).toBe(0)
  expect(err).toContain('< goes back to the question before.\n')
  expect(await events()).toEqual([
    expect.stringMatching(
      /^Concert,2026-12-05 19:00:00,2026-12-05 21:00:00,false,Teatre Principal,Teatre,,5 ?€,publish$/,
    ),
  ])
})

test('a doubtful date is a menu of full dates, and one that is past is asked about', async () => {
  const { calctl, events } = await town([
    'Concert\r',
    'dissabte a les 20 h\r',
    [down, '❯ Saturday, 28 November 2026, 20:00', '\r'],
    '10h\r',
    ...Array<Keys>(7).fill('\r'),
  ])
  const { err } = await calctl('events create')
  expect(err).toContain('What does "dissabte a les 20 h" mean?')
  expect(await events()).toEqual([expect.stringContaining('Concert,2026-11-28 20:00:00,2026-11-29 06:00:00,')])
  const past = await town([
    'Concert\r',
    '5/12/2025 19:00\r',
    '\r',
    '\u00155/12/2026 19:00\r',
    '120 min\r',
    ...Array<Keys>(6).fill('\r'),
  ])
  expect((await past.calctl('events create')).err).toContain('5 December 2025 is past. Is that right? (y/N)')
  expect(await past.events()).toEqual([expect.stringContaining('Concert,2026-12-05 19:00:00,')])
})

test('an end that can be an hour or a length is a menu', async () => {
  const { calctl, events } = await town([
    'Concert\r',
    '2026-12-05 09:00\r',
    '10h\r',
    [down, '❯ Saturday, 5 December 2026, 19:00', '\r'],
    ...Array<Keys>(6).fill('\r'),
  ])
  expect((await calctl('events create')).status).toBe(0)
  expect(await events()).toEqual([expect.stringContaining('2026-12-05 09:00:00,2026-12-05 19:00:00,')])
})

test('an end that is said with the start is not asked for', async () => {
  const { calctl, events } = await town(['Concert\r', '5/12 de 18 a 20 h\r', ...Array<Keys>(6).fill('\r')])
  expect((await calctl('events create')).status).toBe(0)
  expect(await events()).toEqual([expect.stringContaining('2026-12-05 18:00:00,2026-12-05 20:00:00,')])
})

test('an event that exists already is named, and the last question proposes to create nothing', async () => {
  const { calctl, events } = await town(['120 min\r', '\r', '\r', '\r', '\r', '\r'])
  await calctl(`events create ${dated} --end-date "2026-12-05 21:00" --yes`)
  const { status, err } = await calctl(`events create ${dated}`)
  expect({ status, err }).toEqual({
    status: 8,
    err: expect.stringContaining('begins at the same time already: "Concert", Sat 5 Dec 19:00'),
  })
  expect(await events()).toHaveLength(1)
})

test('without a terminal nothing is asked', async () => {
  const { calctl } = calendarWithFiles()
  expect(await calctl('events create --title Concert')).toMatchObject({
    status: 2,
    err: expect.stringContaining('missing --start-date and --end-date'),
  })
})

const evening = { wall: '2026-12-05 19:00:00', isWholeDay: false, zone: 'Europe/Madrid' }
const morning = { ...evening, wall: '2026-12-05 09:00:00' }
const whole = { ...evening, wall: '2026-12-05 00:00:00', isWholeDay: true }
const context = { now: new Date('2026-11-21T02:00:00Z') }

test.each([
  ['21:00', evening, '2026-12-05 21:00:00'],
  ['21h', evening, '2026-12-05 21:00:00'],
  ['2 hours', evening, '2026-12-05 21:00:00'],
  ['90m', evening, '2026-12-05 20:30:00'],
  ['01h', evening, '2026-12-06 01:00:00'],
  ['6 december 1:00', evening, '2026-12-06 01:00:00'],
  ['2h', morning, '2026-12-05 11:00:00'],
  ['2026-12-05', whole, '2026-12-05 00:00:00'],
  ['3d', whole, '2026-12-07 00:00:00'],
])('"%s" after %o is %s', (text, start, wall) => {
  expect(readEnd(text, start, context)).toMatchObject({ ok: true, wall })
})

test.each([
  ['10h', morning, ['2026-12-05 10:00', '2026-12-05 19:00']],
  ['2h', evening, ['2026-12-05 21:00', '2026-12-06 02:00']],
  ['10h', evening, ['2026-12-06 05:00', '2026-12-06 10:00']],
])('"%s" after %o is an hour or a length', (text, start, readings) => {
  expect(readEnd(text, start, context)).toMatchObject({ ok: false, readings })
})

test.each([
  ['5h', whole, 'expected whole days, such as 2d'],
  ['19:00', evening, '"19:00" is not after the start, 2026-12-05 19:00'],
  ['soon', evening, 'expected a date and time, got "soon"'],
])('"%s" after %o is refused', (text, start, message) => {
  expect(readEnd(text, start, context)).toMatchObject({ ok: false, message })
})

test('what was typed is repeated on other days, which are shown and asked about', async () => {
  const typed = ['Taller\r', '2026-12-01 18:00\r', '20:00\r', '\r', '\r', '\r', '\r', '\r']
  const repeat = [choose('Repeat it on other days', 2), 'every Tuesday until 22 December\r', 'y\r']
  const { calctl, events } = await town([...typed, ...repeat])
  const { status, err } = await calctl('events create')
  expect({ status, err }).toMatchObject({
    status: 0,
    err: expect.stringContaining('4 dates, from Tue 1 Dec 2026 to Tue 22 Dec 2026'),
  })
  expect((await events()).map(line => line.split(',').slice(0, 3))).toEqual(
    ['01', '08', '15', '22'].map(day => ['Taller', `2026-12-${day} 18:00:00`, `2026-12-${day} 20:00:00`]),
  )
})

test('a series that is not created says the line that would create it', async () => {
  const typed = ['Taller\r', '2026-12-01 18:00\r', '20:00\r', '\r', '\r', '\r', '\r', '\r']
  const { calctl, events } = await town([
    ...typed,
    choose('Repeat it on other days', 2),
    'every Tuesday\r',
    '2026-12-22\r',
    'n\r',
  ])
  const { err } = await calctl('events create')
  const line = err.slice(err.lastIndexOf('you typed:'))
  expect(line).toContain("--repeat 'every Tuesday'")
  expect(line).toContain('--repeat-until 2026-12-22')
  for (const part of line.split('\n')) expect(part.length).toBeLessThanOrEqual(160)
  // What is said is what a shell reads.
  const words = line
    .replace('you typed: calctl ', '')
    .replaceAll(/ \\\n\s*/g, ' ')
    .trim()
  expect(await calctl(`${words.replaceAll("'", '"')} --yes`)).toMatchObject({ status: 0 })
  expect(await events()).toHaveLength(4)
})

test('a value is refused at its own question, not after the last', async () => {
  const title: Keys = ['ConcertÃ©\r', 'has wrong letters', '\u0015Taller\r']
  const repeat: Keys = ['every Friday\r', 'does not match the start', '\u0015every Tuesday\r']
  const end: Keys = ['2026-11-20\r', 'before it starts', '\u00152026-12-15\r']
  const typed = [title, '2026-12-01 18:00\r', '20:00\r', '\r', '\r', '\r', '\r', '\r']
  const { calctl, events } = await town([...typed, choose('Repeat it on other days', 2), repeat, end, 'y\r'])
  expect((await calctl('events create')).status).toBe(0)
  expect(await events()).toHaveLength(3)
})
