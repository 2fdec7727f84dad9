import type { Values } from '../client/client.ts'
import type { Remembered, SourceMemory } from './memory.ts'
import { isSameEvent, type Recognized, type RecordFinder } from './record-finder.ts'
import type { Source } from './source.ts'
import { dayOf, type Word } from './word.ts'

/** What a source decides about its events. */
export type SourceRules = Pick<Source, 'name' | 'decides' | 'vanished' | 'language'>

/** What one source contributes to an event: its word of now, or the one that is remembered. */
export interface Origin extends Pick<Word, 'source' | 'key' | 'event'> {
  readonly word?: Word
}

/** One event with all its origins, those of the earlier sources first. */
export interface Subject extends Recognized {
  readonly origins: Origin[]
}

interface Joining {
  readonly memory: SourceMemory
  readonly finder: RecordFinder
  /** All that the sources have now, also what is as before. */
  readonly present: readonly Word[]
  /** The names of all sources, in the order of their file. */
  readonly order: readonly string[]
}

/** Joins what the sources say about one event; the words are in the order of the sources. */
export function joinOrigins(words: readonly Word[], joining: Joining): Subject[] {
  const { memory, finder, present, order } = joining
  const all = new Subjects(present, memory)
  for (const word of words) {
    const found = finder.find(word, id => all.isTaken(word, id))
    const id = found.live?.id ?? found.trashed?.id
    const known = id === undefined ? all.ofAnotherSource(word, finder.zone) : all.byId.get(id)
    const origin = originOf(word, id === undefined ? undefined : all.earlier(word, id), id)
    if (known) known.origins.push(origin)
    else all.add({ origins: [origin], ...found }, word)
  }
  all.addUnheard()
  for (const { origins } of all.list)
    origins.sort((one, other) => order.indexOf(one.source) - order.indexOf(other.source))
  return all.list
}

/**
 * If the memory of a source is lost, an event that the calendar does not have may be new, or somebody may have removed it, and emptied the
 * trash. That a source was here before show the slugs that were made from its UIDs.
 */
export function doubtIfForgotten(subjects: readonly Subject[], memory: SourceMemory): readonly Subject[] {
  const known = memory.damaged > 0 ? new Set() : new Set(Array.from(memory.all(), ({ source }) => source))
  const forgotten = new Set<string>()
  for (const { live, origins } of subjects)
    for (const { source, word, event } of origins)
      if (!event && !known.has(source) && live && word?.record.values.slug === live.slug) forgotten.add(source)
  const waits = ({ source, event }: Origin) => (event ? event.perhaps?.length === 0 : forgotten.has(source))
  const isDoubtful = ({ live, trashed, perhaps, origins }: Subject) =>
    !(live || trashed || perhaps) && origins.every(waits)
  return subjects.map(subject => (isDoubtful(subject) ? { ...subject, perhaps: [] } : subject))
}

/** A source that makes new UIDs continues what it said under the old one. */
function originOf(word: Word, earlier: Remembered | undefined, id: number | undefined): Origin {
  const { source, key, event } = word
  const own = event?.record?.id === id ? event : (earlier ?? event)
  return { source, key, word, ...(own && { event: own }) }
}

class Subjects {
  readonly list: Subject[] = []
  readonly byId = new Map<number, Subject>()
  /** Events by the day on which a source has them. */
  readonly #byDay = new Map<string, Subject[]>()
  readonly #present: ReadonlySet<string>

  constructor(
    present: readonly Word[],
    readonly memory: SourceMemory,
  ) {
    // Also what the sources have now under another key: a slug of the site may be that of a date before its series moved.
    this.#present = new Set(present.flatMap(word => [word, word.event ?? word]).map(nameOf))
  }

  add(subject: Subject, word: Word): void {
    this.list.push(subject)
    const id = subject.live?.id ?? subject.trashed?.id
    if (id !== undefined) this.byId.set(id, subject)
    const day = dayOf(word.record.values)
    if (!subject.perhaps) this.#byDay.set(day, [...(this.#byDay.get(day) ?? []), subject])
  }

  /** Whether another event of the same source is this record. */
  isTaken({ source, key, event }: Word, id: number): boolean {
    const isOther = (other: Pick<Word, 'source' | 'key'>) =>
      other.source === source && other.key !== key && other.key !== event?.key
    return (
      this.byId.get(id)?.origins.some(isOther) === true ||
      this.#of(id).some(other => isOther(other) && this.#present.has(nameOf(other)))
    )
  }

  /** What the same source said of this record under another key. */
  earlier({ source }: Word, id: number): Remembered | undefined {
    return this.#of(id).find(other => other.source === source && !this.#present.has(nameOf(other)))
  }

  /** The event of another source that is the same, whatever became of it in the calendar. */
  ofAnotherSource(word: Word, zone: string): Subject | undefined {
    const isSame = ({ source, word: other }: Origin) =>
      source !== word.source &&
      other !== undefined &&
      other.record.lang_code === word.record.lang_code &&
      isSameEvent(other.record, word.record, zone)
    return this.#byDay.get(dayOf(word.record.values))?.find(({ origins }) => origins.every(isSame))
  }

  /** Adds the origins that say nothing now: a source that was not read still has its word. */
  addUnheard(): void {
    for (const [id, { origins }] of this.byId)
      for (const event of this.#of(id))
        if (!origins.some(origin => origin.event === event || nameOf(origin) === nameOf(event)))
          origins.push({ source: event.source, key: event.key, event })
  }

  #of(id: number): Remembered[] {
    return this.memory.byRecord({ resource: 'events', id })
  }
}

const nameOf = ({ source, key }: Pick<Word, 'source' | 'key'>): string => `${source}\n${key}`

/** The values of several origins: the earlier one wins a field, and the others fill its gaps. */
export function mergedValues(origins: readonly Origin[], said: (origin: Origin) => Values | undefined): Values {
  return Object.assign({}, ...origins.toReversed().map(origin => said(origin) ?? {}))
}

/** The origin whose word a field is. */
export const winnerOf = (origins: readonly Origin[], name: string): Origin | undefined =>
  origins.find(({ word, event }) => name in (word?.said ?? event?.said ?? {}))
