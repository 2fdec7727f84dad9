/**
 * The columns that headings stand for: fields by calctl's names, by the importer's headings, by the words of the contract and by
 * what people write. Headings are compared without case, accents, blanks, punctuation and articles.
 */

import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { type Resource, writableFields } from '../../contract/resource.ts'
import { foldCase, smallWords, typos } from '../../text/similarity.ts'
import { headingAliases } from './heading-aliases.ts'
import { importerSheets } from './importer-headings.ts'

/** Columns about a record that are not fields. */
export const recordColumns: ReadonlySet<string> = new Set([
  'id',
  'resource',
  'lang_code',
  'action',
  'origin',
  'image_alt',
])

/** A heading in the form in which headings are compared: `Data d’inici` and `DATA_INICI:` are `datainici`. */
export const foldHeading = (heading: string): string =>
  foldCase(heading)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => !smallWords.has(word))
    .join('')

/** `Start date` as `start_date` */
export const headingAsName = (heading: string): string =>
  heading
    .replace(/^\uFEFF/, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(/[ -]/g, '_')

/** Paths into linked records, as lists print them, are no headings for fields: `venue.city`. */
const isPath = (heading: string): boolean => /^\s*\w+(\.\w+)+\s*$/.test(heading)

/** A column with a heading that stands for it. */
interface KnownHeading {
  readonly heading: string
  readonly column: string
}

const tables = new Map<ResourceName, ReadonlyMap<string, KnownHeading>>()

/** The columns of a resource's sheets by their folded headings. */
function columnsByHeading(resource: Resource): ReadonlyMap<string, KnownHeading> {
  const known = tables.get(resource.name)
  if (known) return known
  const columns = new Map<string, KnownHeading>()
  // What was added first keeps its meaning.
  const add = (heading: string, column: string) => {
    const folded = foldHeading(heading)
    if (folded !== '' && !columns.has(folded)) columns.set(folded, { heading: heading.trim(), column })
  }
  for (const name of [...recordColumns, ...Object.keys(resource.fields)]) add(name, name)
  const importer = importerSheets.find(sheet => sheet.resource === resource.name)
  for (const [heading, column] of Object.entries(importer?.columns ?? {})) {
    add(heading, column)
    add(heading.replace(/\bEvent\b/g, ''), column)
  }
  for (const [column, headings] of Object.entries(headingAliases[resource.name]))
    for (const heading of headings) add(heading, column)
  // `Categories: ID, slug o nom`
  for (const [name, { words }] of writableFields(resource))
    for (const text of Object.values(words)) add(text.split(':')[0] ?? '', name)
  tables.set(resource.name, columns)
  return columns
}

/** The column that a heading stands for in a sheet of this resource: a field, a part of one such as `start_date.day`, or `id`. */
export const columnNamed = (heading: string, resource: Resource): string | undefined =>
  isPath(heading) ? undefined : columnsByHeading(resource).get(foldHeading(heading))?.column

/** A known heading that this one was probably meant to be, with its column. */
export function nearHeading(heading: string, resource: Resource): KnownHeading | undefined {
  const folded = foldHeading(heading)
  if (isPath(heading) || folded.length < 4) return undefined
  const allowed = folded.length > 7 ? 2 : 1
  for (let wrong = 1; wrong <= allowed; wrong++)
    for (const [known, found] of columnsByHeading(resource))
      if (Math.abs(known.length - folded.length) <= wrong && known.length > 3 && typos(folded, known) === wrong)
        return found
  return undefined
}

const parts: ReadonlySet<string> = new Set(
  [...importerSheets.map(({ columns }) => columns), ...Object.values(headingAliases)]
    .flatMap(columns => [...Object.keys(columns), ...Object.values(columns).flat()])
    .filter(name => /^[a-z_]+\.[a-z]+$/.test(name)),
)

/** Whether a column holds a part of a field, such as `start_date.day`. */
export const isFieldPart = (name: string): boolean => parts.has(name)

/** Whether a text is a heading of some resource's sheets. */
export const isKnownHeading = (text: string): boolean =>
  resources.some(resource => columnNamed(text, resource) !== undefined)
