/**
 * Turns names of venues, organizers, categories and tags into IDs, for single writes, files and conditions alike. Input: a source of
 * existing records, the records that a plan will create, and values with names. Output: the same values with links, or a `Failure` that
 * suggests what may be meant.
 */

import { type Failure, missing, refused, usage } from '../base/failure.ts'
import { foldText, normalizeText } from '../base/text/folding.ts'
import { isObject } from '../base/text/json.ts'
import { nameKey, sameKey } from '../base/text/match-key.ts'
import { asOption } from '../base/text/sentence-parts.ts'
import { nearest, onlyLongerName, typos } from '../base/text/similarity.ts'

import { phrase } from '../base/words/phrase.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Field, ResourceName } from '../contract/field.ts'
import type { Language } from '../contract/languages.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { fieldLabel, namedRecord, recordCount, recordNoun, theRecord } from '../contract/resource-words.ts'
import { isSlug } from '../contract/slug.ts'
import { isApplied } from '../contract/three-way-merge.ts'
import { placeOf } from './calendar.ts'
import type { Calendar, Values } from './client.ts'
import { listAllHint } from './http/problems/unavailable.ts'
import { doubtfulName, isVenue, meantNames, quotedNames } from './meant-names.ts'

/** Where records are looked up. */
export interface NameSource {
  readonly calendar: Calendar
  /** The records with this name or slug, regardless of case and accents. */
  find(resource: Resource, name: string): Promise<readonly Answer[]>
  /** The records whose names would give this slug, whatever their slug is. */
  findBySlugOfName?(resource: Resource, slug: string): Promise<readonly Answer[]>
  /** Names for suggestions. */
  names(resource: Resource): Promise<readonly string[]>
  /** The first of these IDs that does not exist, if IDs of this field are checked before they are sent. */
  unknownId(resource: Resource, field: Field, ids: readonly number[]): Promise<number | undefined>
  /** The record with an ID, to compare an inline record with it; absent if inline records have no ID. */
  record?(resource: Resource, id: number): Promise<Answer>
}

/** What will exist once a plan is applied: the records of a file, and those that are created for names. */
export interface PlannedLinks {
  /** The link to the planned record of this name or slug; throws `usage` if it differs from an inline one. */
  find(resource: Resource, name: string, rules: LinkRules, inline?: InlineRecord): unknown
  /** Plans a record, so that other records can link to it by name. */
  create(resource: Resource, language: Language | undefined, values: Values): unknown
  /** Remembers what a name links to. */
  call(resource: Resource, language: Language | undefined, name: string, link: unknown): void
  /** The names of all planned records. */
  names(resource: Resource, language: Language | undefined): readonly string[]
  /** Whether inline records are sent with the record that links to them, instead of being planned. */
  readonly sendsInline: boolean
}

/** Whether records are created for names that do not exist: of all kinds, or of some. */
export type CreatesMissing = boolean | readonly ResourceName[]

export const createsMissing = (created: CreatesMissing | undefined, kind: ResourceName): boolean =>
  typeof created === 'object' ? created.includes(kind) : created === true

export interface LinkRules {
  readonly language?: Language | undefined
  readonly planned?: PlannedLinks
  readonly createsMissing?: CreatesMissing
  readonly care?: NameCare | undefined
  /** Whether a program wrote the names: it makes no typing mistakes, but names places in its own words. */
  readonly isByProgram?: boolean
  /** Takes a sentence about a place that is named in other words. */
  say?(sentence: string): void
  /** Whether the record comes from an export of another site, so that its IDs mean nothing here. */
  readonly isForeign?: boolean
  /** Whether digits are a name, not an ID. */
  readonly numbersAreNames?: boolean
  /** Whether the details that a file gives beside the name of a venue are used only if the venue has to be created. */
  readonly describesPlaces?: boolean
  /** The names in a text that may be several names, unless a record has the whole text as its name. */
  split?(text: string): readonly string[] | undefined
}

/** Finds records by name or slug, and replaces names by links. */
export interface NameLookup extends Pick<NameSource, 'find'> {
  /**
   * The values, with every name of a venue, organizer, category or tag replaced by a link. IDs that `before`, the record to be changed,
   * already has are not looked up.
   */
  resolve(resource: Resource, values: Values, before?: Answer): Promise<Values>
}

