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
