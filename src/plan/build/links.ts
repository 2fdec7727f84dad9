import { type Calendar, placeOf } from '../../client/calendar.ts'
import type { Values } from '../../client/client.ts'
import { existingInstead, type NameCare } from '../../client/created-names.ts'
import { type InlineRecord, idForInline, inlineDifferences, isInline } from '../../client/inline-records.ts'
import {
  ambiguousNameFailure,
  linkedIds,
  type NameLookup,
  unknownIdFailure,
  unknownNameFailure,
  withName,
} from '../../client/name-lookup.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import type { Resource } from '../../contract/resource.ts'
import { isSlug, slugOf } from '../../contract/slug.ts'
import { Failure } from '../../failure.ts'
import { splitNames } from '../../files/records/reference-text.ts'
import { foldText } from '../../text/similarity.ts'
import { listOf, withArticle } from '../../text/words.ts'
import type { Step, StepReference } from '../plan.ts'
import type { RecordFinder } from '../site-reader.ts'

/** An ID, or the step that will create the record. */
type Link = number | StepReference

/** How the links of a record are resolved. */
interface LinkOptions {
  readonly language: Language | undefined
  /** Whether records are created for names that do not exist. */
  readonly createsMissing: boolean
  /** Whether the record was exported from another site, so that its IDs mean nothing here. */
  readonly isForeign: boolean
  /** Whether digits are a name, never an ID. */
  readonly numbersAreNames?: boolean
  /** Names with semicolons that are several names, unless records are called so. */
  readonly unsplit?: readonly string[] | undefined
  /** What is done before a record is created whose name is close to an existing one. */
  readonly care?: NameCare | undefined
}

/** The names and IDs by which other records can link to a record of the file. */
interface RecordNames {
  readonly slug?: unknown
  readonly name?: unknown
  /** All values that it will have. */
  readonly values?: Values
}

/** Turns names of venues, organizers, categories and tags into IDs, or into references to the steps that create them. */
export interface LinkResolver {
  /** Adds a record of the file, so that other records can link to it. */
  register(resource: Resource, language: Language | undefined, names: RecordNames, link: Link): void
  namesFor(options: LinkOptions): NameLookup
  /** The steps that create what was named, and exists neither at the site nor in the file. */
  readonly steps: readonly Step[]
}