interface Resolving {
  readonly source: NameSource
  readonly rules: LinkRules
  readonly linked: Resource
  /** IDs that were typed, and may not exist. */
  readonly typed: number[]
}

export const createNameLookup = (source: NameSource, rules: LinkRules = {}): NameLookup => ({
  find: source.find,
  async resolve(resource, values, before) {
    const resolved: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(values)) {
      const field = resource.fields[name]
      if (!field?.of || value === '' || value === null) {
        resolved[name] = value
        continue
      }
      // The IDs of an export from another site mean nothing here, even if a record has the same one.
      const known = rules.isForeign ? [] : idsIn(field, before?.[name])
      const resolving: Resolving = { source, rules, linked: resourceNamed(field.of), typed: [] }
      resolved[name] = await withNamesOfDigits(resolving, field, await resolveLinks(resolving, value, known))
    }
    return resolved
  },
})

/** The links, in which an ID that does not exist stands for the record that has these digits as its name: the tag `2027`. */
async function withNamesOfDigits(resolving: Resolving, field: Field, links: unknown): Promise<unknown> {
  const { source, linked, typed } = resolving
  const unknown = await source.unknownId(linked, field, typed)
  if (unknown === undefined) return links
  const named = await findLink(resolving, String(unknown))
  if (named === undefined) throw unknownIdFailure(linked, unknown, source.calendar)
  const others = { ...resolving, typed: typed.filter(id => id !== unknown) }
  const replaced = [links].flat().map(link => (link === unknown ? named : link))
  return withNamesOfDigits(others, field, Array.isArray(links) ? replaced : replaced[0])
}

/** The IDs of the records that a field of an answer links to. */
const idsIn = (field: Field, value: unknown): unknown[] =>
  value !== undefined ? [field.kind.canonical(value, field)].flat() : []

async function resolveLinks(resolving: Resolving, value: unknown, known: readonly unknown[]): Promise<unknown> {
  const links: unknown[] = []
  for (const text of [value].flat())
    for (const link of await separated(resolving, text))
      links.push(known.includes(link) ? link : await resolveLink(resolving, link))
  return Array.isArray(value) ? withoutDuplicates(links) : links[0]
}

const withoutDuplicates = (links: readonly unknown[]): unknown[] => [
  ...new Map(links.map(link => [JSON.stringify(link), link])).values(),
]

async function separated(resolving: Resolving, link: unknown): Promise<readonly unknown[]> {
  const parts = typeof link === 'string' ? resolving.rules.split?.(link) : undefined
  return parts && (await findLink(resolving, String(link))) === undefined ? parts : [link]
}

function resolveLink(resolving: Resolving, link: unknown): unknown {
  const { linked, rules } = resolving
  if (typeof link === 'string') return link.trim() === '' ? link : resolveName(resolving, link)
  if (typeof link === 'number') return typedId(resolving, link)
  return isInline(link) && (linked.trashable || rules.planned) ? resolveInline(resolving, link) : link
}

async function resolveName(resolving: Resolving, name: string): Promise<unknown> {
  const { source, rules, linked } = resolving
  const link = (await findLink(resolving, name)) ?? (await linkInTown(resolving, name))
  if (link !== undefined) return link
  if (isForeignSlug(rules, name)) throw unknownSlug(linked, name, source.calendar)
  if (isDigits(name) && !rules.isForeign && !rules.numbersAreNames) return typedId(resolving, Number(name))
  return linkInstead(resolving, { [linked.title]: name })
}

/** The link to the record of a name that ends with its town: `Ateneu, Vic`. */
async function linkInTown({ source, linked }: Resolving, text: string): Promise<unknown> {
  const [, name, town = ''] = (isVenue(linked) && /^(.+), *(?:\d{5} +)?(.+)$/.exec(text)) || []
  const isThere = ({ city }: Answer) => foldText(String(city ?? '')) === foldText(town)
  return name === undefined ? undefined : onlyOne(linked, text, (await source.find(linked, name)).filter(isThere))?.id
}

/** The link to the record that is meant by a name which none has; if there is none, to a new one. */
async function linkInstead(resolving: Resolving, values: InlineRecord): Promise<unknown> {
  const { source, linked, rules } = resolving
  const { planned, language } = rules
  const name = String(values[linked.title])
  const existing = await existingInstead(resolving, name)
  const link = existing === undefined ? undefined : await linkNear(resolving, existing, values)
  if (link !== undefined) {
    planned?.call(linked, language, name, link)
    return link
  }
  if (planned && (await isCreated(resolving, name))) return planned.create(linked, language, values)
  throw await unknownNameFailure(source, linked, name)
}

