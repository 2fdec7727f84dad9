/**
 * Sources become one plan, by what each said before. Input: the records that the sources have now, the memory, and a client that only reads.
 * Output: a plan like any other, whose steps carry the words that the memory takes in once they are done, and what is to be remembered
 * without a step. `memory.ts` is the file, `take-in.ts` follows the journals, `record-finder.ts` finds records, `three-sides.ts` decides.
 */

import type { BuildContext } from '../changes/plan/making/context.ts'
import { type FilePlanOptions, planFromRecords } from '../changes/plan/making/from-files.ts'
import { createPlan, type Plan } from '../changes/plan/plan.ts'
import { SiteReader } from '../changes/plan/site-reader.ts'
import type { FileRecord } from '../files/records/file-record.ts'
import type { SourceMemory } from './memory.ts'
import { RecordFinder } from './record-finder.ts'
import { settle } from './settle.ts'
import { joinOrigins, type SourceRules, type Subject } from './subjects.ts'
import { askedOf } from './three-sides.ts'
import { isUnchanged, keyOfRecord, saidBy, type Word } from './word.ts'

/** What a source has now. */
export interface Heard {
  readonly source: SourceRules
  readonly records: AsyncIterable<FileRecord> | Iterable<FileRecord>
  /** Whether it is remembered what the source says in a record; by default all of it is. */
  isWord?(record: FileRecord): boolean
}

/** What plans of sources are made of. */
export interface Listening {
  readonly memory: SourceMemory
  readonly context: BuildContext
  readonly options: FilePlanOptions
  /** All sources, also those that say nothing now; the earlier one wins. */
  readonly rules: readonly SourceRules[]
}

/** A plan, and what is to be remembered although no step writes it. */
export interface SourcesPlan {
  readonly plan: Plan
  remember(): void
}

export async function planSources(heard: readonly Heard[], listening: Listening): Promise<SourcesPlan> {
  const { memory, context, options, rules } = listening
  const { words, others } = await hear(heard, memory)
  const isSourceDecides = new Set(
    rules.flatMap(({ name, decides = {} }) => (Object.values(decides).includes('source') ? [name] : [])),
  )
  const changed = words.filter(word => isSourceDecides.has(word.source) || !isUnchanged(word))
  const changedIds = new Set(changed.flatMap(({ event }) => event?.record?.id ?? []))
  const isActive = (word: Word) => changed.includes(word) || changedIds.has(word.event?.record?.id ?? 0)
  const active = words.filter(isActive)
  const finder = new RecordFinder(new SiteReader(context.client), context.client.language, context.zone)
  await finder.load(active)
  const subjects = joinOrigins(active, { memory, finder, present: words, order: rules.map(({ name }) => name) })
  const byPlace = new Map<string, Subject>()
  const kept = words.filter(word => !isActive(word))
  const asked: FileRecord[] = [...others, ...kept.flatMap(asIgnored)]
  for (const subject of subjects) {
    const record = askedOf(subject, rules)
    if (!record) continue
    byPlace.set(record.place, subject)
    asked.push(record)
  }
  const made = isNothing(asked, options)
    ? emptyPlan(context, options)
    : await planFromRecords(each(asked), context, options)
  const { plan, remember } = settle(made, { subjects, byPlace, memory, rules, now: context.now })
  return { plan: { ...plan, same: plan.same + kept.length, memory: memory.file }, remember }
}

/** Without anything to write, the site is not read. */
const isNothing = (asked: readonly FileRecord[], { prune }: FilePlanOptions): boolean => asked.length === 0 && !prune

const emptyPlan = (context: BuildContext, { files }: FilePlanOptions): Plan =>
  createPlan(context, { steps: [], same: 0, invalid: [], ...(files && { files }) })

async function* each(records: readonly FileRecord[]): AsyncGenerator<FileRecord> {
  yield* records
}

/** The words about events; records of other kinds, and invalid ones, go their usual way. */
async function hear(heard: readonly Heard[], memory: SourceMemory): Promise<{ words: Word[]; others: FileRecord[] }> {
  const words: Word[] = []
  const others: FileRecord[] = []
  for (const { source, records, isWord = () => true } of heard) {
    const keys = new Set<string>()
    for await (const record of records) {
      const key = keyOfRecord(record)
      if (!isAboutEvent(record) || !isWord(record) || keys.has(key)) {
        others.push(record)
        continue
      }
      keys.add(key)
      const event = memory.get(source.name, key)
      words.push({ source: source.name, key, record, said: saidBy(record), ...(event && { event }) })
    }
  }
  return { words, others }
}

const isAboutEvent = ({ resource, mistakes, action }: FileRecord): boolean =>
  resource === 'events' && mistakes.length === 0 && action !== 'ignore'

/** An event of which nothing is new is only named, so that it does not count as missing from a series. */
function asIgnored({ record, event }: Word): FileRecord[] {
  const id = event?.record?.id
  if (id === undefined) return []
  const { origin: _, match: __, ...others } = record
  return [{ ...others, id, action: 'ignore', values: {}, cleared: [] }]
}
