import { expect, test } from 'vitest'
import { stepLines, summaryLines } from '../../src/changes/plan/describe.ts'
import type { Plan } from '../../src/changes/plan/plan.ts'
import type { JournalHeader } from '../../src/changes/run/journal-format.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const season = `slug,title,start_date,end_date,venue,organizer,tags,categories,status
jazz,Jazz,2026-12-05 19:00,2026-12-05 21:00,Sala,"Colla, Orfeó","Open air, Swing",Música,publish
opera,Opera,2026-12-06 19:00,2026-12-06 21:00,Sala,Colla,Open air,Música,draft
teatre,Teatre,2026-12-07 19:00,2026-12-07 21:00,Teatre,,,,publish
`

const edited = `slug,title,start_date,end_date,venue,tags,action
jazz,Jazz a la plaça,2026-12-05 19:00,2026-12-05 21:00,Plaça,@clear,
opera,,,,,,trash
dansa,Dansa,2026-12-08 19:00,2026-12-08 21:00,Plaça,"Swing, Ball",
`

const several = `{"resource":"categories","name":"Jazz","parent":"musica"}
{"resource":"categories","name":"Música","slug":"musica"}
{"resource":"events","title":"Gala","start_date":"2026-12-04 19:00","end_date":"2026-12-04 21:00","venue":"sala","categories":["Jazz"]}
{"resource":"venues","venue":"Sala","slug":"sala","city":"Girona"}
{"resource":"tags","name":"Swing","action":"trash"}
`

/** The plan in a journal. */
function planIn([first = '', ...lines]: readonly string[]): Plan {
  const { plan }: JournalHeader = JSON.parse(first)
  const steps = lines.map(line => JSON.parse(line)).flatMap(({ step }) => step ?? [])
  return { ...plan, steps, invalid: [] }
}

const linesOf = (plan: Plan): string => [...stepLines(plan), ...summaryLines(plan)].join('\n')

/** The plan of a dry run, and the plan that the same command then executes. */
async function compareDryRun({ calctl, journals }: ReturnType<typeof calendarWithFiles>, command: string) {
  const { out } = await calctl(`${command} --dry-run --json`)
  expect((await calctl(`${command} --yes`)).status).toBe(0)
  return { shown: linesOf(JSON.parse(out)), done: linesOf(planIn(journals().at(-1) ?? [])) }
}

test.each(['', '--shard 1/3', '--shard 2/3', '--shard 3/3', '--prune --max-trash 9'])(
  'a dry run shows the steps of the real run, with %s',
  async flags => {
    const shelved = calendarWithFiles()
    const files = [season, edited].map((text, index) => shelved.file(`${index}.csv`, text))
    for (const file of [...files, shelved.file('several.ndjson', several)]) {
      const { shown, done } = await compareDryRun(shelved, `apply ${file} --create-missing ${flags}`)
      expect(shown).toBe(done)
    }
  },
)

test('the dry run of an undo shows the steps of the real undo', async () => {
  const shelved = calendarWithFiles()
  const { calctl, file } = shelved
  await calctl(`apply ${file('season.csv', season)} --create-missing --yes --jobs 1`)
  await calctl(`apply ${file('edited.csv', edited)} --create-missing --yes --jobs 1`)
  await calctl('events delete 1 --yes')
  await calctl('events update dansa --title Ball')
  for (const run of ['7hk', 'q3u']) {
    const { shown, done } = await compareDryRun(shelved, `runs undo ${run}`)
    expect(shown).toBe(done)
  }
})

test('a plan as NDJSON has one step per line', async () => {
  const { calctl, file } = calendarWithFiles()
  const { out } = await calctl(`apply ${file('season.csv', season)} --create-missing --dry-run --json`)
  const lines = out.trimEnd().split('\n')
  const steps = lines.slice(1, -1).map(line => JSON.parse(line.replace(/,$/, '')))
  expect(JSON.parse(out)).toMatchObject({ calctl: 1, steps, same: 0, invalid: [] })
  expect(steps).toHaveLength(10)
})

test('the dry run of an update of two records prints one JSON document', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl(`apply ${file('season.csv', season)} --create-missing --yes`)
  const { out } = await calctl('tags update 1 2 --description New --dry-run --json')
  expect(JSON.parse(out)).toMatchObject([{ method: 'POST' }, { method: 'POST' }])
})

test('a dry run quotes texts and addresses, and no words of a list', async () => {
  const { calctl } = calendarWithFiles()
  await calctl('events create --title Jazz --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"')
  const { out, err } = await calctl('events update 1 --website https://example.org/ --cost 5 --status draft --dry-run')
  expect(out + err).toContain('website (none) → "https://example.org/"')
  expect(out + err).toContain('cost (none) → "5"')
  expect(out + err).toContain('status publish → draft')
})