/** Whether a record is created for a name that none has: the command says so, or somebody did before, or says so now. */
async function isCreated({ rules, linked }: Resolving, name: string): Promise<boolean> {
  const { care, isByProgram } = rules
  const isAllowed = createsMissing(rules.createsMissing, linked.name) || care?.answered?.(linked, name) === null
  return care?.creates && !isByProgram ? care.creates(linked, name, isAllowed) : isAllowed
}

/** The link to a record, unless it is in another town than a place that is described. */
async function linkNear({ source, rules, linked }: Resolving, name: string, place: InlineRecord): Promise<unknown> {
  const link = rules.planned?.find(linked, name, rules)
  if (link !== undefined) return link
  const record = onlyOne(linked, name, await source.find(linked, name))
  return isElsewhere(record, place) ? undefined : record?.id
}

/** The planned or existing record with a name; planned ones take precedence. */
async function findLink({ source, rules, linked }: Resolving, name: string): Promise<unknown> {
  const link = rules.planned?.find(linked, name, rules)
  if (link !== undefined) return link
  const named = await source.find(linked, name)
  const matches =
    named.length === 0 && isForeignSlug(rules, name) ? ((await source.findBySlugOfName?.(linked, name)) ?? []) : named
  return onlyOne(linked, name, matches)?.id
}

/** The only record with a name, if there is any; throws `usage` if several have it. */
function onlyOne(resource: Resource, name: string, records: readonly Answer[]): Answer | undefined {
  if (records.length > 1) throw ambiguousNameFailure(resource, name, records)
  return records[0]
}

/** Whether a name may be a slug from an export of another site, which need not resemble the name of its record. */
const isForeignSlug = ({ isForeign }: LinkRules, name: string): boolean => isForeign === true && isSlug(name)

function typedId({ rules, linked, typed }: Resolving, id: number): number {
  if (rules.isForeign) throw foreignId(linked, id)
  typed.push(id)
  return id
}

const isDigits = (link: string): boolean => /^\d+$/.test(link)

/**
 * A venue or organizer that a request describes instead of naming it. Sites overwrite an existing record of the same name with it, so it is
 * only sent if there is none.
 */
export type InlineRecord = Values

/** Whether a link is an inline record, not an ID, a name, or a reference to a step that creates one. */
const isInline = (link: unknown): link is InlineRecord => isObject(link) && typeof link.$ref !== 'string'

/**
 * The link to the planned or existing record that an inline one names and equals; if there is none, to a new one, or the inline record
 * itself.
 */
async function resolveInline(resolving: Resolving, inline: InlineRecord): Promise<unknown> {
  const { source, rules, linked } = resolving
  if (inline.id !== undefined) return resolveInlineId(resolving, inline)
  const name = inline[linked.title]
  if (typeof name !== 'string') return inline
  const { planned, language } = rules
  const link = planned?.find(linked, name, rules, inline)
  if (link !== undefined) return link
  const named = withName(linked, name, await source.find(linked, name))
  const here = rules.describesPlaces ? named.filter(record => !isElsewhere(record, inline)) : named
  const existing = onlyOne(linked, name, here)
  if (existing) return idForInline(linked, existing, requiredOf(existing, inline, rules), source.calendar)
  if (rules.describesPlaces && planned && createsMissing(rules.createsMissing, linked.name)) {
    const isNamesake = named.length > 0 || planned.names(linked, language).some(one => foldText(one) === foldText(name))
    return isNamesake ? planned.create(linked, language, inline) : linkInstead(resolving, inline)
  }
  if (rules.describesPlaces && named.length === 0) return linkInstead(resolving, inline)
  if (rules.describesPlaces) throw elsewhere(linked, name, inline)
  return planned && !planned.sendsInline ? planned.create(linked, language, inline) : inline
}

/** The values of an inline record that an existing one must have. If they only describe a place, that is its town, if known. */
export const requiredOf = (existing: Values, inline: InlineRecord, { describesPlaces }: LinkRules): InlineRecord => {
  if (!describesPlaces) return inline
  return existing.city && inline.city ? { city: inline.city } : {}
}

