import { expect, test } from 'vitest'
import type { Response } from '../../src/contract/exchange.ts'
import { dates, productionSite } from '../support/production-site.ts'

const names = ['events', 'venues', 'organizers', 'categories', 'tags'] as const

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
  let lie: { readonly path: string; change(list: List): List } | undefined
  let creates = 0
  const site = await productionSite({
    async intercept(request, pass) {
      const answer = await pass(request)
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
  const exported = site.file('export.json', (await site.calctl('export')).out)
  return {
    site,
    exported,
    creates: () => creates,
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
  'undo --dry-run',
  'agenda 2026-12',
  'lint events',
  'dedupe venues',
  'events list --where "title ~ Concert" --all-dates -o ids',
]

const lists = ['/events', '/venues', '/organizers', '/categories', '/tags', '/tribe_events']

for (const [name, change] of Object.entries(falsehoods))
  test(`a list with ${name} is never taken for a shorter one`, { timeout: 120_000 }, async () => {
    const { site, lied, creates, exported } = await fullSite()
    const before = creates()
    const taken: string[] = []
    for (const line of readers) {
      const whole = await site.calctl(line)
      for (const path of lists) {
        const { status, out, err } = await lied(path, change, line)
        // A site may cut pages shorter than was asked for, and all that counting asks for is the total.
        const saysSo = /^showing \d+ of/m.test(err) || (line.endsWith('count') && name.endsWith('er total'))
        if (status === 0 && out !== whole.out && !saysSo) taken.push(`${path}: ${line}`)
      }
    }
    const writers = [
      `apply ${exported} --yes`,
      `diff --exit-code ${exported}`,
      `events create --title "Another" ${dates} --venue Sala --category Jazz --organizer Ada --create-missing --dry-run`,
    ]
    for (const line of writers)
      for (const path of lists) {
        const { status, out } = await lied(path, change, line)
        if (/\bcreate [1-9]|created|"action": ?"create"|^\+ /m.test(out) && !line.startsWith('events'))
          taken.push(`${path}: ${line}: ${status} ${out}`)
        if (line.startsWith('events') && /venues|organizers|categories/.test(out))
          taken.push(`${path}: ${line}: ${out}`)
      }
    expect(taken).toEqual([])
    expect(creates()).toBe(before)
  })
