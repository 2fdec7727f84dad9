import { expect, test } from 'vitest'
import type { Response } from '../../src/contract/exchange.ts'
import { dates, productionSite } from '../support/production-site.ts'

const names = ['events', 'venues', 'organizers', 'categories', 'tags'] as const

const lists = ['/events', '/venues', '/organizers', '/categories', '/tags', '/tribe_events']

interface List {
  rows: unknown[]
  total: number
  pages: number
}

/** What a cache or a plugin may do to the answer to a list. */
const falsehoods: Readonly<Record<string, (list: List) => List>> = {
  'no rows': list => ({ ...list, rows: [] }),
  'no rows on one page': list => ({ ...list, rows: [], pages: 1 }),
  'one row less': list => ({ ...list, rows: list.rows.slice(1) }),
  'one row, one page': list => ({ ...list, rows: list.rows.slice(0, 1), pages: 1 }),
  'a higher total': list => ({ ...list, total: list.total + 1 }),
  'a lower total': list => ({ ...list, total: list.total - 1 }),
  'only one page': list => ({ ...list, pages: 1 }),
  'no total': list => ({ ...list, total: 0, pages: 0 }),
}

/** The answer with another list in it; undefined if there is no list in it. */
function falsified({ status, headers, body }: Response, change: (list: List) => List): Response | undefined {
  const value = JSON.parse(Buffer.from(body ?? '').toString() || 'null')
  if (status !== 200 || value === null) return undefined
  if (Array.isArray(value)) {
    const { 'x-wp-total': total, 'x-wp-totalpages': pages } = headers
    if (total === undefined || value.length === 0) return undefined
    const list = change({ rows: value, total: Number(total), pages: Number(pages) })
    return {
      status,
      headers: { ...headers, 'x-wp-total': String(list.total), 'x-wp-totalpages': String(list.pages) },
      body: JSON.stringify(list.rows),
    }
  }
  const name = names.find(name => Array.isArray(value[name]))
  if (name === undefined || value[name].length === 0) return undefined
  const list = change({ rows: value[name], total: value.total, pages: value.total_pages })
  return {
    status,
    headers,
    body: JSON.stringify({ ...value, [name]: list.rows, total: list.total, total_pages: list.pages }),
  }
}

/** A site with more events than one page has, and a switch that falsifies the lists whose path has a text. */
async function fullSite() {
  const asked = new Set<string>()
  let lie: { readonly path: string; change(list: List): List } | undefined
  let creates = 0
  const site = await productionSite({
    async intercept(request, pass) {
      const answer = await pass(request)
      for (const list of lists) if (request.method === 'GET' && request.path.endsWith(list)) asked.add(list)
      if (request.method === 'POST' && answer.status === 201) creates += 1
      return lie && request.method === 'GET' && request.path.endsWith(lie.path) ? falsified(answer, lie.change) : answer
    },
  })
  const rows = Array.from({ length: 53 }, (_, index) => {
    const day = String(1 + (index % 28)).padStart(2, '0')
    const [start_date, end_date] = [`2026-12-${day} 19:00:00`, `2026-12-${day} 21:00:00`]
    const [venue, categories] = [['Sala', 'Plaça'][index % 2], ['Jazz']]
    return { title: `Concert ${index}`, slug: `concert-${index}`, start_date, end_date, venue, categories }
  })
  const sheet = site.file('season.json', JSON.stringify(rows))
  const { status, err } = await site.calctl(`apply ${sheet} --resource events --create-missing --yes`)
  if (status !== 0) throw new Error(err)
  for (const line of [
    'organizers create --organizer Ada',
    'tags create --name Lliure',
    `events create --title Hidden ${dates} --slug hidden --hide-from-listings`,
  ])
    await site.calctl(line)
  const exported = site.file('export.json', (await site.calctl('export --format json')).out)
  return {
    site,
    exported,
    creates: () => creates,
    /** Runs a command line while nothing is falsified; also returns the lists that it asks for. */
    async told(line: string) {
      asked.clear()
      const { status, out, err } = await site.calctl(line)
      expect([line, status, [...asked]], err).toEqual([line, 0, expect.arrayContaining([expect.anything()])])
      return { out, lists: [...asked] }
    },
    /** Runs a command line while lists are falsified. */
    async lied(path: string, change: (list: List) => List, line: string) {
      lie = { path, change }
      try {
        return await site.calctl(line)
      } finally {
        lie = undefined
      }
    },
  }
}

const readers = [
  'events list --all --all-dates -o ids',
  'events list --all-dates --per-page 50 -o ids',
  'events list --limit 60 --all-dates -o ids',
  'events list --page 2 --per-page 50 --all-dates -o ids',
  'events list --all --all-dates -o count',
  'venues list -o ids',
  'organizers list --all -o ids',
  'categories list --all -o ids',
  'tags list --all --no-hide-empty -o ids',
  'export',
  'export events',
  'agenda --month 2026-12',
  'lint events --fail-on error',
  'dedupe venues',
  'events list --where "title ~ Concert" --all-dates -o ids',
]

test('a list that is falsified is never taken for a shorter one', { timeout: 600_000 }, async () => {
  const { lied, told, creates, exported } = await fullSite()
  const lines = [
    ...readers,
    `apply ${exported} --yes`,
    `diff --exit-code ${exported}`,
    `events create --title "Another" ${dates} --venue Sala --categories Jazz --organizer Ada --create-missing --dry-run`,
  ]
  const before = creates()
  const taken: string[] = []
  let lies = 0
  for (const line of lines) {
    const whole = await told(line)
    for (const path of whole.lists)
      for (const [name, change] of Object.entries(falsehoods)) {
        lies += 1
        const { status, out, err } = await lied(path, change, line)
        // A site may cut pages shorter than was asked for, and all that counting asks for is the total.
        const saysSo = /^showing \d+ of/m.test(err) || (line.endsWith('count') && name.endsWith('er total'))
        if (status === 0 && out !== whole.out && !saysSo) taken.push(`${name}, ${path}: ${line}: ${out}`)
      }
  }
  expect(taken).toEqual([])
  expect(creates()).toBe(before)
  expect(lies).toBeGreaterThan(200)
})
