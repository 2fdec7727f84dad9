import { Failure } from '../../base/failure.ts'
import { linkedIds } from '../../changes/plan/back-references.ts'
import { SiteReader } from '../../changes/plan/site-reader.ts'
import type { Client } from '../../client/client.ts'
import type { ListScope } from '../../client/find/whole-lists.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { type Language, languages } from '../../contract/languages.ts'
import { type Answer, quoted, type Resource } from '../../contract/resource.ts'
import { translationSets } from './sets.ts'
import {
  type Pairing,
  type RecordsByLanguage,
  setOf,
  slugKey,
  type TranslationSet,
  thingsIn,
} from './translation-set.ts'

export interface SetReaderOptions {
  readonly client: Client
  /** The fields of `--match`. */
  readonly match?: readonly string[] | undefined
  /** Shared with what else reads the same lists. */
  readonly reader?: SiteReader | undefined
}

/** Which records the sets are wanted of. */
interface Wanted {
  readonly resource: Resource
  /** All of them are in this language. */
  readonly language: Language
  readonly records: readonly Answer[]
  readonly trashed?: boolean
  /** Whether to look no further than slugs, and what is remembered: one request for a record in each language. */
  readonly onlyQuick?: boolean
}

/** Reads translation sets of a site, with few requests. */
export interface SetReader {
  readonly reader: SiteReader
  /** The set of each of the records, by their IDs. */
  setsOf(wanted: Wanted): Promise<Map<number, TranslationSet>>
  /** All sets of a resource. */
  allSets(resource: Resource): Promise<TranslationSet[]>
  /** The set of a linked record; undefined if there is no such record. */
  linkedSet(of: ResourceName, id: number, from: Language): Promise<TranslationSet | undefined>
  /** The translation of a linked record into a language; undefined if it has none. */
  translationOf(of: ResourceName, id: number, from: Language, to: Language): Promise<Answer | undefined>
}

