import { Failure } from '../../base/failure.ts'
import { linkedIds, linkField } from '../../changes/plan/back-references.ts'
import { SiteReader } from '../../changes/plan/site-reader.ts'
import type { Client, Pairing } from '../../client/client.ts'
import type { ListScope } from '../../client/find/whole-lists.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import { type Answer, quoted, type Resource } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import {
  isPlace,
  type RecordsByLanguage,
  type SetOptions,
  type SharedEvents,
  setOf,
  sharedSlug,
  type TranslationSet,
  thingsIn,
  translationSets,
} from './sets.ts'

export interface SetReaderOptions {
  readonly client: Client
  /** The fields of `--match`. */
  readonly match?: readonly string[] | undefined
  /** Shared with other readers of the same lists. */
  readonly reader?: SiteReader | undefined
}

/** The records whose sets are wanted. */
interface WantedSets {
  readonly resource: Resource
  /** All in this language. */
  readonly language: Language
  readonly records: readonly Answer[]
  readonly trashed?: boolean
  /** Whether only slugs and remembered translations are used: one request for a record in each language. */
  readonly onlyQuick?: boolean
}

/** Reads translation sets of a site, with few requests. */
export class SetReader {
  readonly reader: SiteReader
  private readonly whole = new Map<string, Promise<TranslationSet[]>>()
  private readonly linked = new Map<string, Promise<TranslationSet | undefined>>()

  constructor(private readonly options: SetReaderOptions) {
    this.reader = options.reader ?? new SiteReader(options.client)
  }

  /** The set of each of the records, by their IDs. */
  async setsOf(wanted: WantedSets): Promise<Map<number, TranslationSet>> {
    const { resource, language: own, records, trashed = false, onlyQuick = false } = wanted
    const others = this.options.client.languages().all.filter(language => language !== own)
    const lists = await Promise.all(
      others.map(async (language): Promise<[Language, Answer[]]> => [language, await this.readQuick(wanted, language)]),
    )
    const byLanguage = new Map<Language, readonly Answer[]>([[own, records], ...lists])
    const quick = translationSets(byLanguage, { resource, pairings: await this.pairings(resource) })
    const found = new Map(records.flatMap(record => mapped(record, setOf(quick, own, record))))
    const isLikely = isPlace(resource) || this.options.match !== undefined
    const isComplete = [...found.values()].every(({ records }) => records.size > others.length)
    if (onlyQuick || isComplete || !isLikely) return found
    const sets = await this.allSets(resource, trashed)
    for (const record of records) {
      const set = setOf(sets, own, record)
      const known = found.get(record.id)?.records.size ?? 0
      if (set && (set.records.size > known || set.rivals.length > 0)) found.set(record.id, set)
    }
    return found
  }

  /** All sets of a resource. */
  allSets(resource: Resource, trashed = false): Promise<TranslationSet[]> {
    const key = `${resource.name} ${trashed}`
    const sets = this.whole.get(key) ?? this.readSets(resource, trashed)
    this.whole.set(key, sets)
    return sets
  }

  /** The set of a linked record; undefined if there is no such record. */
  linkedSet(of: ResourceName, id: number, from: Language): Promise<TranslationSet | undefined> {
    const key = `${of} ${from} ${id}`
    const read = async () => {
      const resource = resourceNamed(of)
      const record = (await this.reader.readByIds({ resource, language: from }, [id])).get(id)
      return record && (await this.setsOf({ resource, language: from, records: [record] })).get(id)
    }
    const set = this.linked.get(key) ?? read()
    this.linked.set(key, set)
    return set
  }

  private async pairings({ name }: Resource): Promise<readonly Pairing[]> {
    return this.options.client.pairings?.of(name) ?? []
  }

