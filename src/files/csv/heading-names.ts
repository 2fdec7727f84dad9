/**
 * The columns that headings stand for: fields by their names in calctl, headings of the importer, words of the contract, and what people
 * write. Headings are compared without case, accents, blanks, punctuation and articles.
 */

import { memoize } from '../../base/memoize.ts'
import { foldCase } from '../../base/text/folding.ts'
import { nearest, tellingWords, typos } from '../../base/text/similarity.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { type Language, languages } from '../../contract/languages.ts'
import { writtenHeading } from '../../contract/posts.ts'
import { type Resource, writableFields } from '../../contract/resource.ts'
import { headingWords as aliases } from './heading-words.lib.ts'
import importer from './importer-columns.json' with { type: 'json' }
import { leafletHeadings } from './leaflet-headings.ts'

/** Columns that are about a record but are not fields. */
export const recordColumns: ReadonlySet<string> = new Set('id resource lang_code action origin image_alt'.split(' '))

/** A heading in the form for comparing: `datainici` for both `Data d’inici` and `DATA_INICI:`. */
export const foldHeading = (heading: string): string => headingWords(heading).join('')

/** The same without the name of the resource: `Hide From Event Listings` is `hidefromlistings`. */
const foldWithout = (heading: string, { name, singular }: Resource): string =>
  headingWords(heading)
    .filter(word => word !== singular && !(name === 'events' && wordsForEvents.has(word)))
    .join('')

const wordsForEvents: ReadonlySet<string> = new Set(
  'acte activitat esdeveniment espectacle evento acto actividad espectaculo activity'.split(' '),
)

const headingWords = (heading: string): string[] => tellingWords(foldCase(heading))

