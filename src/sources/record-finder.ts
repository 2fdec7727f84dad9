import { ignoreFailure } from '../base/attempt.ts'
import { grouped } from '../base/groups.ts'
import { leastScore } from '../care/doubles/find-candidates.ts'
import { mostInDoubt, type Score, scorePair, type Traits, traitsOf } from '../care/doubles/score.ts'
import { recognize } from '../changes/plan/identity.ts'
import type { SiteReader } from '../changes/plan/site-reader.ts'
import type { Values } from '../client/client.ts'
import type { ListScope } from '../client/find/whole-lists.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Language } from '../contract/languages.ts'
import { comparedWith } from '../contract/record.ts'
import type { Answer } from '../contract/resource.ts'
import type { FileRecord } from '../files/records/file-record.ts'
import type { Remembered } from './memory.ts'
import { asAnswer, dayOf, type Word } from './word.ts'

const events = resourceNamed('events')

/** What the site has for an event of a source. */
export interface Recognized {
  readonly live?: Answer
  /** The record that it became, in the trash. */
  readonly trashed?: Answer
  /** Records that may be the event. */
  readonly perhaps?: readonly number[]
}

/** Which record of a site each event of the sources is, in its language: one in another language is another record. */
export class RecordFinder {
  readonly #languages = new Map<Language | undefined, LanguageFinder>()

  constructor(
    readonly reader: SiteReader,
    readonly language: Language | undefined,
    readonly zone: string,
  ) {}

  /** Reads what is needed to recognize these events. */
  async load(words: readonly Word[]): Promise<void> {
    for (const [language, own] of grouped(words, word => this.#languageOf(word))) {
      const finder = new LanguageFinder(this.reader, language, this.zone)
      this.#languages.set(language, finder)
      await finder.load(own)
    }
  }

  /** What the site has for an event; `isTaken` says which records another event of the same source is. */
  find(word: Word, isTaken: (id: number) => boolean): Recognized {
    return this.#languages.get(this.#languageOf(word))?.find(word, isTaken) ?? {}
  }

  #languageOf = ({ record }: Word): Language | undefined => record.lang_code ?? this.language
}

/** The events of one language: as remembered, else by the slug, else by moment, place and title. */
class LanguageFinder {
  readonly #reader: SiteReader
  readonly #scope: ListScope
  #live: ReadonlyMap<number, Answer> = new Map()
  #trash: ReadonlyMap<number, Answer> = new Map()
  #bySlug: (slug: string | undefined) => Answer | undefined = () => undefined
  #inTrash: (slug: string) => Answer | undefined = () => undefined
  #days: Days = new Map()
  #trashedDays: Days = new Map()

  constructor(
    reader: SiteReader,
    language: Language | undefined,
    readonly zone: string,
  ) {
    this.#reader = reader
    this.#scope = { resource: events, language }
  }

  async load(words: readonly Word[]): Promise<void> {
    const ids = words.flatMap(({ event }) => event?.record?.id ?? [])
    this.#live = await this.#reader.readByIds(this.#scope, ids)
    const gone = words.filter(({ event }) => event?.record && !this.#remembered(event))
    const goneIds = gone.flatMap(({ event }) => event?.record?.id ?? [])
    const trash = { ...this.#scope, trashed: true }
    // Not everybody may read the trash.
    if (gone.length > 0)
      this.#trash = (await this.#reader.readByIds(trash, goneIds).catch(ignoreFailure)) ?? this.#trash
    const unknown = [...gone, ...words.filter(({ event }) => event?.record === undefined)]
    if (unknown.length > 0) await this.#loadUnknown(unknown)
  }

  async #loadUnknown(words: readonly Word[]): Promise<void> {
    const days = words
      .map(({ record }) => dayOf(record.values))
      .filter(day => day !== '')
      .toSorted()
    const [first, last] = [days[0], days.at(-1)]
    if (first !== undefined && last !== undefined) {
      const index = await this.#reader.readList({ ...this.#scope, days: [first, last] })
      this.#days = byDay(index.all())
    }
    const trash = await this.#reader.readList({ ...this.#scope, trashed: true }).catch(ignoreFailure)
    this.#trashedDays = byDay(trash?.all() ?? [])
    this.#inTrash = slug => trash?.bySlug(slug)
    const slugs = words.flatMap(({ record }) => slugIn(record.values) ?? [])
    if (slugs.length > 0) this.#bySlug = await this.#reader.readBySlugs(this.#scope, slugs, slugs.length)
  }

  find({ event, record }: Word, isTaken: (id: number) => boolean): Recognized {
    const live = event && this.#remembered(event)
    if (live) return { live }
    const slug = slugIn(record.values)
    const withSlug = slug === undefined ? undefined : this.#bySlug(slug)
    if (withSlug && !isTaken(withSlug.id)) return { live: withSlug }
    const similar = this.#similar(record.values, isTaken, this.#days).filter(({ id }) => !event?.others?.includes(id))
    const trashed = event?.record ? this.#trash.get(event.record.id) : this.#foundInTrash(record.values, isTaken)
    const [best, next] = similar
    if (best && isSure(best) && !(next && isSure(next))) return { live: best.record }
    if (trashed && !isTaken(trashed.id)) return { trashed }
    return best ? { perhaps: similar.map(({ id }) => id) } : {}
  }

  /** The record that an event became, if it is still the same one: an ID is not an identity. */
  #remembered({ record }: Remembered): Answer | undefined {
    const current = record && this.#live.get(record.id)
    if (!record || !current) return undefined
    const known = {
      resource: record.resource,
      compare: (name: string, field: Parameters<typeof comparedWith>[0]['field']) =>
        name in record.signs ? comparedWith({ name, field, record: current }, record.signs[name]) : 'changed',
    } as const
    return recognize(known, current) === 'same' ? current : undefined
  }

  #foundInTrash(values: Values, isTaken: (id: number) => boolean): Answer | undefined {
    const slug = slugIn(values)
    if (slug !== undefined) return this.#inTrash(slug)
    return this.#similar(values, isTaken, this.#trashedDays).find(isSure)?.record
  }

  #similar(values: Values, isTaken: (id: number) => boolean, days: Days) {
    const traits = traitsOf(events, asAnswer({ values }, this.zone))
    return (days.get(dayOf(values)) ?? [])
      .filter(({ record }) => !isTaken(record.id))
      .flatMap(other => {
        const score = scorePair('events', traits, other.traits)
        return score && score.score >= leastScore ? [{ ...score, id: other.record.id, record: other.record }] : []
      })
      .toSorted((one, other) => other.score - one.score)
  }
}

/** Whether two events, as sources have them, are certainly the same. */
export function isSameEvent(one: Pick<FileRecord, 'values'>, other: Pick<FileRecord, 'values'>, zone: string): boolean {
  const [a, b] = [one, other].map(record => traitsOf(events, asAnswer(record, zone)))
  const score = a && b && scorePair('events', a, b)
  return score !== undefined && isSure(score)
}

/** Records by the days on which they start, with what is compared of them. */
type Days = Map<string, { readonly record: Answer; readonly traits: Traits }[]>

function byDay(records: Iterable<Answer>): Days {
  const compared = Array.from(records, record => ({ record, traits: traitsOf(events, record) }))
  return grouped(compared, ({ record }) => dayOf(record))
}

const isSure = ({ score }: Score): boolean => score > mostInDoubt

const slugIn = ({ slug }: Values): string | undefined => (typeof slug === 'string' && slug !== '' ? slug : undefined)
