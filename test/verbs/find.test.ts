import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { townInThreeLanguages } from '../translations/town-in-three-languages.ts'

test.each([{}, { quirks: true }])('a text is found in records of all kinds, past events included: %j', async shape => {
  const calctl = calendar(shape)
  const dates = (day: string) => ['--start-date', `${day} 19:00`, '--end-date', `${day} 21:00`]
  await calctl(['events', 'create', '--title', 'Jazz al parc', ...dates('2020-05-05')])
  await calctl(['events', 'create', '--title', 'Nit de jazz', ...dates('2027-05-05'), '--status', 'draft'])
  await calctl(['venues', 'create', '--venue', 'Jazz Cava'])
  await calctl(['categories', 'create', '--name', 'Jazz'])
  const { status, out } = await calctl('find jazz -o json')
  expect(status).toBe(0)
  expect(JSON.parse(out).map(({ resource, title }: Record<string, string>) => `${resource} ${title}`)).toEqual([
    'events Jazz al parc',
    'events Nit de jazz',
    'venues Jazz Cava',
    'categories Jazz',
  ])
  expect(await calctl('find jazz --limit 1 -o count')).toMatchObject({ out: '3\n' })
  expect(await calctl('find nothing')).toMatchObject({
    status: 0,
    err: 'no records match "nothing"; try one word, or its beginning\n',
  })
})

test('an event of a whole day is found without an hour', async () => {
  const calctl = calendar({ terminal: 80 })
  await calctl('events create --title Fira --start-date 2026-12-05 --all-day')
  expect((await calctl('find fira')).out).toMatch(/Sat 5 Dec\n/)
})

test('of events that a site stores together, those of the language are found, and hidden ones', async () => {
  const { calctl, json, atTerminal } = await townInThreeLanguages()
  expect((await atTerminal([])('find sardana --fields title --lang ca')).out).toMatch(/Ballada de sardanes/)
  // Only other languages have this word.
  expect((await calctl('find festival')).status).toBe(0)
  const found = async () => (await json('find jazz')).map(({ id }: { id: number }) => id).toSorted()
  const before = await found()
  await calctl(`events update ${before[0]} --hide-from-listings`)
  expect(await found()).toEqual(before)
})

test('a word that nothing contains finds titles with another form of it, or that it mistypes', async () => {
  const calctl = calendar({ terminal: 100, env: { NO_COLOR: '1' } })
  for (const title of ["L'hostalera", 'Hospital obert', 'Teatre al carrer'])
    await calctl(['events', 'create', '--title', title, '--start-date', '2026-12-05', '--end-date', '2026-12-05'])
  for (const [word, title] of [
    ['hostaleria', "L'hostalera"],
    ['hostelera', "L'hostalera"],
    ['teetre', 'Teatre al carrer'],
  ] as const) {
    const { out, err } = await calctl(['find', word, '--fields', 'title'])
    expect([out, err]).toEqual([`Title\n${title}\n`, `no records match "${word}"; these are similar\n`])
  }
  expect((await calctl('find hospital --fields title')).out).toBe('Title\nHospital obert\n')
  expect((await calctl('find hostaleria -o ids')).out).toBe('')
})

test('other forms of a word are found beside what has it as it is, unless an event has it in its title', async () => {
  const calctl = calendar({ terminal: 100, env: { NO_COLOR: '1' } })
  await calctl(['categories', 'create', '--name', 'Concerts'])
  for (const title of ['Concert de Nadal', 'Ball'])
    await calctl(['events', 'create', '--title', title, '--start-date', '2027-03-04', '--end-date', '2027-03-04'])
  const { out, err } = await calctl('find concerts')
  expect([out, err]).toEqual([expect.stringMatching(/Concerts[\s\S]*Concert de Nadal/), 'the last one is similar\n'])
  expect((await calctl('find ball')).err).toBe('')
})

test('a terminal names the kinds of what was found in words, in the language of the interface', async () => {
  const calctl = calendar({ terminal: 100, env: { LANG: 'ca_ES.UTF-8' } })
  await calctl(['venues', 'create', '--venue', 'Jazz Cava'])
  await calctl(['tags', 'create', '--name', 'Jazz'])
  expect((await calctl('find jazz')).out).toMatch(/lloc +1 .*etiqueta +\d/s)
})
