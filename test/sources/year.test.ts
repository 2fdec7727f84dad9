import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seededRandom } from '../soak/damaged-journals.ts'
import { calendar } from '../support/calendar.ts'
import { newUser } from './feed-server.ts'
import { type TownEvent, Year, type YearSize } from './year.ts'

const isLong = process.env.SOAK_ROUNDS !== undefined
const size: YearSize = isLong
  ? { sources: 40, eventsPerSource: 12, days: 365 }
  : { sources: 3, eventsPerSource: 10, days: 15 }

/** A folder with the sources of a year. */
async function townOf(year: Year) {
  const cwd = mkdtempSync(join(tmpdir(), 'year-'))
  const seen: string[] = []
  const calctl = calendar({ cwd, env: newUser(), seen, now: () => year.now })
  const names = Array.from({ length: year.size.sources }, (_, source) => `source-${source}`)
  const yaml = names.map(name => `  - name: ${name}\n    place: ${name}.ics\n    vanished: trash\n`)
  writeFileSync(join(cwd, 'sources.yaml'), `sources:\n${yaml.join('')}`)
  await calctl('trust')
  return {
    calctl,
    /** `isKilled`: as if the process had been killed after its last write, before the memory was saved. */
    async apply(isKilled: boolean) {
      const memory = join(cwd, 'sources.memory.ndjson')
      const before = existsSync(memory) ? readFileSync(memory) : undefined
      for (const [source, name] of names.entries()) writeFileSync(join(cwd, `${name}.ics`), year.feedOf(source))
      seen.length = 0
      const outcome = await calctl('sources apply --yes -q --max-trash 1000')
      const writes = seen.filter(line => /^(POST|PUT|PATCH|DELETE) .*\/v1\/events\b/.test(line)).length
      if (isKilled && before) writeFileSync(memory, before)
      return { ...outcome, writes }
    },
    async events() {
      const { out } = await calctl('events list --all --all-dates --fields id,title,description,start_date --json')
      return JSON.parse(out) as { id: number; title: string; description: string; start_date: string }[]
    },
  }
}

const expected = ({ site }: TownEvent) => ({ ...site })

test.each(isLong ? [1, 2, 3] : [1])(
  'a year of sources and editors, with seed %i',
  { timeout: isLong ? 3_600_000 : 120_000 },
  async seed => {
    const year = new Year(size, seededRandom(seed))
    const { calctl, apply, events } = await townOf(year)
    for (let day = 0; day < size.days; day++) {
      const { writes, conflicts } = year.run()
      const isKilled = conflicts === 0 && day % 3 === 0 && year.events.every(({ absent }) => absent === 0)
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
      for (const { one, texts: changed } of year.edits()) {
        const record = all.find(
          ({ start_date, title, description }) =>
            start_date === one.site?.start_date && (title === one.site.title || description === one.site.description),
        )
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
