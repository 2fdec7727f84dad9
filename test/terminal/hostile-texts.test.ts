import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { dangerousIn, hostileTexts } from '../soak/hostile-texts.ts'
import { told } from '../soak/told.ts'
import { calendar } from '../support/calendar.ts'
import { worldOf } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-hostile-texts-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** `npm run soak` tries each attack in each place; otherwise each attack and each place has its turn. */
const isSoak = process.env.SOAK_ROUNDS !== undefined

const texts = [...hostileTexts.values()].filter((_, index) => isSoak || index % 9 === 0)
const date = '2026-12-05 19:00:00'
const kept = { start_date: date, end_date: date, timezone: 'Europe/Madrid', status: 'publish' }

/** Fields of each kind, with a text in all of them: those that calctl computes with come last. */
const fieldsWith = (text: string) => ({
  title: text,
  description: text,
  slug: text,
  url: text,
  website: text,
  cost: text,
  venue: { id: 7, venue: text, city: text, url: text },
  organizer: [{ id: 8, organizer: text, email: text }],
  tags: [{ id: 9, name: text, slug: text }],
  categories: [{ id: 10, name: text, slug: text }],
  image: { id: 11, url: text },
  [text]: text,
  start_date: text,
  end_date: text,
  timezone: text,
  status: text,
})

/** A site of which each event has one hostile text in all its fields. */
const siteWith =
  (more: object) =>
  async (request: Request): Promise<Response> => {
    const events = texts.map((text, index) => ({ ...fieldsWith(text), ...more, id: index + 1 }))
    const [, id] = /\/events\/(\d+)$/.exec(request.path) ?? []
    const answer = id ? events[Number(id) - 1] : { events, total: events.length, total_pages: 1 }
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) }
  }

const env = { XDG_STATE_HOME: folder, NO_COLOR: '1' }

/** Runs a command on a terminal, and expects that nothing reaches it that it obeys. */
async function expectHarmless(run: ReturnType<typeof worldOf>, words: readonly string[]): Promise<void> {
  const { status, out, err } = await run(words)
  const messages = err.replaceAll('\r\u001b[K', '')
  expect({ words, out: dangerousIn(out), err: dangerousIn(messages) }).toEqual({ words, out: [], err: [] })
  expect(told).toContain(status)
}

test(`${texts.length} hostile texts in every field of a site are harmless in every form`, async () => {
  for (const more of [kept, {}]) {
    const run = worldOf({ transport: siteWith(more), cwd: folder, env, terminal: 100 })
    const list = ['events', 'list', '--all-dates', '--retries', '0']
    for (const form of ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ics', 'ids'])
      await expectHarmless(run, [...list, '-o', form])
    await expectHarmless(run, [...list, '--fields', 'title,venue.city,tags,cost,start_date,website', '--no-hide-empty'])
    for (const index of texts.keys()) await expectHarmless(run, ['events', 'get', String(index + 1)])
    for (const words of ['agenda --month 2026-12', 'month 2026-12', 'month 2026-12 --html -'])
      await expectHarmless(run, words.split(' '))
    await expectHarmless(run, ['export', 'events', '-o', 'csv'])
  }
})

test(`${texts.length} hostile texts are harmless as arguments, and in the messages about them`, async () => {
  const run = calendar({ env, terminal: 100 })
  // No argument of a process has a zero in it.
  for (const text of texts.map(one => one.replaceAll('\0', '')))
    for (const words of [
      ['tags', 'create', '--name', text],
      ['events', 'create', '--title', text, '--start-date', text, '--end-date', text],
      ['tags', 'get', `x${text}`],
      ['tags', 'list', '--fields', `x${text}`],
      [`x${text}`],
      ['diff', '--exit-code', `x${text}`],
      ['tags', 'list', `--x${text}`],
      ['tags', 'create', '--data', JSON.stringify({ name: 'Jazz', [`x${text}`]: text })],
    ])
      await expectHarmless(run, words)
  for (const form of ['table', 'json', 'yaml', 'csv']) await expectHarmless(run, ['tags', 'list', '-o', form])
})

const cell = (text: string) => `"${text.replaceAll('"', '""').replaceAll('\0', '')}"`
const files: Readonly<Record<string, string>> = {
  'names.csv': `resource,name,description\n${texts.map(text => `tags,${cell(text)},${cell(text)}\n`).join('')}`,
  'events.csv': `title,start_date,end_date,venue,cost,x\n${texts.map(text => `${[text, date, date, text, text, text].map(cell)}\n`).join('')}`,
  'dates.csv': `title,start_date,end_date\n${texts.map(text => `Concert,${cell(text)},${cell(text)}\n`).join('')}`,
  'headings.csv': `title,${texts.map(cell).join(',')}\nConcert\n`,
  'names.json': JSON.stringify(texts.map(text => ({ resource: 'tags', name: text, description: text }))),
  'keys.json': JSON.stringify(texts.map(text => ({ resource: 'tags', name: 'Jazz', [text]: text }))),
  'kinds.ndjson': texts.map(text => `${JSON.stringify({ resource: text, name: text, action: text })}\n`).join(''),
}

test.each(Object.entries(files))(
  'hostile texts in %s are harmless when it is compared and applied',
  async (name, text) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    const run = calendar({ env, terminal: 100 })
    for (const words of [
      ['diff', '--exit-code', file, '--no-input'],
      ['diff', '--exit-code', file, '--no-input', '--json'],
      ['apply', file, '--yes', '--skip-invalid', '--create-missing'],
      ['runs', 'show'],
      ['history'],
      ['undo', '--yes'],
    ])
      await expectHarmless(run, words)
  },
)
