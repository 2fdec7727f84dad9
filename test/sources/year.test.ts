import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seededRandom } from '../soak/damaged-journals.ts'
import { calendar } from '../support/calendar.ts'
import { newUser } from './feed-server.ts'
import { fields, type TownEvent, Year, type YearSize } from './year.ts'

const isLong = process.env.SOAK_ROUNDS !== undefined
const [sources = 3, eventsPerSource = 10, days = 15] = isLong
  ? (process.env.YEAR_SIZE ?? '40x12x365').split('x').map(Number)
  : []
const size: YearSize = { sources, eventsPerSource, days }
const seeds = isLong ? (process.env.YEAR_SEEDS ?? '1,2,3').split(',').map(Number) : [1]

const isWrite = (line: string): boolean => /^(POST|PUT|PATCH|DELETE) .*\/v1\/events\b/.test(line)

/** A folder with the sources of a year. */
async function townOf(year: Year) {
  const cwd = mkdtempSync(join(tmpdir(), 'year-'))
  const memory = join(cwd, 'sources.memory.ndjson')
  const seen: string[] = []
  let atLastWrite: Buffer | undefined
  seen.push = line => {
    if (isWrite(line)) atLastWrite = existsSync(memory) ? readFileSync(memory) : undefined
    seen[seen.length] = line
    return seen.length
  }
  const calctl = calendar({ cwd, env: newUser(), seen, now: () => year.now })
  const names = Array.from({ length: year.size.sources }, (_, source) => `source-${source}`)
  const yaml = names.map(name => `  - name: ${name}\n    place: ${name}.ics\n    vanished: trash\n`)
  writeFileSync(join(cwd, 'sources.yaml'), `sources:\n${yaml.join('')}`)
  await calctl('trust')
  /** All that the calendar shows. */
  const state = async () =>
    (await calctl('events list --all --all-dates -o ndjson')).out
      .split('\n')
      .map(line => line.replace(/"(?:modified|modified_utc)":"[^"]*",?/g, ''))
      .toSorted()
  return {
    calctl,
    /** `isKilled`: as if the process had been killed after its last write, before it saved what came of it. */
    async apply(isKilled: boolean) {
      for (const [source, name] of names.entries()) writeFileSync(join(cwd, `${name}.ics`), year.feedOf(source))
      seen.length = 0
      atLastWrite = undefined
      const outcome = await calctl('sources apply --yes -q --max-trash 1000')
      const writes = seen.filter(isWrite).length
      if (isKilled && atLastWrite) writeFileSync(memory, atLastWrite)
      return { ...outcome, writes }
    },
    /** Undoes the last run: the site has what it had, the events of the run are marked, and the next run does nothing. */
    async tryUndo(before: readonly string[], where: string) {
      const after = await state()
      expect((await calctl('undo --yes')).status, where).toBe(0)
      expect(await state(), where).toEqual(before)
      expect(await calctl('sources apply --yes -q --max-trash 1000'), where).toEqual({ status: 0, out: '', err: '' })
      expect(await state(), where).toEqual(before)
      expect((await calctl('sources review --json')).out, where).toContain('"undone"')
      expect((await calctl('redo --yes')).status, where).toBe(0)
      expect(await state(), where).toEqual(after)
      expect((await calctl('sources review --json')).out, where).not.toContain('"undone"')
    },
    state,
    async events() {
      const { out } = await calctl('events list --all --all-dates --fields id,title,description,start_date --json')
      return JSON.parse(out) as { id: number; title: string; description: string; start_date: string }[]
    },
  }
}

const expected = ({ site }: TownEvent) => ({ ...site })

/** What `why` must say of an event. */
function reasonsFor({ heard, waiting, site, taken }: TownEvent) {
  const [first = -1] = [...heard.keys()].toSorted((one, other) => one - other)
  return fields.map(field => {
    const edited = site?.[field] === taken?.[field] ? 'source' : 'edited'
    const state = waiting[field] === undefined ? edited : 'conflict'
    return { field, source: `source-${first}`, ...heard.get(first)?.[field], site: site?.[field], state }
  })
}

const byField = (one: { field: string }, other: { field: string }) => one.field.localeCompare(other.field)

test.each(seeds)(
  'a year of sources and editors, with seed %i',
  { timeout: isLong ? 3_600_000 : 120_000 },
  async seed => {
    const year = new Year(size, seededRandom(seed))
    const { calctl, apply, events, state, tryUndo } = await townOf(year)
    const others = seededRandom(seed + 1000)
    for (let day = 0; day < size.days; day++) {
      const { writes, conflicts } = year.run()
      // What is missing counts once a run.
      const isQuiet = conflicts === 0 && year.events.every(({ absent, state }) => absent === 0 || state !== 'live')
      const isKilled = isQuiet && day % 3 === 0
      const isUndone = !isKilled && isQuiet && writes > 0 && others() < 0.2
      const before = isUndone ? await state() : []
      const outcome = await apply(isKilled)
      const where = `day ${day}: ${outcome.err}`
      const hasFailed = Array.from({ length: size.sources }, (_, source) => source).some(
        source => !year.isReadable(source),
      )
      if (!hasFailed) expect(outcome.status, where).toBe(conflicts > 0 ? 7 : 0)
      const live = year.events.filter(({ state }) => state === 'live')
      const all = await events()
      const texts = all.map(({ id: _, ...one }) => JSON.stringify(one)).toSorted()
      expect(texts, where).toEqual(live.map(one => JSON.stringify(expected(one))).toSorted())
      expect(outcome.writes, where).toBe(writes)
      const recordOf = ({ site }: TownEvent) => all.find(record => fields.every(name => record[name] === site?.[name]))
      const asked = live[Math.floor(others() * live.length)]
      if (asked) {
        const { out } = await calctl(`sources why ${recordOf(asked)?.id} --json`)
        const reasons = (JSON.parse(out) as { field: string }[]).filter(({ field }) => field in asked.now)
        expect(reasons.toSorted(byField), where).toEqual(reasonsFor(asked).toSorted(byField))
      }
      if (isUndone && !hasFailed) await tryUndo(before, where)
      for (const { one, texts: changed, before: earlier } of year.edits()) {
        const record = recordOf({ ...one, site: earlier })
        expect(record, where).toBeDefined()
        await (changed ? calctl.ask(`POST /events/${record?.id}`, changed) : calctl.ask(`DELETE /events/${record?.id}`))
      }
      year.next()
    }
    const { out } = await calctl('sources review --json')
    const conflicts = (JSON.parse(out) as { state: string; said: string }[]).filter(({ state }) => state === 'conflict')
    const waiting = year.events.filter(({ state }) => state === 'live').flatMap(one => Object.values(one.waiting))
    expect(conflicts.map(({ said }) => said).toSorted()).toEqual(waiting.toSorted())
  },
)
