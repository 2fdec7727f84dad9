import { expect, test } from 'vitest'
import { calendar } from './calendar.ts'

const create = 'events create --title Concert --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00" -q'
const told = async (calctl: ReturnType<typeof calendar>, line: string) => (await calctl(line)).err

test('a name that no record has and nobody knows is told, with the nearest one', async () => {
  const calctl = calendar()
  await calctl(`${create} --venue '{"venue":"Sala"}'`)
  expect(await calctl('events list --fields title,titel --json')).toEqual({
    status: 0,
    out: '[\n  {\n    "title": "Concert",\n    "titel": null\n  }\n]\n',
    err: '--fields: nothing is called titel; did you mean title?\n',
  })
  expect(await told(calctl, 'events list --fields nonsense')).toBe('--fields: nothing is called nonsense\n')
  expect(await told(calctl, 'events list --fields venue.cty')).toBe(
    '--fields: nothing is called venue.cty; did you mean venue.city?\n',
  )
  expect(await told(calctl, 'events list --fields start_date_details.yeer')).toMatch(/nothing is called/)
  expect(await told(calctl, 'events list --fields titel -q')).toBe('')
})

test('a name that is known is no mistake where no record has it', async () => {
  const calctl = calendar()
  for (const fields of ['id,venue.city', 'organizer.email', 'image.sizes', 'utc_start_date', 'password'])
    expect(await told(calctl, `events list --fields ${fields}`), fields).toBe('')
  await calctl(create)
  await calctl('venues create --venue Sala')
  for (const fields of ['venue.city', 'organizer.email', 'image.sizes', 'start_date_details.year'])
    expect(await told(calctl, `events list --fields ${fields}`), fields).toBe('')
  expect(await told(calctl, 'venues list --fields phone,geo_lat')).toBe('')
})

test('a page after the last is told', async () => {
  expect(await calendar()('events list --page 99')).toEqual({ status: 0, out: '', err: 'there is no page 99\n' })
  expect(await calendar()('tags list --page 2')).toMatchObject({ status: 0, err: 'there is no page 2\n' })
})

test('--data - on a terminal says that it reads', async () => {
  const { status, err } = await calendar({ terminal: 80 })(['tags', 'create', '--data', '-'], '{"name":"Jazz"}')
  expect({ status, err }).toEqual({ status: 0, err: 'reading JSON from the terminal; Ctrl-D ends it\n' })
})