/** Creates a resolver for the records of one plan. */
export function createLinkResolver(finder: RecordFinder): LinkResolver {
  const slugs = new Map<string, Link>()
  const names = new Map<string, Link[]>()
  /** By the slugs that names would give: sites choose the slugs of venues and organizers themselves. */
  const slugsOfNames = new Map<string, Link[]>()
  /** What the records of the file, and those that steps create, will be. */
  const planned = new Map<string, Values>()
  const steps: Step[] = []
  /** Names as they are written, of the records of the file and of those that steps create. */
  const writtenNames = new Map<string, string[]>()
  /** For names that were asked about: the existing one that was meant, if any. */
  const meant = new Map<string, string | undefined>()

  const register: LinkResolver['register'] = (resource, language, { slug, name, values }, link) => {
    if (values) planned.set(`${resource.name} ${JSON.stringify(link)}`, values)
    if (typeof slug === 'string') slugs.set(keyOf(resource, language, slug), link)
    if (typeof name !== 'string') return
    const written = writtenNames.get(keyOf(resource, language, ''))
    if (written) written.push(name)
    else writtenNames.set(keyOf(resource, language, ''), [name])
    addLink(names, keyOf(resource, language, foldText(name)), link)
    addLink(slugsOfNames, keyOf(resource, language, slugOf(name)), link)
  }

  const createLinked = (resource: Resource, language: Language | undefined, values: Values): Link => {
    const name = values[resource.title]
    const key = [resource.name, language, name].filter(part => part !== undefined).join(' ')
    const match = [resource.title]
    steps.push({ key, action: 'create', resource: resource.name, ...(language && { language }), match, values })
    register(resource, language, { name, values }, { $ref: key })
    return { $ref: key }
  }

  const findInFile = (linked: Resource, name: string, options: LinkOptions): Link | undefined => {
    const { language } = options
    const withSlug = slugs.get(keyOf(linked, language, name))
    if (withSlug !== undefined) return withSlug
    const withName = names.get(keyOf(linked, language, foldText(name)))
    const withSlugOfName = isForeignSlug(name, options) ? slugsOfNames.get(keyOf(linked, language, name)) : undefined
    const [link, ...others] = withName ?? withSlugOfName ?? []
    if (others.length > 0) throw ambiguousInFile(linked, name)
    return link
  }

  /** Records of the file take precedence over those of the site. */
  const findLink = async (linked: Resource, name: string, options: LinkOptions): Promise<Link | undefined> => {
    const { language } = options
    const link = findInFile(linked, name, options)
    if (link !== undefined) return link
    let matches = await finder.findByName(linked, language, name)
    if (matches.length === 0 && isForeignSlug(name, options))
      matches = await finder.findBySlugOfName(linked, language, name)
    const [first, ...others] = matches
    if (first && others.length > 0) throw ambiguousNameFailure(linked, name, [first, ...others])
    return first?.id
  }

  const checkId = async (linked: Resource, id: number, { language, isForeign }: LinkOptions): Promise<number> => {
    if (isForeign) throw foreignId(linked, id)
    if (!(await finder.hasId(linked, language, id))) throw unknownIdFailure(linked, id, finder.calendar)
    return id
  }

  /** Creates a record for a name, unless another one with nearly the same name is meant. */
  const createNamed = async (linked: Resource, name: string, options: LinkOptions): Promise<Link> => {
    const { language, care } = options
    const key = keyOf(linked, language, name)
    const planned = writtenNames.get(keyOf(linked, language, ''))
    const allNames = () => finder.allNames(linked, language)
    const existing = meant.has(key) ? meant.get(key) : await existingInstead(care, linked, name, allNames, planned)
    meant.set(key, existing)
    const link = existing === undefined ? undefined : await findLink(linked, existing, options)
    return link ?? createLinked(linked, language, { [linked.title]: name })
  }

  const resolveName = async (linked: Resource, name: string, options: LinkOptions): Promise<Link> => {
    const { language, createsMissing, isForeign, numbersAreNames } = options
    const link = await findLink(linked, name, options)
    if (link !== undefined) return link
    if (isForeignSlug(name, options)) throw unknownSlug(linked, name, finder.calendar)
    if (/^\d+$/.test(name) && !isForeign && !numbersAreNames) return checkId(linked, Number(name), options)
    if (createsMissing) return createNamed(linked, name, options)
    throw unknownNameFailure(linked, name, await finder.allNames(linked, language), finder.calendar)
  }

  /** An inline record is the planned or existing one of its name if it differs in nothing, and a new one if there is none. */
  const resolveInline = async (linked: Resource, inline: InlineRecord, options: LinkOptions): Promise<Link> => {
    const { language } = options
    if (inline.id !== undefined) throw inlineWithId(linked, inline.id)
    const name = String(inline[linked.title])
    const inFile = findInFile(linked, name, options)
    const values = planned.get(`${linked.name} ${JSON.stringify(inFile)}`)
    const changed = values ? inlineDifferences(linked, values, inline) : []
    if (changed.length > 0) throw differentInFile(linked, inline, changed)
    if (inFile !== undefined) return inFile
    const [first, ...others] = withName(linked, name, await finder.findByName(linked, language, name))
    if (first && others.length > 0) throw ambiguousNameFailure(linked, name, [first, ...others])
    return first ? idForInline(linked, first, inline, finder.calendar) : createLinked(linked, language, inline)
  }

  const resolveLink = (linked: Resource, link: unknown, options: LinkOptions): unknown => {
    if (typeof link === 'string') return resolveName(linked, link, options)
    if (typeof link === 'number') return checkId(linked, link, options)
    return isInline(link) ? resolveInline(linked, link, options) : link
  }

  const separated = async (linked: Resource, link: unknown, options: LinkOptions): Promise<unknown[]> =>
    typeof link === 'string' && options.unsplit?.includes(link) && (await findLink(linked, link, options)) === undefined
      ? splitNames(link)
      : [link]

  const resolveField = async (
    field: Field,
    value: unknown,
    known: readonly unknown[],
    options: LinkOptions,
  ): Promise<unknown> => {
    if (!field.of || value === '' || value === null) return value
    const links: unknown[] = []
    const linked = resourceNamed(field.of)
    for (const one of [value].flat())
      for (const link of await separated(linked, one, options))
        links.push(known.includes(link) ? link : await resolveLink(linked, link, options))
    return Array.isArray(value) ? withoutDuplicates(links) : links[0]
  }

  return {
    register,
    steps,
    namesFor: options => ({
      find: async (resource, name) => [...(await finder.findByName(resource, options.language, name))],
      async resolve(resource, values, before) {
        const resolved: Record<string, unknown> = {}
        for (const [name, value] of Object.entries(values)) {
          const field = resource.fields[name]
          // Of an export of another site no ID is known here, whatever record has the same one.
          const known = field && !options.isForeign ? linkedIds(field, before?.[name]) : []
          resolved[name] = field ? await resolveField(field, value, known, options) : value
        }
        return resolved
      },
    }),
  }
}

/** An export refers to linked records by their slugs, which need not resemble their names. */
const isForeignSlug = (name: string, { isForeign }: LinkOptions): boolean => isForeign && isSlug(name)

const addLink = (links: Map<string, Link[]>, key: string, link: Link) => {
  links.set(key, [...(links.get(key) ?? []), link])
}

const keyOf = (resource: Resource, language: Language | undefined, name: string): string =>
  `${resource.name} ${language ?? ''} ${name}`

const withoutDuplicates = (links: readonly unknown[]): unknown[] => [
  ...new Map(links.map(link => [JSON.stringify(link), link])).values(),
]

const ambiguousInFile = ({ name, singular }: Resource, linkedName: string) =>
  new Failure('usage', `several ${name} in the file are called "${linkedName}"`, {
    hint: `give them slugs, and link to the ${singular} by its slug`,
  })

const unknownSlug = ({ name, singular }: Resource, slug: string, calendar: Calendar) =>
  new Failure('missing', `no ${singular} has the slug "${slug}" ${placeOf(calendar)}`, {
    hint: `export the ${name} too: calctl export ${name} events`,
  })

const inlineWithId = ({ name, singular }: Resource, id: unknown) =>
  new Failure('usage', `${singular} ${id} is given with other values`, {
    hint: `link to it by its ID alone, ${id}; change it with: calctl ${name} update ${id}`,
  })

const differentInFile = (resource: Resource, inline: Values, fields: readonly string[]) =>
  new Failure('usage', `another "${inline[resource.title]}" in the file has another ${listOf(fields)}`, {
    hint: `describe the ${resource.singular} once, and name it elsewhere; or give one of them another name`,
  })

const foreignId = ({ singular }: Resource, id: number) =>
  new Failure('usage', `${id} is ${withArticle(singular)} ID from another site`, {
    hint: `name the ${singular} by its slug or name, as calctl export does`,
  })
