import { createHash } from 'node:crypto'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import type { FileRecord } from '../../files/records/file-record.ts'
import { foldText } from '../../text/normalize.ts'
import { withInstants } from './in-zone.ts'

/** An event that neither an ID nor a slug names is the one of its title and dates. */
export const defaultEventMatch = ['title', 'start_date', 'end_date']

/** The slug that a record of a file is named by. */
export const recordSlug = ({ slug, values }: FileRecord): string | undefined =>
  slug ?? (typeof values.slug === 'string' && values.slug !== '' ? values.slug : undefined)

/**
 * Makes what tells one step of a plan from the others, the same whenever the plan is made. Refuses the same record twice, also
 * two events that would not be told apart when the file is applied again; those that are new in any case have a number.
 * `match` names the fields that say which record one is, `zone` is that of events that do not say theirs.
 */
export function createStepKeys(
  resource: Resource,
  language: Language | undefined,
  match: readonly string[] | undefined,
  isNew: (record: FileRecord) => boolean,
  zone: string,
): (record: FileRecord, before: Answer | undefined) => string {
  const places = new Map<string, string>()
  const keys = new Set<string>()
  return (record, before) => {
    const key = keyOf(resource, language, record, before)
    if (record.action === 'ignore') return key
    const isNamed = before !== undefined || recordSlug(record) !== undefined
    const contents = isNamed ? [key] : []
    const isBare = record.id === undefined && recordSlug(record) === undefined
    if (isBare) contents.push(contentOf(resource, key, record, isNew(record), zone, match))
    const place = contents.map(content => places.get(content)).find(place => place !== undefined)
    if (place) throw sameAs(resource, place, isBare)
    for (const content of contents) places.set(content, record.place)
    let unlike = key
    for (let number = 2; !isNamed && keys.has(unlike); number++) unlike = `${key} #${number}`
    keys.add(unlike)
    return unlike
  }
}

/** What one record has and no other: of events that are new in any case, which often share a name, all that is said. */
function contentOf(
  { name, title }: Resource,
  key: string,
  { values, match: own }: FileRecord,
  isNew: boolean,
  zone: string,
  match = own,
): string {
  if (name === 'events' && isNew) return digest(`${key} ${JSON.stringify(values)}`)
  const fields = name === 'events' ? (match ?? defaultEventMatch) : [title, 'parent', ...(match ?? [])]
  const told = name === 'events' ? withInstants(values, zone) : values
  return JSON.stringify(fields.map(field => foldText(String(told[field] ?? ''))))
}

const sameAs = ({ name, singular }: Resource, place: string, isBare: boolean) =>
  new Failure('usage', `the same ${singular} as ${place}`, {
    hint:
      name === 'events' && !isBare
        ? 'take one of them out'
        : `take one of them out, or tell them apart by ${name === 'events' ? 'slug' : 'id'}`,
  })

function keyOf(
  { name, title }: Resource,
  language: Language | undefined,
  record: FileRecord,
  before: Answer | undefined,
): string {
  if (before) return `${name} ${before.id}`
  const { values } = record
  const called = recordSlug(record) ?? [values[title], values.start_date].filter(part => part !== undefined).join(' ')
  return [name, language, called].filter(part => part !== undefined).join(' ')
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
