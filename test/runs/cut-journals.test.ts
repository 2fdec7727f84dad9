import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'

/** The only journal of a site, and what changes its lines. */
function onlyJournal({ folder }: { readonly folder: string }) {
  const runs = join(folder, 'state/calctl/runs')
  const name = readdirSync(runs).find(name => !name.startsWith('.')) ?? ''
  const file = join(runs, name)
  const change = (changed: (lines: readonly string[]) => readonly string[]) =>
    writeFileSync(file, `${changed(readFileSync(file, 'utf8').trimEnd().split('\n')).join('\n')}\n`)
  return { change }
}

test('a journal whose first line has lost its checksum is refused', async () => {
  const site = await productionSite()
  expect((await site.calctl('tags create --name Jazz')).status).toBe(0)
  const [run = ''] = (await site.calctl('runs list -o ids')).out.split('\n')
  onlyJournal(site).change(([first = '', ...others]) => [first.replace(/,"crc":"\w+"/, ''), ...others])
  const { status, err } = await site.calctl(`undo ${run} --yes`)
  expect([status, err]).toEqual([3, expect.stringContaining('its first line is damaged')])
})

test('a run that is resumed does not take what it created itself for the work of others', async () => {
  let creates = 0
  let restore: (() => unknown) | undefined
  const site: Awaited<ReturnType<typeof productionSite>> = await productionSite({
    intercept: async ({ method, path }) => {
      if (method === 'POST' && path.endsWith('/events') && ++creates === 2) restore = site.backUp()
      return undefined
    },
  })
  const row = (slug: string, cost: string) => `Ball,${slug},2027-02-01 10:00,2027-02-01 12:00,${cost}\n`
  const sheet = site.file('two.csv', `title,slug,start_date,end_date,cost\n${row('ball-one', '5')}${row('', '7')}`)
  expect((await site.calctl(`apply ${sheet} --jobs 1 --yes`)).status).toBe(0)
  const [run = ''] = (await site.calctl('runs list -o ids')).out.split('\n')
  // As after a kill between the two.
  await restore?.()
  onlyJournal(site).change(lines =>
    lines.slice(
      0,
      lines.findLastIndex(line => line.startsWith('{"sent"')),
    ),
  )
  expect(await site.calctl(`runs resume ${run} --yes`)).toMatchObject({ status: 0 })
  expect(await site.json('events list --all-dates --json')).toHaveLength(2)
})

/** A site that was interrupted while it created event 1: the event is there, and lists do not have it until it is saved again. */
async function siteWithUnlisted(onSearched: (pass: (path: string) => Promise<unknown>) => unknown = () => {}) {
  const state = { isUnlisted: false, saves: 0 }
  const site = await productionSite({
    intercept: async (request, pass) => {
      const { method, path, query } = request
      if (!state.isUnlisted) return undefined
      if (method === 'GET' && path.endsWith('/events')) {
        const { body: _, ...without } = request
        if (query?.includes('include=1'))
          await onSearched(path => pass({ ...without, method: 'DELETE', path, query: 'force=true' }))
        return pass({ ...request, query: 'include=99' })
      }
      if (method !== 'GET' && path.endsWith('/events/1')) {
        state.saves += 1
        state.isUnlisted = false
      }
      return undefined
    },
  })
  const sheet = site.file(
    'one.csv',
    'title,slug,start_date,end_date,cost\nBall,ball,2027-02-01 10:00,2027-02-01 12:00,5\n',
  )
  expect((await site.calctl(`apply ${sheet} --yes`)).status).toBe(0)
  onlyJournal(site).change(lines => lines.slice(0, 1 + lines.findLastIndex(line => line.startsWith('{"sent"'))))
  state.isUnlisted = true
  const [run = ''] = (await site.calctl('runs list -o ids')).out.split('\n')
  return { ...site, state, resume: () => site.calctl(`runs resume ${run} --yes`) }
}

test('an event that lists do not have, because its create was interrupted, is saved again', async () => {
  const { resume, state, json } = await siteWithUnlisted()
  expect(await resume()).toMatchObject({ status: 0 })
  expect(state.saves).toBe(1)
  expect(await json('events list --all-dates --json')).toMatchObject([{ id: 1, title: 'Ball', cost: '$5' }])
})

test('such an event that is deleted while it is looked for is not made again', async () => {
  const { resume, json } = await siteWithUnlisted(remove => remove('/wp/v2/tribe_events/1'))
  const { err } = await resume()
  expect(err).not.toMatch(/TypeError|bug/i)
  expect(await json('events list --all-dates --json')).toEqual([])
})
