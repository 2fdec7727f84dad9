import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { damages, mixedRows, newRows, seededRandom, seedSite, siteWithJournals } from '../soak/damaged-journals.ts'
import { hostileJson } from '../soak/hostile-values.ts'
import { told } from '../soak/told.ts'
import { sealedJournal, unsealedLines } from '../support/sealed-journal.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-hostile-journals-'))
afterAll(() => rmSync(folder, { recursive: true }))

const isSoak = process.env.SOAK_ROUNDS !== undefined

/** Each stands in the place of each part of a journal. */
const values: Readonly<Record<string, string>> = {
  nothing: 'null',
  'an object': '{}',
  'a list': '[null]',
  ...(isSoak && {
    'a negative number': '-1',
    'a text': '"x"',
    'a list of objects': '[{}]',
    'an enormous number': '1e308',
    'a reference': '{"$ref":"nothing"}',
    'an upload': '{"$upload":null}',
    ...hostileJson,
  }),
}

const events = [
  { resource: 'tags', name: 'Jazz' },
  { resource: 'events', title: 'Ball', start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00', tags: ['Jazz'] },
]

/** The places in a line: the parts of records and of their values are checked where they are read. */
function* placesIn(value: unknown, at: readonly string[] = []): Generator<readonly string[]> {
  if (at.length > 0) yield at
  if (typeof value !== 'object' || value === null || at.length > (isSoak ? 3 : 1)) return
  for (const [name, inner] of Object.entries(value)) yield* placesIn(inner, [...at, name])
}

function withValueAt(line: string, [name = '', ...inner]: readonly string[], json: string): string {
  const record: Record<string, unknown> = JSON.parse(line)
  const text = inner.length === 0 ? json : withValueAt(JSON.stringify(record[name]), inner, json)
  return JSON.stringify({ ...record, [name]: '\u0001' }).replace('"\\u0001"', () => text)
}

test('journals whose lines have anything in the place of a value get sentences', { timeout: 1_200_000 }, async () => {
  const { calctl } = siteWithJournals(folder)
  await calctl('apply - --format ndjson --yes', events.map(event => JSON.stringify(event)).join('\n'))
  await calctl('events update 2 --cost 9 --password secret')
  await calctl('tags delete 1 --yes')
  await calctl('undo --yes')
  const runs = join(folder, 'calctl/runs')
  const bugs: string[] = []
  const seen = new Set<string>()
  let tried = 0
  for (const name of readdirSync(runs)) {
    const file = join(runs, name)
    const original = readFileSync(file, 'utf8')
    const run = /-(\w+)\.ndjson$/.exec(name)?.[1]
    const lines = unsealedLines(original)
    for (const [index, line] of lines.entries())
      for (const place of placesIn(JSON.parse(line))) {
        const kind = `${index === 0} ${place} ${Object.keys(JSON.parse(line))[0]}`
        if (seen.has(kind)) continue
        seen.add(kind)
        for (const [value, json] of Object.entries(values)) {
          writeFileSync(
            file,
            sealedJournal(lines.map((text, at) => (at === index ? withValueAt(line, place, json) : text))),
          )
          for (const command of [
            'history',
            'events history 2',
            'runs list',
            `runs show ${run}`,
            `undo ${run} --dry-run`,
          ]) {
            tried += 1
            const outcome = await calctl(command).catch((error: Error) => ({ status: -1, err: error.stack ?? '' }))
            const isOdd = !told.includes(outcome.status) || / undefined\b/.test(outcome.err)
            if (isOdd) bugs.push(`${place}, ${value}: ${command}: ${outcome.err.slice(0, 300)}`)
          }
        }
      }
    writeFileSync(file, original)
  }
  expect(bugs).toEqual([])
  expect(tried).toBeGreaterThan(500)
})

const rounds = isSoak ? 100 : 10
/** Those for which the run is executed anew. */
const fewRounds = isSoak ? 50 : 3
const tenth = isSoak ? 10 : 2
const timeout = isSoak ? 1_200_000 : 60_000

/** A site with the records that the runs change. */
async function seeded() {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-damaged-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const site = siteWithJournals(folder)
  await seedSite(site, tenth)
  const before = await site.state()
  site.setJournals({})
  return { ...site, before }
}

const onlyJournal = (site: Pick<Awaited<ReturnType<typeof seeded>>, 'journals'>) => {
  const [[name, text] = ['', '']] = Object.entries(site.journals())
  return { name, text }
}

/** A site after a run that is done, with the journal of that run alone. */
async function siteAfter(line: string, rows: string) {
  const site = await seeded()
  expect(await site.calctl(line, rows)).toMatchObject({ status: 0 })
  return { ...site, ...onlyJournal(site) }
}

const runs = [
  ['apply - --format ndjson --yes --max-trash 100', mixedRows(tenth)],
  ['events create --from - --yes', newRows(6 * tenth)],
] as const

for (const [line, rows] of runs) {
  test(`resuming from a damaged journal writes nothing twice, or is refused: ${line}`, { timeout }, async () => {
    const { calctl, state, setJournals, name, text } = await siteAfter(line, rows)
    const planned = await state()
    const statuses = new Map<number, number>()
    for (const { what, text: damaged } of damages(text, rounds, seededRandom(rounds))) {
      setJournals({ [name]: damaged })
      const { status, err } = await calctl('runs resume')
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      expect([what, status, err]).toEqual([what, expect.toBeOneOf([0, 3, 7]), expect.any(String)])
      if (status !== 0) expect([what, err]).toEqual([what, expect.stringContaining('hint: ')])
      expect([what, await state()]).toEqual([what, planned])
    }
    if (isSoak) console.log(`${rounds} damaged journals of ${line}: by status ${JSON.stringify([...statuses])}`)
  })
}

test('a run that was killed is finished from its damaged journal, or that is refused', { timeout }, async () => {
  const [line, rows] = runs[0]
  const planned = await (await siteAfter(line, rows)).state()
  const random = seededRandom(3)
  for (let round = 0; round < fewRounds; round++) {
    const { calctl, killed, journals, setJournals, state } = await seeded()
    await killed(line, rows, Math.floor(random() * 10 * tenth))
    const { name, text } = onlyJournal({ journals })
    const stopped = await state()
    for (const { what, text: damaged } of damages(text, 1, random, round)) {
      setJournals({ [name]: damaged })
      const { status, err } = await calctl('runs resume')
      expect([what, status, err]).toEqual([what, expect.toBeOneOf([0, 3]), expect.any(String)])
      expect([what, await state()]).toEqual([what, status === 0 ? planned : stopped])
    }
  }
})

test('undoing a run from its damaged journal takes back all of it, or says what it keeps', { timeout }, async () => {
  const [line, rows] = runs[0]
  const random = seededRandom(7)
  const first = await siteAfter(line, rows)
  for (const { what, text: damaged } of damages(first.text, fewRounds, random)) {
    const { calctl, state, setJournals, before, name } = await siteAfter(line, rows)
    setJournals({ [name]: damaged })
    const { status, err } = await calctl('undo --yes')
    expect([what, status, err]).toEqual([what, expect.toBeOneOf([0, 3, 4, 7]), expect.any(String)])
    if (status === 0 && !/kept|cannot|ignored|without its records/.test(err))
      expect([what, await state()]).toEqual([what, before])
  }
})
