import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { damages, mixedRows, newRows, seededRandom, seedSite, siteWithJournals } from '../soak/damaged-journals.ts'

const isSoak = process.env.SOAK_ROUNDS !== undefined
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
