import type { Values } from '../../client/client.ts'
import { ambiguousName, type NameLookup, unknownName } from '../../client/name-lookup.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field } from '../../contract/field.ts'
import { isObject, type Resource } from '../../contract/resource.ts'
import { isSlug, slugOf } from '../../contract/slug.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import { foldText } from '../../text/normalize.ts'
import type { Step, StepReference } from '../plan.ts'
import type { RecordFinder } from '../site-reader.ts'

/** An ID, or the step that will make the record. */
type Link = number | StepReference

/** The record whose links are looked up. */
interface LinkContext {
  readonly language: Language | undefined
  /** Whether what is named and not there is to be made. */
  readonly makesMissing: boolean
  /** Whether IDs mean nothing here, because they are another site's. */
  readonly isForeign: boolean
}

/** What names a record. */
interface Called {
  readonly slug?: unknown
  readonly name?: unknown
}

/** Turns names of venues, organizers, categories and tags into IDs, or into references to the steps that make them. */
export interface LinkResolver {
  /** Remembers what a record is called that comes along, so that others can name it. */
  remember(resource: Resource, language: Language | undefined, called: Called, link: Link): void
  namesFor(linking: LinkContext): NameLookup
  /** The steps that make what was named and is neither there nor comes along. */
  readonly steps: readonly Step[]
}

/** Looks up links for the records of one plan. */
export function createLinkResolver(finder: RecordFinder): LinkResolver {
  const slugs = new Map<string, Link>()
  const names = new Map<string, Link[]>()
  /** By the slugs that names make: a site makes its own for venues and organizers. */
  const slugged = new Map<string, Link[]>()
  const steps: Step[] = []

  const remember: LinkResolver['remember'] = (resource, language, { slug, name }, link) => {
    if (typeof slug === 'string') slugs.set(keyOf(resource, language, slug), link)
    if (typeof name !== 'string') return
    put(names, keyOf(resource, language, foldText(name)), link)
    put(slugged, keyOf(resource, language, slugOf(name)), link)
  }

  const make = (resource: Resource, language: Language | undefined, values: Values): Link => {
    const name = values[resource.title]
    const key = [resource.name, language, name].filter(part => part !== undefined).join(' ')
    steps.push({ key, action: 'create', resource: resource.name, ...(language && { language }), values })
    remember(resource, language, { name }, { $ref: key })
    return { $ref: key }
  }

  /** What comes along counts before what is there. */
  const known = async (of: Resource, name: string, linking: LinkContext): Promise<Link | undefined> => {
    const { language } = linking
    const along = slugs.get(keyOf(of, language, name))
    if (along !== undefined) return along
    const isTheirSlug = isSlugElsewhere(name, linking)
    const [called, ...namesakes] =
      names.get(keyOf(of, language, foldText(name))) ?? ((isTheirSlug && slugged.get(keyOf(of, language, name))) || [])
    if (called !== undefined && namesakes.length > 0) throw severalAlong(of, name)
    if (called !== undefined) return called
    const found = await finder.findByName(of, language, name)
    const [first, ...others] =
      found.length > 0 || !isTheirSlug ? found : await finder.findBySlugOfName(of, language, name)
    if (first && others.length > 0) throw ambiguousName(of, name, [first, ...others])
    return first?.id
  }

  const numbered = async (of: Resource, id: number, { language, isForeign }: LinkContext): Promise<number> => {
    if (isForeign) throw foreignId(of, id)
    if (!(await finder.has(of, language, id))) throw unknownId(of, id, finder.site)
    return id
  }

  const named = async (of: Resource, name: string, linking: LinkContext): Promise<Link> => {
    const { language, makesMissing, isForeign } = linking
    const link = await known(of, name, linking)
    if (link !== undefined) return link
    if (isSlugElsewhere(name, linking)) throw unknownSlug(of, name, finder.site)
    if (/^\d+$/.test(name) && !isForeign) return numbered(of, Number(name), linking)
    if (makesMissing) return make(of, language, { [of.title]: name })
    throw unknownName(of, name, await finder.names(of, language), finder.site)
  }

  const linkTo = async (of: Resource, link: unknown, linking: LinkContext): Promise<unknown> => {
    if (typeof link === 'string') return named(of, link, linking)
    if (typeof link === 'number') return numbered(of, link, linking)
    if (!isObject(link) || typeof link.$ref === 'string') return link
    return (await known(of, String(link[of.title]), linking)) ?? make(of, linking.language, link)
  }

  const resolveField = async (field: Field, value: unknown, linking: LinkContext): Promise<unknown> => {
    if (!field.of || value === '' || value === null) return value
    const links: unknown[] = []
    for (const link of [value].flat()) links.push(await linkTo(resourceNamed(field.of), link, linking))
    return Array.isArray(value) ? withoutDoubles(links) : links[0]
  }

  return {
    remember,
    steps,
    namesFor: linking => ({
      find: async (resource, name) => [...(await finder.findByName(resource, linking.language, name))],
      async resolve(resource, values) {
        const resolved: Record<string, unknown> = {}
        for (const [name, value] of Object.entries(values)) {
          const field = resource.fields[name]
          resolved[name] = field ? await resolveField(field, value, linking) : value
        }
        return resolved
      },
    }),
  }
}

/** An export names others by their slugs, which say nothing of what those are called. */
const isSlugElsewhere = (name: string, { isForeign }: LinkContext): boolean => isForeign && isSlug(name)

const put = (links: Map<string, Link[]>, key: string, link: Link) => {
  links.set(key, [...(links.get(key) ?? []), link])
}

const keyOf = (resource: Resource, language: Language | undefined, name: string): string =>
  `${resource.name} ${language ?? ''} ${name}`

const severalAlong = (resource: Resource, name: string) =>
  new Failure('usage', `several ${resource.name} of the file are called "${name}"`, {
    hint: 'give them slugs, and say which by its slug',
  })

const withoutDoubles = (links: readonly unknown[]): unknown[] => [
  ...new Map(links.map(link => [JSON.stringify(link), link])).values(),
]

const unknownSlug = ({ name, singular }: Resource, slug: string, site: string) =>
  new Failure('missing', `no ${singular} has the slug "${slug}" at ${site}`, {
    hint: `take the ${name} along from where this was exported: calctl export ${name} events`,
  })

const unknownId = ({ name, singular }: Resource, id: number, site: string) =>
  new Failure('missing', `no ${singular} ${id} at ${site}`, {
    hint: `see what is there with: calctl ${name} list --all`,
  })

const foreignId = ({ singular }: Resource, id: number) =>
  new Failure('usage', `the ${singular} ${id} is one of another site`, {
    hint: 'name it by its slug or its name, as calctl export does',
  })
