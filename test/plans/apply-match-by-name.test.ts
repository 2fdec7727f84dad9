import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { startServe } from '../support/start-serve.ts'

const apply = 'apply - --format csv --resource venues --yes'
const twoRows = 'venue,city\nAAA,Girona\nAAA,Olot\n'

/** A calendar with two venues of the same name: 1 in Girona, 2 in Olot. */
async function twins() {
  const calctl = calendar()
  await calctl('venues create --venue AAA --city Girona')
  await calctl('venues create --venue AAA --city Olot --if-exists create')
  return calctl
}

/** An export, as if it came from another site. */
const fromElsewhere = (text: string) =>
  text.replaceAll(/file:sha256-[\w-]+/g, 'https://town.example/calendar/events/v1')

test.each(['AAA', 'aaa'])('two rows of one name, %s, are the same venue', async name => {
  const calctl = calendar()
  expect(await calctl(apply, twoRows.replace('AAA,Olot', `${name},Olot`))).toMatchObject({
    status: 2,
    err: expect.stringContaining('! row 3: duplicate of row 2 (remove one of them, or add the ID of each)\n'),
  })
  await calctl('venues create --venue AAA')
  expect(await calctl(apply, twoRows)).toMatchObject({
    status: 2,
    err: expect.stringContaining('! row 3: duplicate of row 2 (remove one of them, or add the ID of each)\n'),
  })
  expect((await calctl('venues list -o ids')).out).toBe('1\n')
})

test('a row whose name two venues have must give an ID or a slug', async () => {
  const calctl = await twins()
  expect(await calctl(apply, 'venue,phone\nAAA,972 000 000\n')).toMatchObject({
    status: 2,
    err: expect.stringContaining(
      '! row 2: 2 venues are called "AAA": 1 (AAA, aaa, Girona), 2 (AAA, aaa-2, Olot) (use the ID instead of the name)\n',
    ),
  })
  expect(await calctl(apply, 'id,venue,phone\n2,AAA,972 000 000\n')).toMatchObject({ status: 0 })
  expect(await calctl(apply, 'slug,venue,phone\naaa-2,AAA,972 000 000\n')).toMatchObject({
    status: 0,
    err: expect.stringContaining('1 unchanged'),
  })
})

test('--match tells venues of one name apart', async () => {
  const calctl = await twins()
  expect(await calctl(`${apply} --match venue+city`, `${twoRows}AAA,Ripoll\n`)).toMatchObject({
    status: 0,
    err: expect.stringContaining('1 to create, 2 unchanged'),
  })
})

test('two venues of one name are copied to another site and matched again, whatever slugs they have there', async () => {
  const from = await twins()
  await from('events create --title Gala --start-date 2026-12-04 --end-date 2026-12-05 --venue 2')
  const whole = fromElsewhere((await from('export')).out)
  const to = calendar()
  expect(await to('apply - --yes --jobs 1', whole)).toMatchObject({ status: 0 })
  // Exports list the newest first, so the newest gets the first slug.
  expect((await to('venues list --fields id,slug,city -o csv')).out).toBe('id,slug,city\n2,aaa-2,Girona\n1,aaa,Olot\n')
  expect((await to('events list --fields venue.city -o ndjson')).out).toBe('{"venue":{"city":"Olot"}}\n')
  expect(await to('diff --exit-code -', whole)).toMatchObject({ status: 0 })
  const moved = whole.replace('"city":"Olot"', '"city":"Figueres"')
  expect((await to('diff --exit-code -', moved)).out).toBe(`~ venue "AAA" (1, line 1): city "Olot" → "Figueres"
the calendar file /nowhere/.local/share/calctl/calendar.json derives the slugs of venues and organizers from their names: left out 2 slugs
1 to update, 2 unchanged
`)
})

test('a venue that a site would overwrite because of its name is reported before', async () => {
  const from = await twins()
  const whole = fromElsewhere((await from('export venues')).out)
  const site = await startServe('--memory --quirks --open --namespace tribe/events/v1 --port 0')
  if (!('url' in site)) throw new Error(site.err)
  const { status, out } = await from(`apply - --base-url ${site.url} --namespace tribe/events/v1 --dry-run`, whole)
  await site.stop()
  expect({ status, out }).toEqual({
    status: 0,
    out: expect.stringContaining(`${site.url} keeps one venue per name and would overwrite the existing one: "AAA"\n`),
  })
})

test('two events with the same title and dates are refused unless slugs tell them apart', async () => {
  const calctl = calendar()
  const rows = (slugs: readonly string[]) =>
    `slug,title,start_date,end_date,cost\n${slugs.map((slug, cost) => `${slug},Taller,2026-12-05 10:00,2026-12-05 11:00,${cost}\n`).join('')}`
  const { status, err } = await calctl('apply - --format csv --yes', rows(['', '']))
  expect(status).toBe(2)
  expect(err).toContain('row 3: duplicate of row 2')
  await calctl('apply - --format csv --yes', rows(['one', 'two']))
  expect((await calctl('diff --exit-code - --format csv', rows(['one', 'two']))).status).toBe(0)
})

test('two rows with the same title and instant are the same event, with or without offsets', async () => {
  const calctl = calendar()
  const rows = (...starts: string[]) =>
    `title,start_date,end_date\n${starts.map(start => `Taller,${start},2027-11-30 11:00\n`).join('')}`
  const apply = async (...starts: string[]) => {
    const { status, err } = await calctl('apply - --format csv --yes', rows(...starts))
    return { status, err: err.split('\n')[0] }
  }
  for (const other of ['2027-05-01T19:00:00Z', '2027-05-01T15:00-04:00'])
    expect(await apply('2027-05-01 21:00', other)).toEqual({
      status: 2,
      err: '! row 3: duplicate of row 2 (remove one of them, or give each its own slug)',
    })
  expect(await apply('2027-10-31T02:30+02:00', '2027-10-31T00:30:00Z')).toMatchObject({ status: 2 })
  expect(await apply('2027-10-31T02:30+02:00', '2027-10-31T02:30+01:00')).toMatchObject({ status: 0 })
})