/** Whether a place is in another town than an existing one of the same name. Towns with similar names may be the same. */
export function isElsewhere(existing: Values | undefined, inline: InlineRecord | undefined): boolean {
  const [one, other] = [existing?.city, inline?.city].map(city => foldText(String(city ?? '')))
  if (!one || !other || one.includes(other) || other.includes(one)) return false
  return typos(one, other) > 2
}

const elsewhere = (resource: Resource, name: string, { city }: InlineRecord) =>
  missing(
    phrase('no {noun} in {city} is called "{name}", but one in another town is', {
      noun: recordNoun(resource.name),
      city: String(city),
      name,
    }),
    phrase('create it with: {options}', { options: '--create-missing' }),
  )

async function resolveInlineId({ source, linked }: Resolving, inline: InlineRecord): Promise<unknown> {
  if (!source.record) throw inlineWithId(linked, inline.id)
  if (Object.keys(inline).length === 1) return inline.id
  return idForInline(linked, await source.record(linked, Number(inline.id)), inline, source.calendar)
}

/** The fields in which an inline record differs from an existing one, or from another inline one. */
export const inlineDifferences = (resource: Resource, existing: Values, inline: InlineRecord): string[] =>
  Object.entries(inline)
    .filter(([name, value]) => {
      const field = resource.fields[name]
      if (!field || field.queryOnly || name === resource.title) return false
      return !isApplied(name, field, value, existing as Answer)
    })
    .map(([name]) => name)

/** The ID of the existing record that an inline one names; throws `refused` if they differ. */
function idForInline(resource: Resource, existing: Answer, inline: InlineRecord, calendar: Calendar): number {
  const changed = inlineDifferences(resource, existing, inline)
  if (changed.length === 0) return existing.id
  const { name, title } = resource
  const options = changed.map(field => `${asOption(field)} ${JSON.stringify(inline[field])}`)
  throw refused(
    phrase('{record} already exists {place}: {differences}', {
      record: namedRecord(name, `"${existing[title]}" (${existing.id})`),
      place: placeOf(calendar),
      differences: changed
        .map(field =>
          phrase('its {field} is {value}, not {other}', {
            field: fieldLabel(field, resource.fields[field]),
            value: shown(existing[field]),
            other: shown(inline[field]),
          }),
        )
        .join('; '),
    }),
    phrase('use it by its ID, {id}; change it with: {command}; or create another one with a different name', {
      id: existing.id,
      command: `calctl ${name} update ${existing.id} ${options.join(' ')}${calendar.flags ?? ''}`,
    }),
  )
}

const shown = (value: unknown): string =>
  value === undefined || value === null || value === '' ? phrase('empty') : JSON.stringify(value)

/**
 * The ID of the only record with this name or slug; digits are an ID. A filter, which has `say`, also finds the only venue that other words
 * can mean. Throws `missing` or `usage` otherwise.
 */
export async function idOfName(source: NameSource, resource: Resource, name: string, say?: Say): Promise<number> {
  if (isDigits(name)) return Number(name)
  const record = onlyOne(resource, name, await source.find(resource, name))
  if (record) return record.id
  const near = meantNames(resource, name, say && isVenue(resource) ? await source.names(resource) : [])
  const [first = ''] = near.names
  const meant = near.isCertain ? onlyOne(resource, first, await source.find(resource, first)) : undefined
  if (meant) {
    await say?.(takenFor(name, first, meant))
    return meant.id
  }
  const hint = listAllHint(resource, source.calendar)
  throw await unknownNameFailure(source, resource, name, hint)
}

export const nameIn = (resource: Resource, record: Answer): string =>
  normalizeText(String(record[resource.title] ?? ''))

/** The records that have this as their name, and not only as their slug. */
export const withName = (resource: Resource, name: string, records: readonly Answer[]): Answer[] =>
  records.filter(record => sameKey(nameKey(nameIn(resource, record)), nameKey(name)))

/** What happens if a name that no record has resembles existing ones: asks which is meant, or refuses if there is no `ask`. */
export interface NameCare {
  /** Asks which of the existing names is meant; undefined for none. */
  readonly ask?: (resource: Resource, name: string, existing: readonly string[]) => Promise<string | undefined>
  /** Asks whether a record of this name is to be created, unless that is allowed already. */
  readonly creates?: (resource: Resource, name: string, isAllowed: boolean) => Promise<boolean>
  /** What was answered about a name before: an existing one, or `null` for a new record. */
  readonly answered?: (resource: Resource, name: string) => string | null | undefined
}

