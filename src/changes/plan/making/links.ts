import { usage } from '../../../base/failure.ts'
import { memoize } from '../../../base/memoize.ts'
import { KeyIndex, keyOf, keyWithin, nameKey } from '../../../base/text/match-key.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Client, Values } from '../../../client/client.ts'
import { createNameSearch } from '../../../client/find/name-search.ts'
import { inLanguage } from '../../../client/languages/routing.ts'
import {
  createNameLookup,
  type InlineRecord,
  inlineDifferences,
  isElsewhere,
  type LinkRules,
  type NameLookup,
  type NameSource,
  type PlannedLinks,
  requiredOf,
} from '../../../client/name-lookup.ts'
import { isLanguage, type Language } from '../../../contract/languages.ts'
import type { Resource } from '../../../contract/resource.ts'
import { recordsNoun, theRecord } from '../../../contract/resource-words.ts'
import { isSlug, slugKey, slugOf } from '../../../contract/slug.ts'
import { splitNames } from '../../../files/records/file-record.ts'
import { fieldList } from '../names.ts'
import type { Step, StepReference } from '../plan.ts'
import type { SiteReader } from '../site-reader.ts'

/** An ID, or a reference to the step that will create the record. */
type Link = number | StepReference

/** How the links of a record are resolved. */
export interface LinkOptions extends Omit<LinkRules, 'planned' | 'split' | 'say'> {
  /** Names with semicolons. Each is read as several names, unless a record has all of it as its name. */
  readonly unsplit?: readonly string[] | undefined
  /** Whether the links are only checked: nothing is planned, and nobody is asked. */
  readonly isTrial?: boolean
}

/** The names and the ID by which other records can link to a record of the file. */
interface RecordNames {
  readonly slug?: unknown
  readonly name?: unknown
  /** All values that the record will have. */
  readonly values?: Values
}

/** The records to which other records of a file can link: those of the file, and those that its steps create. */
export interface LinkResolver {
  /** Adds a record of the file. */
  register(resource: Resource, language: Language | undefined, names: RecordNames, link: Link): void
  namesFor(options: LinkOptions): NameLookup
  /** The steps that create what was named but exists neither on the site nor in the file. */
  readonly steps: readonly Step[]
  /** Sentences about places that are named in other words. */
  readonly notes: ReadonlySet<string>
}

/** The source of names for a plan that reads whole lists. */
export const namesInLists = (reader: SiteReader, language: Language | undefined): NameSource => ({
  calendar: reader.calendar,
  async find(resource, name) {
    const index = await reader.readList({ resource, language })
    const record = index.bySlug(name)
    return record ? [record] : index.byName(name)
  },
  findBySlugOfName: async (resource, slug) => (await reader.readList({ resource, language })).bySlugOfName(slug),
  async names(resource) {
    const index = await reader.readList({ resource, language })
    return Array.from(index.all(), record => String(record[resource.title]))
  },
  async unknownId(resource, _, ids) {
    for (const id of ids) if (!(await reader.hasId(resource, language, id))) return id
    return undefined
  },
})

/** The source of names for a plan whose records all link to the same few: searching takes fewer requests than reading lists. */
export const namesBySearch = (client: Client, reader: SiteReader, language: Language | undefined): NameSource => ({
  ...namesInLists(reader, language),
  find: createNameSearch(language ? inLanguage(client, language) : client).find,
})

/**
 * Creates a resolver for the records of one plan. `isSingle` is for the write of a single record: an inline record is sent along with it,
 * and what it creates is always new.
 */
export function createLinkResolver(
  sourceIn: (language: Language | undefined) => NameSource,
  { isSingle = false }: { readonly isSingle?: boolean } = {},
): LinkResolver {
  const planned = new PlannedRecords(isSingle)
  const notes = new Set<string>()
  return {
    notes,
    register: planned.add.bind(planned),
    steps: planned.steps,
    namesFor: ({ unsplit, isTrial, ...rules }) =>
      createNameLookup(sourceIn(rules.language), {
        ...rules,
        ...(isTrial
          ? rules.care?.answered && { care: { answered: rules.care.answered } }
          : { say: sentence => void notes.add(sentence) }),
        planned: isTrial ? onTrial(planned) : planned,
        split: text => (unsplit?.includes(text) ? splitNames(text) : undefined),
      }),
  }
}

/** Creates a resolver for a change of many records, or of a single one, which all link to the same few. */
export function createLinksOfChanges(client: Client, reader: SiteReader, { isSingle }: { readonly isSingle: boolean }) {
  const sourceIn = memoize((language: string) =>
    isSingle ? createNameSearch(client) : namesBySearch(client, reader, isLanguage(language) ? language : undefined),
  )
  return createLinkResolver(language => sourceIn(language ?? ''), { isSingle })
}

