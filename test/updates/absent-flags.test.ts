import { expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { dates, productionSite } from '../support/production-site.ts'

/**
 * A site on which an importer made records without rows for `show_map`: the events API shows the default, yes, and `wp/v2` the empty value,
 * no, until somebody writes it.
 */
async function importedSite() {
  const written = new Set<string>()
  const keyOf = ({ path }: Request) => /(events|venue)s?\/(\d+)$/.exec(path)?.slice(1).join(' ')
  const shown = (_: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !('show_map' in value) || !('id' in value)) return value
    const key = `${'start_date' in value ? 'events' : 'venue'} ${value.id}`
    const isWritten = (flag: string) => written.has(`${key} ${flag}`)
    return {
      ...value,
      ...(!isWritten('ShowMap') && { show_map: true }),
      ...(!isWritten('ShowMapLink') && { show_map_link: true }),
    }
  }
  const asImported = async (request: Request, pass: (request: Request) => Promise<Response>) => {
    const body = typeof request.body === 'string' ? request.body : Buffer.from(request.body ?? '').toString()
    const key = keyOf(request)
    const writes = request.method !== 'GET' && key !== undefined
    const isPatch = request.path.startsWith('/wp/v2')
    for (const flag of ['ShowMap', 'ShowMapLink'])
      if (writes && (isPatch ? body.includes(`${flag}"`) : request.method !== 'DELETE')) written.add(`${key} ${flag}`)
    const answer = await pass(request)
    if (isPatch || answer.status > 299) return answer
    const { 'content-length': _, ...headers } = answer.headers as Record<string, string>
    const text = typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body as Uint8Array).toString()
    return { ...answer, headers, body: JSON.stringify(JSON.parse(text, shown)) }
  }
  let isImported = false
  const site = await productionSite({
    intercept: (request, pass) => (isImported ? asImported(request, pass) : pass(request)),
  })
  await site.calctl('venues create --venue Hall --no-show-map --no-show-map-link')
  await site.calctl(`events create --title Jazz --venue 1 ${dates}`)
  isImported = true
  return site
}

test.each([
  ['events 2', '--title Blues'],
  ['events 2', '--cost "15 €"'],
  ['events 2', '--status draft'],
  ['events 2', '--no-show-map'],
  ['events 2', '--start-date "2026-12-05 18:00"'],
  ['events 2', '--clear venue'],
  ['events 2', '--featured'],
  ['venues 1', '--city Vic'],
  ['venues 1', '--venue Hall2'],
  ['venues 1', '--no-show-map'],
  ['venues 1', '--status draft'],
])('where an importer left out the rows of flags, nothing is said to have changed: %s %s', async (record, change) => {
  const { calctl, json } = await importedSite()
  const [resource, id] = record.split(' ')
  const read = async () => {
    const {
      modified: _,
      modified_utc: __,
      json_ld: ___,
      date: ____,
      date_utc: _____,
      website: ______,
      ...rest
    } = await json(`${resource} get ${id} --json`)
    return rest
  }
  const before = await read()
  const { status, err } = await calctl(`${resource} update ${id} ${change}`)
  expect([status, err]).toEqual([0, expect.not.stringMatching(/show_map_link|although|kept/)])
  const undo = await calctl('undo --yes')
  expect([undo.status, undo.err]).toEqual([0, expect.not.stringMatching(/show_map_link|although|kept/)])
  const { venue, ...after } = await read()
  const { venue: venueBefore, ...others } = before
  expect(after).toEqual(others)
  if (resource === 'venues') expect(venue).toEqual(venueBefore)
  const redo = await calctl('redo --yes')
  expect([redo.status, redo.err]).toEqual([0, expect.not.stringMatching(/show_map_link|although|kept/)])
})

test('a plan of many, and its undo', async () => {
  const { calctl } = await importedSite()
  for (const [line, done] of [
    ['events update --on 2026-12-05 --title Blues --yes', '1 done'],
    ['undo --yes', ''],
    ['venues update --where venue=Hall --city Vic --yes', '1 done'],
    ['undo --yes', ''],
  ] as const) {
    const { status, err } = await calctl(line)
    expect([line, status, err]).toEqual([line, 0, expect.stringContaining(done)])
    expect(err).not.toMatch(/show_map|although|kept/)
  }
})
