import { Failure } from '../../../base/failure.ts'
import { counted } from '../../../base/text/words.ts'
import { wallAt } from '../../../base/time/zone.ts'
import type { Step } from '../../../changes/plan/plan.ts'
import { type JournaledRun, readJournal } from '../../../changes/run/journal-reader.ts'
import { type RelatedRun, readRelatedRuns } from '../../../changes/run/undo-relations.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { ResourceName } from '../../../contract/field.ts'
import type { App } from '../../app.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { historyShape } from '../shared/output-forms.ts'
import { isForPeople, runState, runSummary, stepText, withinLimit } from './show-runs.ts'

/** A record whose history is asked for. An ID without a resource may be that of an event and of a tag. */
export interface HistoryOf {
  readonly resource?: ResourceName | undefined
  /** An ID or a slug. */
  readonly ref: string
}

/** Prints what calctl wrote to this calendar, the latest first: a line for every run, or for every write of one record. */
export async function showHistory(app: App, limit?: number, of?: HistoryOf): Promise<void> {
  const { calendar } = await app.client({ toPlan: true })
  const all = [...readRelatedRuns(runsFolder(app.world))]
  const own = all.filter(({ header }) => header.plan.calendar.id === calendar.id)
  const others = all.length - own.length
  const runs = (of ? own : await withinLimit(app, own, limit)).map(run => ({ run, journal: readJournal(run.file) }))
  const lines = of ? await withinLimit(app, recordLines(runs, of), limit) : runs.map(runLine)
  if (of && lines.length === 0) throw nothingWritten(of)
  await app.print(
    historyShape,
    lines.map(({ run, journal, ...line }) => ({
      run: run.run,
      when: wallAt(Date.parse(run.header.started), app.world.timeZone()).slice(0, 16),
      command: run.header.command ?? null,
      ...line,
    })),
  )
  if (!of && runs.length === 0 && isForPeople(app)) await app.notice('nothing was written to this calendar yet')
  if (!of && others > 0) await app.notice(`${counted(others, 'run')} of other calendars: see calctl runs list`)
}

interface HistoryLine {
  readonly run: RelatedRun
  readonly journal: JournaledRun
  readonly state: string
  readonly what: string
}

const runLine = ({ run, journal }: Pick<HistoryLine, 'run' | 'journal'>): HistoryLine => ({
  run,
  journal,
  state: runState(journal, run.undoneBy),
  what: runSummary(journal),
})

/** The writes of a record. Its slug may have changed, so a slug is looked up first. */
function recordLines(runs: readonly Pick<HistoryLine, 'run' | 'journal'>[], of: HistoryOf): HistoryLine[] {
  const isId = /^\d+$/.test(of.ref)
  const keys = new Set<string>()
  const writes: (Omit<HistoryLine, 'what'> & { written: readonly string[]; step: Step })[] = []
  for (const { run, journal } of runs)
    for (const step of [...journal.plan.steps].toReversed()) {
      if (of.resource && step.resource !== of.resource) continue
      const { id = step.id, state = 'not sent', takenBack } = journal.results.get(step.key) ?? {}
      const ids = [id, takenBack].filter(one => one !== undefined)
      const slugs = [step.before?.slug, step.values.slug, journal.valuesAfter(step.key).slug]
      // A create that was not sent has no ID.
      const written = ids.length > 0 ? ids.map(one => `${step.resource} ${one}`) : [`${run.run} ${step.key}`]
      if (isId ? ids.map(String).includes(of.ref) : slugs.includes(of.ref)) for (const key of written) keys.add(key)
      const isUndone = state === 'done' && run.undoneBy.length > 0
      writes.push({ written, step, run, journal, state: isUndone ? 'undone' : state })
    }
  return writes
    .filter(({ written }) => written.some(key => keys.has(key)))
    .map(({ run, journal, state, step }) => ({ run, journal, state, what: stepText(journal, step) }))
}

const nothingWritten = ({ resource, ref }: HistoryOf) =>
  new Failure(
    'missing',
    `calctl wrote nothing to ${resource ? `${resourceNamed(resource).singular} ` : ''}${ref} in this calendar`,
    {
      hint: 'see what it wrote with: calctl history; journals of finished runs are kept for 90 days',
    },
  )