/** The existing name that is meant by another one; undefined if there is none. Throws `usage` if that is in doubt and nobody can be asked. */
async function existingInstead({ source, rules, linked }: Resolving, name: string): Promise<string | undefined> {
  const { care, planned } = rules
  const answered = care?.answered?.(linked, name)
  if (answered !== undefined) return answered ?? undefined
  const mayCreate = createsMissing(rules.createsMissing, linked.name)
  if (!care || !(mayCreate || care.ask || isVenue(linked)) || (rules.isByProgram && !isVenue(linked))) return undefined
  const names = await source.names(linked)
  const meant = meantNames(linked, name, names, planned?.names(linked, rules.language))
  // A longer name is only worth a question: `Dansa` may be another category than `Dansa contemporània`.
  const longer = care.ask && !mayCreate ? onlyLongerName(name, names) : undefined
  const [first = longer] = meant.names
  if (first === undefined) return undefined
  if (meant.isCertain) {
    const [record] = await source.find(linked, first)
    rules.say?.(takenFor(name, first, record))
    return first
  }
  if (care.ask) return care.ask(linked, name, meant.names.length > 0 ? meant.names : [first])
  if (!mayCreate) return undefined
  throw doubtfulName(linked, name, meant.names)
}

type Say = ((sentence: string) => Promise<void>) | undefined

const takenFor = (name: string, existing: string, record?: Answer): string =>
  phrase('"{name}" is taken for {existing}', { name, existing: `"${existing}"${record ? ` (${record.id})` : ''}` })

/** The failure for a name that several records have. */
export function ambiguousNameFailure(resource: Resource, name: string, records: readonly Answer[]): Failure {
  const list = records.map(
    record => `${record.id} (${[nameIn(resource, record), record.slug, record.city].filter(Boolean).join(', ')})`,
  )
  const message = phrase('{records} are called "{name}": {list}', {
    records: recordCount(records.length, resource.name),
    name,
    list: list.join(', '),
  })
  return usage(message, phrase('use the ID instead of the name'))
}

/** The failure for a name that no record has. Its hint suggests the nearest name, and ends with how to give a record. */
async function unknownNameFailure(
  source: NameSource,
  resource: Resource,
  name: string,
  otherwise?: string,
): Promise<Failure> {
  const names = await source.names(resource)
  const close = meantNames(resource, name, names).names
  const near = nearest(name, names) ?? onlyLongerName(name, names)
  const suggestions = close.length > 0 || near === undefined ? close : [near]
  const options = `--create-missing${close.length === 0 ? '' : ' --allow-similar'}`
  const message = phrase('no {noun} is called "{name}" {place}', {
    noun: recordNoun(resource.name),
    name,
    place: placeOf(source.calendar),
  })
  return missing(
    message,
    suggestions.length > 0
      ? phrase('did you mean {suggestion}? {hint}', {
          suggestion: quotedNames(suggestions),
          hint: otherwise ?? phrase('to create a new one, add: {options}', { options }),
        })
      : (otherwise ?? phrase('to create it, add: {options}', { options })),
  )
}

const unknownIdFailure = (resource: Resource, id: number, calendar: Calendar): Failure =>
  missing(
    phrase('no {record} {place}', { record: namedRecord(resource.name, id), place: placeOf(calendar) }),
    listAllHint(resource, calendar),
  )

const unknownSlug = ({ name }: Resource, slug: string, calendar: Calendar) =>
  missing(
    phrase('no {noun} has the slug "{slug}" {place}', { noun: recordNoun(name), slug, place: placeOf(calendar) }),
    phrase('export them too: {command}', { command: `calctl export ${name} events` }),
  )

const foreignId = ({ name }: Resource, id: number) =>
  usage(
    phrase('{id} is an ID from another site', { id }),
    phrase('name {record} by its slug or name, as calctl export does', { record: theRecord(name) }),
  )

const inlineWithId = ({ name }: Resource, id: unknown) =>
  usage(
    phrase('{record} is given with other values', { record: namedRecord(name, String(id)) }),
    phrase('link to it by its ID alone, {id}; change it with: {command}', {
      id: String(id),
      command: `calctl ${name} update ${id}`,
    }),
  )
