import { expect, test } from 'vitest'
import { folder } from './folder.ts'
import { concert, feedOf, web } from './web.ts'

const sheet = 'title,start_date,end_date\nFira,2026-12-05 10:00,2026-12-05 14:00\n'

test('sources add reads a feed and writes sources.yaml', async () => {
  const { url } = await web({ '/agenda.ics': feedOf(concert('a'), concert('b')) })
  const { calctl, read } = folder()
  expect(await calctl(`sources add theatre ${url}/agenda.ics`)).toEqual({
    status: 0,
    out: '',
    err: 'added theatre: 2 records\n',
  })
  expect(read()).toBe(`sources:\n  - name: theatre\n    place: ${url}/agenda.ics\n`)
})

test('sources add says how a key stays out of the file', async () => {
  const { url } = await web({ '/agenda.ics?key=ABC12345': feedOf(concert('a')) })
  const { calctl, read } = folder()
  const { status, err } = await calctl(`sources add theatre ${url}/agenda.ics?key=ABC12345`)
  expect(status).toBe(0)
  expect(err.split('\n')).toEqual([
    'added theatre: 1 record',
    'the key in this address is now in sources.yaml; to keep it out of the file, write there: place: env:NAME',
    '',
  ])
  expect(read()).toContain('key=ABC12345')
})

test('sources add keeps comments and the other sources', async () => {
  const { calctl, read } = folder({
    'schools.csv': sheet,
    'sources.yaml': '# the town\nsources:\n  # ours\n  - name: town # first\n    place: town.csv\n    vanished: keep\n',
  })
  expect(await calctl('sources add schools schools.csv --kind sheet')).toMatchObject({ status: 0 })
  expect(read()).toBe(`# the town
sources:
  # ours
  - name: town # first
    place: town.csv
    vanished: keep
  - name: schools
    place: schools.csv
    kind: sheet
`)
})

test('sources add adds nothing that cannot be read, or has a name that is taken', async () => {
  const { url } = await web({})
  const file = 'sources:\n  - name: town\n    place: town.csv\n'
  const { calctl, read } = folder({ 'sources.yaml': file, 'town.csv': sheet })
  for (const [line, error] of [
    [`sources add other ${url}/feed.ics`, /answered 404/],
    ['sources add other missing.csv', /cannot read .*missing.csv: no such file/],
    ['sources add town town.csv', /there is a source named town already/],
    ['sources add a/b town.csv', /name: expected a name of letters/],
    ['sources add other https://ada:secret@example.org/a.ics', /place: expected a path, or an address without/],
  ] as const) {
    const { status, err } = await calctl(line)
    expect(err).toMatch(error)
    expect(status).toBeGreaterThan(1)
  }
  expect(read()).toBe(file)
})

test('a file that sources add wrote is trusted; one that was there is not', async () => {
  const { calctl } = folder({ 'town.csv': sheet })
  await calctl('sources add town town.csv')
  expect(await calctl('trust --remove')).toMatchObject({ err: expect.stringContaining('is no longer trusted') })
  await calctl('sources add other town.csv')
  expect(await calctl('trust --remove')).toMatchObject({ err: expect.stringContaining('was not trusted') })
  expect(await calctl('trust')).toMatchObject({
    status: 0,
    err: expect.stringMatching(/^trusted .*sources.yaml: town town.csv, other town.csv\n$/),
  })
})
