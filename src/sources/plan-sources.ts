/**
 * Sources become one plan, by what each said before. Input: the records that the sources have now, the memory, and a client that only reads.
 * Output: a plan like any other, whose steps carry the words that the memory takes in once they are done, and what is to be remembered
 * without a step. `memory.ts` is the file, `take-in.ts` follows the journals, `record-finder.ts` finds records, `three-sides.ts` decides.
 */

import { phrase } from '../base/words/phrase.ts'
import { type BuildContext, createPlan } from '../changes/plan/making/context.ts'
import { type FilePlanOptions, planFromRecords } from '../changes/plan/making/from-files.ts'
import type { Plan } from '../changes/plan/plan.ts'
import { SiteReader } from '../changes/plan/site-reader.ts'
import type { FileRecord } from '../files/records/file-record.ts'
import { withEarlierKeys } from './earlier-keys.ts'
import type { SourceMemory } from './memory.ts'
import { RecordFinder } from './record-finder.ts'
import { type Settled, settle } from './settle.ts'
import { doubtIfForgotten, joinOrigins, type SourceRules, type Subject } from './subjects.ts'
import { askedOf } from './three-sides.ts'
import { type Clock, type Present, saidStart, vanishedFrom } from './vanished.ts'
import { isUnchanged, keyOfRecord, saidBy, type Word } from './word.ts'

/** What a source has now. */
export interface Heard {
  readonly source: SourceRules
  readonly records: AsyncIterable<FileRecord> | Iterable<FileRecord>
  /** What it says and the calendar does not want: it has not vanished. */
  readonly leftOut?: readonly FileRecord[]
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
  /** The command by which a person settles what waits. */
  readonly review: string
}

export async function planSources(heard: readonly Heard[], listening: Listening): Promise<Settled> {
  const { memory, context, options, rules, review } = listening
  const { client, now, zone } = context
  const { words, others, present } = await hear(heard, memory, { now, zone })
  const vanished = present.map(one => vanishedFrom(one, memory, { now, zone }))
  const active = activeWords([...words, ...vanished.flatMap(one => one.words)], rules)
  const finder = new RecordFinder(new SiteReader(client), client.language, zone)
  await finder.load([...active])
  const order = rules.map(({ name }) => name)
  const joined = joinOrigins([...active], { memory, finder, present: words, order })
  const subjects = doubtIfForgotten(joined, memory)
  const kept = words.filter(word => !active.has(word))
  const missing = vanished.flatMap(one => one.missing)
  const asked = new Map(subjects.flatMap(subject => recordFor(subject, rules)))
  const isNothing = asked.size + others.length + missing.length === 0 && !options.prune
  const records = [...others, ...kept.flatMap(asIgnored), ...asked.keys()]
  const made = isNothing ? emptyPlan(context, options) : await planFromRecords(each(records), context, options)
  const byPlace = new Map(Array.from(asked, ([{ place }, subject]) => [place, subject]))
  const { plan, remember } = settle(made, { subjects, byPlace, memory, rules, review, now })
  const notes = [...(plan.notes ?? []), ...vanished.flatMap(one => one.notes), ...waitingNote(memory, review)]
  return {
    plan: { ...plan, same: plan.same + kept.length, memory: memory.file, notes },
    remember(isTold) {
      if (!isTold) {
        for (const event of missing) memory.put({ ...event, absent: (event.absent ?? 0) + 1 })
        for (const { event } of kept) if (event?.absent) memory.put({ ...event, absent: 0 })
      }
      remember(isTold)
    },
  }
}

/** A reminder of what waited before. */
function waitingNote(memory: SourceMemory, review: string): string[] {
  const count = [...memory.all()].filter(({ waiting, perhaps }) => waiting ?? perhaps).length
  if (count === 0) return []
  return [
    phrase('{count, plural, one {# event waits} other {# events wait}} for a person: {command}', {
      count,
      command: review,
    }),
  ]
}

/** The words of which something is new, and those about the same records. */
function activeWords(words: readonly Word[], rules: readonly SourceRules[]): Set<Word> {
  const deciding = new Set(
    rules.flatMap(({ name, decides = {} }) => (Object.values(decides).includes('source') ? [name] : [])),
  )
  const changed = new Set(words.filter(word => deciding.has(word.source) || !isUnchanged(word)))
  const ids = new Set(Array.from(changed, ({ event }) => event?.record?.id))
  ids.delete(undefined)
  return new Set(words.filter(word => changed.has(word) || ids.has(word.event?.record?.id)))
}

const recordFor = (subject: Subject, rules: readonly SourceRules[]): [FileRecord, Subject][] => {
  const record = askedOf(subject, rules)
  return record ? [[record, subject]] : []
}

const emptyPlan = (context: BuildContext, { files }: FilePlanOptions): Plan =>
  createPlan(context, { steps: [], same: 0, invalid: [], ...(files && { files }) })

async function* each(records: readonly FileRecord[]): AsyncGenerator<FileRecord> {
  yield* records
}

/** The words about events; records of other kinds, and invalid ones, go their usual way. */
async function hear(heard: readonly Heard[], memory: SourceMemory, clock: Clock) {
  const words: Word[] = []
  const others: FileRecord[] = []
  const present: Present[] = []
  for (const { source, records, leftOut = [], isWord = () => true } of heard) {
    const own = new Map<string, Word>()
    const series = new Map<string, string>()
    let isValid = true
    for await (const record of records) {
      const key = keyOfRecord(record)
      isValid &&= record.mistakes.length === 0
      if (!isAboutEvent(record) || !isWord(record) || own.has(key)) {
        others.push(record)
        continue
      }
      if (record.series) series.set(record.series.slug, record.series.until)
      const event = memory.get(source.name, key)
      own.set(key, { source: source.name, key, record, said: saidBy(record, event), ...(event && { event }) })
    }
    const all = withEarlierKeys([...own.values()], memory, clock)
    words.push(...all)
    const keys = new Set([...own.keys(), ...leftOut.map(keyOfRecord), ...all.flatMap(({ event }) => event?.key ?? [])])
    const starts = [...all.map(({ said }) => said), ...leftOut.map(({ values }) => values)].map(saidStart)
    // An event that cannot be read has not vanished.
    if (isValid) present.push({ source, keys, series, starts })
  }
  return { words, others, present }
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
