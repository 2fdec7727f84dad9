import type { FileRecord } from '../files/records/file-record.ts'
import type { SourceMemory, SourceState } from './memory.ts'
import type { SourceReading } from './read-source.ts'
import type { Source, Validators } from './source.ts'
import { isUnchanged, keyOfRecord, saidBy } from './word.ts'

/** A source, and what reading it gave. */
export interface ReadSource {
  readonly source: Source
  readonly reading: SourceReading
}

/** By what the reader knows that nothing is new; undefined if something of the source waits, so that it is read in any case. */
export function validatorsOf(memory: SourceMemory, name: string): Validators | undefined {
  for (const { source, waiting, perhaps, mark, absent, said } of memory.all()) {
    const isOpen = waiting ?? perhaps ?? (mark === 'wanted' || absent || Object.keys(said).length === 0)
    if (source === name && isOpen) return undefined
  }
  return memory.state(name).validators
}

/** The run that wrote last, in the order of runs. */
export const lastRun = (memory: SourceMemory): string =>
  [...memory.all()].reduce((latest, { run = '' }) => (run > latest ? run : latest), '')

interface Since {
  readonly memory: SourceMemory
  /** The last run before this one. */
  readonly before: string
  readonly now: Date
}

/** What is known of a source after a run. */
export function stateAfter({ source, reading }: ReadSource, { memory, before, now }: Since): SourceState {
  const { failure: earlier, ...state } = memory.state(source.name)
  if (reading.state === 'failed') {
    const { kind, message } = reading.failure
    return { ...state, failure: { kind, message, since: earlier?.since ?? now.toISOString() } }
  }
  const own = [...memory.all()].filter(event => event.source === source.name)
  const changes = own.filter(({ run = '' }) => run > before).length
  const read = { ...state, read: now.toISOString(), changes }
  if (reading.state === 'unchanged') return read
  const { validators: _, ...others } = read
  // What could not be written is read again.
  const isAllTaken = reading.records.every(record => isTaken(record, source.name, memory))
  return { ...others, events: reading.records.length, ...(isAllTaken && { validators: reading.validators }) }
}

function isTaken(record: FileRecord, source: string, memory: SourceMemory): boolean {
  const key = keyOfRecord(record)
  const event = memory.get(source, key)
  if (record.mistakes.length > 0 || !event) return false
  return isUnchanged({ source, key, record, event, said: saidBy(record, event) })
}
