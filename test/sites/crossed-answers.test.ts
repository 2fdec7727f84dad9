import { expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { dates, productionSite } from '../support/production-site.ts'

/** A site with two events, behind a proxy that gives some requests the answer to another one. */
async function twoEvents({ wordpress = true } = {}) {
  let exchange: (request: Request, pass: (request: Request) => Promise<Response>) => Promise<Response | undefined> =
    async () => undefined
  const site = await productionSite({ wordpress, intercept: (request, pass) => exchange(request, pass) })
  const jazz = await site.json(
    `events create --title Jazz ${dates} --website https://jazz.example --status publish --json`,
  )
  const opera = await site.json(
    `events create --title Opera ${dates} --website https://opera.example --status publish --json`,
  )
  return {
    ...site,
    jazz: jazz.id as number,
    opera: opera.id as number,
    /** Crosses the first answers to requests like `GET /events/1`. */
    cross(line: string, other: string, times = 1) {
      exchange = async (request, pass) => {
        const path = request.path.replace('/tribe/events/v1', '')
        if (times === 0 || `${request.method} ${path}` !== line) return undefined
        times -= 1
        if (request.method !== 'GET') await pass(request)
        const [method = 'GET', otherPath = ''] = other.split(' ')
        const base = otherPath.startsWith('/wp/v2') ? '' : '/tribe/events/v1'
        const { body: _, ...others } = request
        const query = otherPath.startsWith('/wp/v2') ? 'context=edit' : ''
        return pass({ ...others, query, method, path: `${base}${otherPath}` })
      }
    },
  }
}

test.each([true, false])(
  'the answer about another event is not taken for the one asked for (wp/v2: %s)',
  async wordpress => {
    const { calctl, json, cross, jazz, opera, writes } = await twoEvents({ wordpress })
    cross(`GET /events/${jazz}`, `GET /events/${opera}`, 20)
    const before = writes().length
    const { status, err } = await calctl(`events update ${jazz} --title "Jazz night"`)
    expect([status, err]).toEqual([5, expect.stringContaining(`with event ${opera} instead of event ${jazz}`)])
    expect(writes().length).toBe(before)
    cross('', '')
    expect(await json(`events get ${jazz} --json`)).toMatchObject({ title: 'Jazz', website: 'https://jazz.example' })
  },
)

test('a read that is answered with another event is sent again, at most three times in all', async () => {
  const { calctl, json, cross, jazz, opera, seen } = await twoEvents()
  cross(`GET /events/${jazz}`, `GET /events/${opera}`, 2)
  expect(await json(`events get ${jazz} --json`)).toMatchObject({ title: 'Jazz' })
  expect(seen.filter(line => line === `GET /events/${jazz}`)).toHaveLength(3)
  cross(`GET /events/${jazz}`, `GET /events/${opera}`, 3)
  expect(await calctl(`events get ${jazz}`)).toMatchObject({ status: 5 })
})

test.each([true, false])('an update that is answered with another event is looked up (wp/v2: %s)', async wordpress => {
  const { calctl, json, cross, jazz, opera } = await twoEvents({ wordpress })
  const base = wordpress ? '/wp/v2/tribe_events' : '/events'
  cross(`POST ${base}/${jazz}`, `GET ${base}/${opera}`)
  const { status, err } = await calctl(`events update ${jazz} --title "Jazz night"`)
  expect([status, err]).toEqual([0, expect.stringContaining(`event ${jazz} was changed anyway`)])
  expect(await json(`events get ${jazz} --json`)).toMatchObject({
    title: 'Jazz night',
    website: 'https://jazz.example',
  })
})

test('a create that is answered with another event is looked up, and its undo takes back what it made', async () => {
  const { calctl, json, cross, jazz, opera } = await twoEvents()
  cross('POST /events', `GET /events/${opera}`)
  const { status, out } = await calctl(`events create --title Blues ${dates} --status publish --json`)
  expect([status, JSON.parse(out).title]).toEqual([0, 'Blues'])
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  const left = await json('events list --all-dates --json')
  expect(left.map(({ id }: { id: number }) => id).toSorted()).toEqual([jazz, opera])
})

test('a date of a series that is answered with another date is looked up', async () => {
  const { calctl, json, cross, jazz } = await twoEvents()
  cross('POST /events', `GET /events/${jazz}`)
  const date = '--start-date "2026-12-12 19:00" --end-date "2026-12-12 21:00"'
  const { status, out } = await calctl(`events create --title Jazz ${date} --status publish --json`)
  expect([status, JSON.parse(out).start_date]).toEqual([0, '2026-12-12 19:00:00'])
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await json(`events get ${jazz} --json`)).toMatchObject({ status: 'publish' })
})

test('a deletion that is answered with another event is looked up', async () => {
  const { calctl, json, cross, jazz, opera } = await twoEvents()
  cross(`DELETE /events/${jazz}`, `GET /events/${opera}`)
  const { status, err } = await calctl(`events delete ${jazz} --yes`)
  expect([status, err]).toEqual([0, expect.stringContaining(`event ${jazz} was deleted anyway`)])
  expect((await json('events list --all-dates --json')).map(({ id }: { id: number }) => id)).toEqual([opera])
})

test('a create whose title the site shows in one language of several is that record, and the difference is said', async () => {
  const { calctl, writes } = await productionSite({
    intercept: async (request, pass) => {
      const answer = await pass(request)
      return { ...answer, body: String(answer.body).replaceAll('[:ca]Festa[:es]Fiesta[:]', 'Festa') }
    },
  })
  const { status, err } = await calctl(['events', 'create', '--title', '[:ca]Festa[:es]Fiesta[:]', ...start])
  expect([status, err]).toEqual([
    7,
    expect.stringContaining('title should be "[:ca]Festa[:es]Fiesta[:]" but is "Festa"'),
  ])
  expect(writes()).toEqual(['POST /events'])
})

const start = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']
