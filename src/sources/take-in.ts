import { ignoreFailure } from '../base/attempt.ts'
import { statOf } from '../base/fs.ts'
import { allSignsOf } from '../changes/plan/identity.ts'
import type { SourceWord } from '../changes/plan/plan.ts'
import { isRemoval, survivorOf } from '../changes/plan/steps.ts'
import { type JournaledRun, readHeader, readJournal } from '../changes/run/journal-reader.ts'
import { listRuns, type RunFile } from '../changes/run/runs-folder.ts'
import type { Values } from '../client/client.ts'
import type { ResourceName } from '../contract/field.ts'
import type { Remembered, SourceMemory } from './memory.ts'

/**
 * What journals add to the memory: the memory after a run is the memory before it and the journal of that run. So a run that was killed
 * loses nothing, and neither does one that is resumed later. Undone runs and merges are followed in the same way.
 */
export function takeInJournals(memory: SourceMemory, runs: string | undefined): void {
  if (runs === undefined) return
  const files = listRuns(runs)
  let latest = memory.taken
  for (const file of files.toReversed()) {
    const changed = statOf(file.file)?.mtimeMs ?? 0
    if (changed <= memory.taken) continue
    latest = Math.max(latest, changed)
    takeIn(memory, file, files)
  }
  memory.taken = latest
}

function takeIn(memory: SourceMemory, file: RunFile, files: readonly RunFile[]): void {
  const header = readHeader(file.file)
  if (!header || !memory.calendar.startsWith(`${header.plan.calendar.id} `)) return
  try {
    if (header.plan.memory === memory.file) takeWords(memory, readJournal(file.file), file.order)
    else if (header.undoes === undefined) followMerges(memory, readJournal(file.file))
    else if (isOfMemory(memory, header.undoes, files)) markUndone(memory, readJournal(file.file), header.command)
  } catch (error) {
    // A journal that cannot be read is reported by the commands that show runs.
    ignoreFailure(error)
  }
}

/** Whether a run, or the run that it undoes, wrote what sources said. */
function isOfMemory(memory: SourceMemory, run: string, files: readonly RunFile[]): boolean {
  const file = files.find(other => other.run === run)
  const header = file && readHeader(file.file)
  if (header?.undoes !== undefined && header.undoes !== run) return isOfMemory(memory, header.undoes, files)
  return header?.plan.memory === memory.file
}

/** Takes in what the sources had said where the steps were done. */
function takeWords(memory: SourceMemory, run: JournaledRun, order: string): void {
  for (const step of run.plan.steps) {
    const { state, id } = run.results.get(step.key) ?? {}
    if (state !== 'done' || id === undefined) continue
    const isWritten = ([name]: [string, unknown]) => step.action === 'create' || name in step.values
    // What a restored record has beside that may be an editor's.
    const after = Object.fromEntries(Object.entries(run.valuesAfter(step.key)).filter(isWritten))
    const written = { resource: step.resource, id, after }
    const how = { run: order, ...(isRemoval(step) && { mark: 'trashed' as const }) }
    for (const word of step.words ?? []) takeWord(memory, word, written, how)
  }
}

function takeWord(
  memory: SourceMemory,
  word: SourceWord,
  written: Written,
  how: Pick<Remembered, 'run' | 'mark'>,
): void {
  const { source, key, was = key } = word
  const event = memory.get(source, key) ?? memory.get(source, was)
  // A later run may have written it meanwhile.
  if (event?.run !== undefined && event.run >= (how.run ?? '')) return
  if (event && event.key !== key) memory.remove(event)
  memory.put({ ...afterWord(event, word, written), ...how })
}

interface Written {
  readonly resource: ResourceName
  readonly id: number
  /** The fields of the record that were written, as they are now. */
  readonly after: Values
}

/** An event once its word has been taken. */
function afterWord(event: Remembered | undefined, word: SourceWord, { resource, id, after }: Written): Remembered {
  const { mark: _, perhaps: __, ...kept } = event ?? { left: {} }
  const left = { ...kept.left, ...after }
  const { source, key, said, when } = word
  return {
    ...kept,
    source,
    key,
    said,
    when,
    left,
    record: { resource, id, signs: { ...event?.record?.signs, ...allSignsOf(resource, left) } },
  }
}

/** Marks the events of an undone run, so that the next run does not do the same again. A redo gives back what they were. */
function markUndone(memory: SourceMemory, run: JournaledRun, command: string | undefined): void {
  const { plan, results } = run
  for (const step of plan.steps) {
    const { resource } = step
    const { state, id } = results.get(step.key) ?? {}
    const again = isRemoval(step) && { mark: 'trashed' as const }
    if (state !== 'done' || id === undefined) continue
    for (const event of memory.byRecord({ resource, id })) {
      const { mark: _, record, ...others } = event
      // The record is recognized by what the undo left.
      const signs = { ...record?.signs, ...allSignsOf(resource, run.valuesAfter(step.key)) }
      const unmarked = { ...others, ...(record && { record: { ...record, signs } }) }
      memory.put(command === 'redo' ? { ...unmarked, ...again } : { ...unmarked, mark: 'undone' })
    }
  }
}

/** Follows records that were merged into others. */
function followMerges(memory: SourceMemory, { plan, results }: JournaledRun): void {
  for (const step of plan.steps) {
    const survivor = survivorOf(step)
    if (survivor === undefined || step.id === undefined || results.get(step.key)?.state !== 'done') continue
    for (const event of memory.byRecord({ resource: step.resource, id: step.id }))
      if (event.record) memory.put({ ...event, record: { ...event.record, id: survivor } })
  }
}