  /** The records of another language that have the same slugs, or are remembered as translations. */
  private async readQuick(wanted: WantedSets, language: Language): Promise<Answer[]> {
    const { resource, records, trashed = false, language: own, onlyQuick = false } = wanted
    const scope: ListScope = { resource, language, trashed }
    const slugs = records.flatMap(record => sharedSlug(record) ?? [])
    const lookedUp = trashed ? slugs.flatMap(slug => [`${slug}__trashed`, slug]) : slugs
    const isAlone = onlyQuick && !trashed && resource.keys.includes('slug')
    const readSlugs = () =>
      isAlone ? readAlone(this.options.client, scope, slugs) : this.reader.readBySlugs(scope, lookedUp, lookedUp.length)
    const bySlug = slugs.length > 0 ? await readSlugs() : () => undefined
    const remembered = (await this.pairings(resource)).flatMap(pairing => {
      const id = pairing[language]
      return id !== undefined && records.some(record => record.id === pairing[own]) ? [id] : []
    })
    const byId = remembered.length > 0 ? await this.reader.readByIds(scope, remembered) : new Map<number, Answer>()
    const found = new Map(byId)
    for (const slug of lookedUp) {
      const record = bySlug(slug)
      if (record) found.set(record.id, record)
    }
    return [...found.values()]
  }

  private async readLists(resource: Resource, trashed: boolean): Promise<RecordsByLanguage> {
    const lists = this.options.client.languages().all.map(async (language): Promise<[Language, Answer[]]> => {
      const list = await this.reader.readList({ resource, language, trashed })
      return [language, [...list.all()]]
    })
    return new Map(await Promise.all(lists))
  }

  /** The sets of whole lists, with what events or the fields of `--match` show if slugs do not. */
  private async readSets(resource: Resource, trashed: boolean): Promise<TranslationSet[]> {
    const byLanguage = await this.readLists(resource, trashed)
    const options = { resource, pairings: await this.pairings(resource) }
    const found = translationSets(byLanguage, options)
    if (found.every(({ records }) => records.size === byLanguage.size)) return found
    if (this.options.match && resource.name === 'events')
      return translationSets(byLanguage, { ...options, ...(await this.matching(resource, this.options.match)) })
    return isPlace(resource)
      ? translationSets(byLanguage, { ...options, events: await this.eventsOf(resource) })
      : found
  }

  private async matching(resource: Resource, match: readonly string[]): Promise<Pick<SetOptions, 'match' | 'thingOf'>> {
    const linked = new Map<ResourceName, TranslationSet[]>()
    for (const of of match.flatMap(name => resource.fields[name]?.of ?? []))
      linked.set(of, await this.allSets(resourceNamed(of)))
    return { match, thingOf: thingsIn(linked) }
  }

  /** The events of venues or organizers. There are many, so they are read only for what nothing else shows. */
  private async eventsOf({ name }: Resource): Promise<SharedEvents> {
    const resource = resourceNamed('events')
    const sets = translationSets(await this.readLists(resource, false), {
      resource,
      pairings: await this.pairings(resource),
    })
    const events = new Map<string, Set<unknown>>()
    for (const set of sets.filter(({ records }) => records.size > 1))
      for (const [language, event] of set.records)
        for (const id of linkedIds(event, linkField(name))) {
          const key = `${language} ${id}`
          events.set(key, (events.get(key) ?? new Set()).add(set))
        }
    return ({ language, record }) => events.get(`${language} ${record.id}`) ?? new Set()
  }
}

/** One request for each slug; a record that the site does not show does not exist. */
async function readAlone(client: Client, { resource, language }: ListScope, slugs: readonly string[]) {
  const records = new Map<string, Answer>()
  const read = async (slug: string) => {
    try {
      const record = await client.get(resource, { slug }, { lang_code: language })
      if (record.status !== 'trash') records.set(slug, record)
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'unreachable') throw error
    }
  }
  await Promise.all(slugs.map(read))
  return (slug: string) => records.get(slug)
}

const mapped = <T>({ id }: Answer, value: T | undefined): [number, T][] => (value === undefined ? [] : [[id, value]])

/** The languages of a set except one, in the order of the contract. */
export const otherRecords = ({ records }: TranslationSet, own: Language): [Language, Answer][] =>
  [...records].filter(([language]) => language !== own)

/** A linked record in a sentence, by its name if an answer has shown it: `venue "Sala gran" (4)`, `venue 4`. */
export function linkedName(client: Client, { name }: Resource, id: number): string {
  const title = client.knownName(name, id)
  return namedRecord(name, title ? `${quoted(title)} (${id})` : id)
}

/** The command that copies a record into a language. */
export const copyCommand = ({ calendar }: Client, { name }: Resource, id: number, to: Language): string =>
  `calctl languages copy ${name} ${id} --to ${to}${calendar.flags ?? ''}`