const onTrial = (planned: PlannedLinks): PlannedLinks => ({
  find: (...link) => planned.find(...link),
  names: (...list) => planned.names(...list),
  create: ({ title }, _, values) => ({ $ref: String(values[title]) }),
  call() {},
  sendsInline: planned.sendsInline,
})

/** The records that a plan knows by name. */
class PlannedRecords implements PlannedLinks {
  readonly steps: Step[] = []
  readonly #slugs = new KeyIndex<unknown>()
  readonly #names = new KeyIndex<unknown>()
  /** By the slugs that their names would give, because sites choose the slugs of venues and organizers themselves. */
  readonly #slugsOfNames = new KeyIndex<unknown>()
  /** The values that the records will have, by the links to them. */
  readonly #values = new Map<string, Values>()
  /** Names as they are written, for messages. */
  readonly #written = new KeyIndex<string>()

  constructor(readonly sendsInline: boolean) {}

  add(resource: Resource, language: Language | undefined, { slug, name, values }: RecordNames, link: Link): void {
    if (values) this.#values.set(linkKey(resource, link), values)
    const list = listOf(resource, language)
    this.#slugs.add(keyWithin(list, slugKey(slug)), link)
    if (typeof name !== 'string') return
    this.#written.add(keyOf(list), name)
    this.#slugsOfNames.add(keyWithin(list, slugKey(slugOf(name))), link)
    this.call(resource, language, name, link)
  }

  call(resource: Resource, language: Language | undefined, name: string, link: unknown): void {
    this.#names.add(keyWithin(listOf(resource, language), nameKey(name)), link)
  }

  names(resource: Resource, language: Language | undefined): readonly string[] {
    return this.#written.get(keyOf(listOf(resource, language)))
  }

  find(resource: Resource, name: string, rules: LinkRules, inline?: InlineRecord): unknown {
    const link = this.#linkOf(resource, name, rules, inline)
    const values = inline && this.#values.get(linkKey(resource, link))
    const changed = values ? inlineDifferences(resource, values, requiredOf(values, inline, rules)) : []
    if (inline && changed.length > 0) throw differentInFile(resource, inline, changed)
    return link
  }

  #linkOf(resource: Resource, name: string, rules: LinkRules, inline?: InlineRecord): unknown {
    const { language, isForeign, describesPlaces } = rules
    const list = listOf(resource, language)
    const withSlug = this.#slugs.get(keyWithin(list, slugKey(name))).at(-1)
    if (withSlug !== undefined) return withSlug
    const withName = this.#names.get(keyWithin(list, nameKey(name)))
    const bySlug = isForeign && isSlug(name) ? this.#slugsOfNames.get(keyWithin(list, slugKey(name))) : []
    const named = withName.length > 0 ? withName : bySlug
    // Theatres of two towns can have the same name.
    const isThere = (link: unknown) => !isElsewhere(this.#values.get(linkKey(resource, link)), inline)
    const [link, ...others] = describesPlaces ? named.filter(isThere) : named
    if (others.length > 0) throw ambiguousInFile(resource, name, describesPlaces)
    return link
  }

  create(resource: Resource, language: Language | undefined, values: Values): Link {
    const name = values[resource.title]
    const isTaken = this.#names.get(keyWithin(listOf(resource, language), nameKey(name))).length > 0
    const key = [resource.name, language, name, isTaken ? values.city : undefined]
      .filter(part => part !== undefined)
      .join(' ')
    const match = this.sendsInline ? undefined : [resource.title, ...(isTaken ? ['city'] : [])]
    const head = { key, action: 'create', resource: resource.name } as const
    this.steps.push({ ...head, ...(language && { lang_code: language }), ...(match && { match }), values })
    this.add(resource, language, { name, values }, { $ref: key })
    return { $ref: key }
  }
}

const linkKey = ({ name }: Resource, link: unknown): string => `${name} ${JSON.stringify(link)}`

const listOf = (resource: Resource, language: Language | undefined): string => `${resource.name} ${language ?? ''}`

const ambiguousInFile = ({ name }: Resource, linkedName: string, describesPlaces = false) =>
  usage(
    phrase('several {records} in the file are called "{name}"', { records: recordsNoun(name), name: linkedName }),
    describesPlaces
      ? phrase('write the town of the venue in each row')
      : phrase('give them slugs, and link to {record} by its slug', { record: theRecord(name) }),
  )

const differentInFile = (resource: Resource, inline: Values, fields: readonly string[]) =>
  usage(
    phrase('another "{name}" in the file has another {fields}', {
      name: String(inline[resource.title]),
      fields: fieldList(fields, resource.name),
    }),
    phrase('describe {record} once, and name it elsewhere; or give one of them another name', {
      record: theRecord(resource.name),
    }),
  )
