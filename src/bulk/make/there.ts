import type { Client, Values } from '../../client/client.ts'
import { folded } from '../../client/names.ts'
import { allDates, largestPage } from '../../contract/filter.ts'
import { type Answer, emptyToo, type Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { essence } from '../record.ts'
import type { Finder } from './links.ts'

/** The records of a resource in one language, found by what people call them. */
export interface There {
  readonly records: ReadonlyMap<number, Answer>
  withSlug(slug: string): Answer | undefined
  called(name: string): readonly Answer[]
  /** Those whose values of these fields agree. */
  like(fields: readonly string[], values: Values): readonly Answer[]
}

/** Reads whole lists of a site, each once. */
export interface Reader extends Finder {
  there(resource: Resource, language: Language | undefined): Promise<There>
  trash(resource: Resource, language: Language | undefined): Promise<There>
  /** How many records there are of a resource that was read whole. */
  sizes(): Readonly<Record<string, number>>
}

/** Reads by pages, and keeps what was read as long as the plan is made. */
export function createReader(client: Client): Reader {
  const read = new Map<string, Promise<There>>()
  const sizes: Record<string, number> = {}
  const whole = (resource: Resource, language: Language | undefined, trashed: boolean): Promise<There> => {
    const key = `${resource.name} ${language ?? ''} ${trashed}`
    const known = read.get(key) ?? readThere(client, resource, language, trashed ? { status: 'trash' } : {})
    if (!read.has(key) && !trashed)
      known.then(
        ({ records }) => {
          sizes[resource.name] = (sizes[resource.name] ?? 0) + records.size
        },
        () => {},
      )
    read.set(key, known)
    return known
  }
  const there = (resource: Resource, language: Language | undefined) => whole(resource, language, false)
  return {
    site: client.site,
    there,
    trash: (resource, language) => whole(resource, language, true),
    sizes: () => sizes,
    async find(resource, language, name) {
      const { withSlug, called } = await there(resource, language)
      const found = withSlug(name)
      return found ? [found] : called(name)
    },
    async names(resource, language) {
      return [...(await there(resource, language)).records.values()].map(record => String(record[resource.title]))
    },
  }
}

const windows = ['start_date', 'end_date', 'starts_after', 'starts_before', 'ends_after', 'ends_before']

/** What to ask a list for so that it leaves out nothing but what the filters say. */
export function unnarrowed(resource: Resource, language: Language | undefined, filters: Values = {}): Values {
  const isDated = windows.some(name => filters[name] !== undefined)
  return {
    per_page: largestPage,
    ...('starts_after' in resource.filters && !isDated && allDates),
    ...emptyToo(resource),
    ...(language && { lang_code: language }),
    ...filters,
  }
}

async function readThere(
  client: Client,
  resource: Resource,
  language: Language | undefined,
  filters: Values,
): Promise<There> {
  const records: Answer[] = []
  for await (const page of client.pages(resource, unnarrowed(resource, language, filters)))
    records.push(...page.records.map(record => essence(resource, record)))
  return thereOf(resource, records)
}

/** Records that were read, with indexes that are made when they are first asked for. */
export function thereOf(resource: Resource, answers: readonly Answer[]): There {
  const indexes = new Map<string, ReadonlyMap<string, readonly Answer[]>>()
  const index = (name: string, keyOf: (record: Answer) => string) => {
    const known = indexes.get(name) ?? grouped(answers, keyOf)
    indexes.set(name, known)
    return known
  }
  return {
    records: new Map(answers.map(record => [record.id, record])),
    withSlug: slug => index('slug', record => String(record.slug ?? '')).get(slug)?.[0],
    called: name => index('name', record => folded(String(record[resource.title] ?? ''))).get(folded(name)) ?? [],
    like: (fields, values) => index(fields.join('+'), record => keyOf(fields, record)).get(keyOf(fields, values)) ?? [],
  }
}

const keyOf = (fields: readonly string[], values: Values): string =>
  JSON.stringify(fields.map(name => folded(String(values[name] ?? ''))))

function grouped(answers: readonly Answer[], keyOf: (record: Answer) => string): Map<string, Answer[]> {
  const groups = new Map<string, Answer[]>()
  for (const record of answers) {
    const key = keyOf(record)
    const group = groups.get(key)
    if (group) group.push(record)
    else groups.set(key, [record])
  }
  return groups
}
