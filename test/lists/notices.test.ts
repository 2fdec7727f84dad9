import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { undoLine } from '../support/world.ts'

const create = 'events create --title Concert --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00" -q'
const errorOf = async (calctl: ReturnType<typeof calendar>, line: string) => (await calctl(line)).err

test('--fields refuses an unknown name, and suggests the nearest one', async () => {
  const calctl = calendar()
  await calctl(`${create} --venue '{"venue":"Sala"}'`)
  for (const output of ['json', 'ndjson', 'csv', 'tsv', 'yaml', 'table', 'ids', 'count']) {
    const { status, out, err } = await calctl(`events list --fields title,titel -o ${output}`)
    expect({ status, out }, output).toEqual({ status: 2, out: '' })
    expect(err, output).toContain('--fields: no field')
  }
  expect(await errorOf(calctl, 'events list --fields titel')).toBe(
    'error: --fields: no field "titel" in events\nhint: did you mean title?\n',
  )
  expect(await errorOf(calctl, 'events list --fields nonsense')).toBe(
    'error: --fields: no field "nonsense" in events\nhint: list all fields with: calctl events list --limit 1 --json\n',
  )
  expect(await errorOf(calctl, 'events list --fields venue.cty')).toBe(
    'error: --fields: no field "venue.cty" in events\nhint: did you mean venue.city?\n',
  )
  expect(await calctl('events list --fields start_date_details.yeer')).toMatchObject({ status: 2, out: '' })
  expect(await calctl('events list --all --fields titel -q')).toMatchObject({ status: 2, out: '' })
  expect(await calctl('doc --fields openapi,inf')).toMatchObject({
    status: 2,
    out: '',
    err: 'error: --fields: no field "inf"\nhint: did you mean info?\n',
  })
})

test('a write with an unknown name in --fields sends nothing', async () => {
  const calctl = calendar()
  expect(await calctl(`${create} --fields titel`)).toMatchObject({ status: 2, out: '' })
  expect(await calctl('events list --all-dates -o count')).toMatchObject({ out: '0\n' })
})

test('--fields accepts a name of the contract that no record has', async () => {
  const calctl = calendar()
  for (const fields of ['id,venue.city', 'organizer.email', 'image.sizes', 'utc_start_date', 'password'])
    expect(await errorOf(calctl, `events list --fields ${fields}`), fields).toBe('')
  await calctl(create)
  await calctl('venues create --venue Sala')
  for (const fields of ['venue.city', 'organizer.email', 'image.sizes', 'start_date_details.year'])
    expect(await errorOf(calctl, `events list --fields ${fields}`), fields).toBe('')
  expect(await errorOf(calctl, 'venues list --fields phone,geo_lat')).toBe('')
})

test('a page after the last has a notice', async () => {
  expect(await calendar()('events list --page 99')).toEqual({ status: 0, out: '', err: 'no page 99\n' })
  expect(await calendar()('tags list --page 2')).toMatchObject({ status: 0, err: 'no page 2\n' })
})

test('--data - on a terminal says that it reads stdin', async () => {
  const { status, err } = await calendar({ terminal: 80 })(['tags', 'create', '--data', '-'], '{"name":"Jazz"}')
  const [notice, ...more] = err.split(/(?<=\n)/)
  expect({ status, notice }).toEqual({ status: 0, notice: 'reading JSON from the terminal; press Ctrl-D to end\n' })
  expect(more.join('')).toMatch(undoLine('Created tag "Jazz" (1)'))
})