export function createSetReader({ client, match, reader = new SiteReader(client) }: SetReaderOptions): SetReader {
  const pairings = async ({ name }: Resource): Promise<readonly Pairing[]> => client.pairings?.of(name) ?? []
  const whole = new Map<string, Promise<TranslationSet[]>>()
  const linked = new Map<string, Promise<TranslationSet | undefined>>()

  const others = (own: Language) => client.languages().all.filter(language => language !== own)

  /** The records of another language with the slugs of these, or that are remembered as their translations. */
  const readQuick = async (wanted: Wanted, language: Language) => {
    const { resource, records, trashed = false, language: own, onlyQuick = false } = wanted
    const scope: ListScope = { resource, language, trashed }
    const slugs = records.flatMap(record => slugKey(record) ?? [])
    const lookedUp = trashed ? slugs.flatMap(slug => [`${slug}__trashed`, slug]) : slugs
    const isAlone = onlyQuick && !trashed && resource.keys.includes('slug')
    const readSlugs = () =>
      isAlone ? readAlone(client, scope, slugs) : reader.readBySlugs(scope, lookedUp, lookedUp.length)
    const bySlug = slugs.length > 0 ? await readSlugs() : () => undefined
    const remembered = (await pairings(resource)).flatMap(pairing => {
      const id = pairing[language]
      return id !== undefined && records.some(record => record.id === pairing[own]) ? [id] : []
    })
    const byId = remembered.length > 0 ? await reader.readByIds(scope, remembered) : new Map<number, Answer>()
    const found = new Map(byId)
    for (const slug of lookedUp) {
      const record = bySlug(slug)
      if (record) found.set(record.id, record)
    }
    return [...found.values()]
  }

  const readAll = async (resource: Resource, trashed: boolean): Promise<RecordsByLanguage> => {
    const lists = client
      .languages()
      .all.map(
        async (language): Promise<[Language, Answer[]]> => [
          language,
          [...(await reader.readList({ resource, language, trashed })).all()],
        ],
      )
    return new Map(await Promise.all(lists))
  }

  const setsIn = async (
    resource: Resource,
    byLanguage: RecordsByLanguage,
    isWhole: boolean,
  ): Promise<TranslationSet[]> => {
    const options = { resource, pairings: await pairings(resource) }
    const found = translationSets(byLanguage, options)
    if (!isWhole || !found.some(({ records }) => records.size < byLanguage.size)) return found
    if (match && resource.name === 'events') {
      const linked = new Map<ResourceName, TranslationSet[]>()
      for (const of of match.flatMap(name => resource.fields[name]?.of ?? []))
        linked.set(of, await allSets(resourceNamed(of)))
      return translationSets(byLanguage, { ...options, match, thingOf: thingsIn(linked) })
    }
    const field = resource.name === 'venues' ? 'venue' : 'organizer'
    if (resource.name !== 'venues' && resource.name !== 'organizers') return found
    // Events are many: they are read only for what nothing else tells.
    const events = new Map<string, Set<unknown>>()
    const eventResource = resourceNamed('events')
    const sets = translationSets(await readAll(eventResource, false), {
      resource: eventResource,
      pairings: await pairings(eventResource),
    })
    for (const set of sets.filter(({ records }) => records.size > 1))
      for (const [language, event] of set.records)
        for (const id of linkedIds(event, field)) {
          const key = `${language} ${id}`
          events.set(key, (events.get(key) ?? new Set()).add(set))
        }
    return translationSets(byLanguage, {
      ...options,
      events: ({ language, record }) => events.get(`${language} ${record.id}`) ?? new Set(),
    })
  }

  const allSets = (resource: Resource, trashed = false): Promise<TranslationSet[]> => {
    const key = `${resource.name} ${trashed}`
    const sets = whole.get(key) ?? readAll(resource, trashed).then(byLanguage => setsIn(resource, byLanguage, true))
    whole.set(key, sets)
    return sets
  }

  const setsOf = async (wanted: Wanted): Promise<Map<number, TranslationSet>> => {
    const { resource, language: own, records, trashed = false, onlyQuick = false } = wanted
    const lists = others(own).map(
      async (language): Promise<[Language, Answer[]]> => [language, await readQuick(wanted, language)],
    )
    const byLanguage = new Map<Language, readonly Answer[]>([[own, records], ...(await Promise.all(lists))])
    const quick = await setsIn(resource, byLanguage, false)
    const found = new Map(records.flatMap(record => mapped(record, setOf(quick, own, record))))
    const isLikely = resource.name === 'venues' || resource.name === 'organizers' || match !== undefined
    const isComplete = [...found.values()].every(({ records }) => records.size > others(own).length)
    if (onlyQuick || isComplete || !isLikely) return found
    const sets = await allSets(resource, trashed)
    for (const record of records) {
      const set = setOf(sets, own, record)
      const known = found.get(record.id)?.records.size ?? 0
      if (set && (set.records.size > known || set.rivals.length > 0)) found.set(record.id, set)
    }
    return found
  }

  const linkedSet = (of: ResourceName, id: number, from: Language): Promise<TranslationSet | undefined> => {
    const key = `${of} ${from} ${id}`
    const read = async () => {
      const resource = resourceNamed(of)
      const record = (await reader.readByIds({ resource, language: from }, [id])).get(id)
      return record && (await setsOf({ resource, language: from, records: [record] })).get(id)
    }
    const set = linked.get(key) ?? read()
    linked.set(key, set)
    return set
  }

  return {
    reader,
    setsOf,
    allSets,
    linkedSet,
    translationOf: async (of, id, from, to) => (await linkedSet(of, id, from))?.records.get(to),
  }
}

/** One request for each slug; what the site does not show is not there. */
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

/** The languages of a set but one, in the order of the contract. */
export const otherRecords = ({ records }: TranslationSet, own: Language): [Language, Answer][] =>
  languages.flatMap((language): [Language, Answer][] => {
    const record = language === own ? undefined : records.get(language)
    return record ? [[language, record]] : []
  })

/** A linked record in a sentence, by its name if an answer has shown it: `venue "Sala gran" (4)`, `venue 4`. */
export function linkedName(client: Client, { name, singular }: Resource, id: number): string {
  const title = client.knownName(name, id)
  return `${singular} ${title ? `${quoted(title)} (${id})` : id}`
}