/** `Start date` as `start_date` */
export const headingAsName = (heading: string): string =>
  heading
    .replace(/^\uFEFF/, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(/[ -]/g, '_')

/** Whether a heading is a path into a linked record, as lists print it: `venue.city`. Such columns are not fields. */
const isPath = (heading: string): boolean => /^\s*\w+(\.\w+)+\s*$/.test(heading)

/** A column with a heading that stands for it. */
interface KnownHeading {
  readonly heading: string
  readonly column: string
}

/** Headings and their columns; the meaning that comes first counts. */
function* meaningsOf(resource: Resource): Generator<readonly [heading: string, column: string]> {
  const names = Object.keys(resource.fields)
  for (const name of recordColumns) yield [name, name]
  for (const name of names) yield [writtenHeading(name), name]
  // Only events have another date than that of their publication.
  if (resource.name !== 'events') for (const name of names) yield [name, name]
  yield* Object.entries(importerColumns(resource))
  for (const [column, headings] of Object.entries(headingAliases[resource.name]))
    for (const heading of headings.split(',')) yield [heading.trim(), column]
  // `Categories: ID, slug o nom`
  for (const [name, { words }] of writableFields(resource))
    for (const text of Object.values(words)) yield [text.split(':')[0] ?? '', name]
}

const importerColumns = ({ name }: Resource): Readonly<Record<string, string>> =>
  new Map(Object.entries(importer)).get(name) ?? {}

/** The columns of a resource's sheets. */
const headingsOf = memoize(name => {
  const resource = resourceNamed(name as ResourceName)
  const columns = new Map<string, KnownHeading>()
  const add = (heading: string, column: string, folded = foldHeading(heading)) => {
    if (folded !== '' && !columns.has(folded)) columns.set(folded, { heading, column })
  }
  for (const [heading, column] of meaningsOf(resource)) add(heading, column)
  const bare = Object.entries(name === 'events' ? importerColumns(resource) : {})
  for (const [heading, column] of bare) add(heading, column, foldWithout(heading, resource))
  // By folded headings; those of the importer in the form of `foldWithout`.
  return { columns, importer: new Set(bare.map(([heading]) => foldWithout(heading, resource))) }
})

/** The column for a heading in a sheet of this resource: a field, a part of one such as `start_date.day`, or `id`. */
export function columnNamed(heading: string, resource: Resource): string | undefined {
  if (isPath(heading)) return undefined
  const { columns, importer } = headingsOf(resource.name)
  const found = columns.get(foldHeading(heading))
  if (found || importer.size === 0) return found?.column
  const bare = foldWithout(heading, resource)
  const hasWordForEvents = headingWords(heading).some(word => wordsForEvents.has(word))
  return importer.has(bare) || hasWordForEvents ? columns.get(bare)?.column : undefined
}

/** A known heading that this one was probably meant to be, and its column. */
export function nearHeading(heading: string, resource: Resource): KnownHeading | undefined {
  const folded = foldHeading(heading)
  if (isPath(heading) || folded.length < 4) return undefined
  const { columns } = headingsOf(resource.name)
  // The number may be that of the venue or of somebody else.
  if (resource.name === 'events' && isPhoneHeading(heading)) return { heading: 'Venue phone', column: 'place.phone' }
  const isLong = folded.length > 7
  const isMisspelt = (known: string, wrong: number) =>
    Math.abs(known.length - folded.length) <= wrong && known.length > 3 && typos(folded, known) === wrong
  for (const wrong of isLong ? [1, 2] : [1]) {
    const meant = [...columns].find(([known]) => isMisspelt(known, wrong))
    if (meant) return meant[1]
  }
  const bare = columns.get(foldWithout(heading, resource))
  // An ID under `Event ID` belongs to another calendar.
  if (bare && !recordColumns.has(bare.column)) return bare
  const field = isLong ? nearest(headingAsName(heading), Object.keys(resource.fields)) : undefined
  if (field !== undefined) return { heading: field, column: field }
  const mayHide = resource.fields.status !== undefined && hidingHeading.test(folded)
  return mayHide ? { heading: 'Private', column: 'status.private' } : undefined
}

/** Whether a heading means a phone number of anybody. */
export const isPhoneHeading = (heading: string): boolean =>
  phone.split(',').some(word => foldHeading(word) === foldHeading(heading))

/** Whether a column holds a part of a field, such as `start_date.day`. */
export const isFieldPart = (name: string): boolean => parts.has(name)

/** The column of a sheet for translators that tells which text a row has. */
export const textIdHeading = 'text_id'

/** Whether a sheet has texts for translators, not records. */
export const isTextSheet = (headings: readonly string[]): boolean =>
  headings.some(heading => headingAsName(heading) === textIdHeading)

/** Whether a text is a heading of the sheets of any resource, or of sheets for translators. */
export const isKnownHeading = (text: string): boolean =>
  resources.some(resource => columnNamed(text, resource) !== undefined) || isTextSheet([text])

/**
 * What people call the columns of their sheets in Catalan, Spanish and English, besides the words of the contract and the headings of the
 * importer. Case, accents, blanks, punctuation and articles are ignored: `Data d’inici` is `data inici`. `start_date.at` is a column that
 * may contain a day, a time or both; `.name` and `.names` are records by name, never by ID; `place` is a part of the venue. A column such
 * as `status.private` has marks that hide a record, `status.public` those that do not, `status.canceled` those of an event that does not
 * take place as announced; `status.audience` is a mark only if it says yes or no.
 */
type Aliases = Readonly<Record<string, string>>

const { phone, posts, terms } = aliases

const headingAliases: Readonly<Record<ResourceName, Aliases>> = {
  // Other calendars’ exports have the page of an event under these names; `URL` alone may be our own.
  events: { ...posts, ...aliases.events, website: `${posts.website},${aliases.events.website}` },
  venues: { ...posts, ...aliases.venues, phone },
  organizers: { ...posts, ...aliases.organizers, phone },
  categories: { ...terms, ...aliases.categories, description: posts.description },
  tags: { ...terms, description: posts.description },
}

/** A heading that may be about a mark that hides a record. */
const hidingHeading = /privad|privat|ocult|amaga|hidden|hide|secret[ao]?$|confiden|n[to]*publi|unpubli|intern[ao]?l?$/

/**
 * The kinds of sheets for The Events Calendar's importer, with the heading that every one has, and the fields by which the importer
 * identifies existing records. Its manual also has the headings in capitals, and some without `Event`.
 */
export const importerSheets = [
  { resource: 'events', title: 'Event Name', match: ['title', 'start_date', 'end_date'] },
  { resource: 'venues', title: 'Venue Name', match: ['venue'] },
  { resource: 'organizers', title: 'Organizer Name', match: ['organizer'] },
] as const

const parts: ReadonlySet<string> = new Set(
  [...Object.values(importer), ...Object.values<Aliases>(headingAliases)]
    .flatMap(columns => [...Object.keys(columns), ...Object.values(columns)])
    .filter(name => /^[a-z_]+\.[a-z]+$/.test(name)),
)

/** The language of most headings in a sheet; undefined if no language has the most, and for calctl's own names. */
export function languageOfHeadings(headings: readonly string[]): Language | undefined {
  const written = headings.filter(heading => !isOwnName(heading)).map(foldHeading)
  const counts = languages.map(language => {
    const words = wordsOf(language)
    return { language, count: written.filter(heading => words.has(heading)).length }
  })
  const [most, second] = counts.toSorted((one, other) => other.count - one.count)
  return most && second && most.count > second.count ? most.language : undefined
}

const isOwnName = (heading: string): boolean =>
  heading === headingAsName(heading) &&
  (recordColumns.has(heading) ||
    resources.some(({ fields }) => Object.keys(fields).some(name => writtenHeading(name) === heading)))

/** The usual headings of a language, and its words for fields: `Categories: ID, slug o nom`. */
const wordsOf = (language: Language): Set<string> => {
  const fields = resources.flatMap(resource => Object.values(resource.fields))
  return new Set(
    [...leafletHeadings(language), ...fields.map(({ words }) => words[language].split(':')[0] ?? '')].map(foldHeading),
  )
}
