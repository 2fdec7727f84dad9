/**
 * The columns that headings stand for: fields by calctl's names, by the importer's headings, by the words of the contract and by
 * what people write. Headings are compared without case, accents, blanks, punctuation and articles.
 */

import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { type Resource, writableFields } from '../../contract/resource.ts'
import { foldCase, nearest, smallWords, typos } from '../../text/similarity.ts'
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
export const foldHeading = (heading: string): string => headingWords(heading).join('')

/** The same without the word for the records themselves: `Hide From Event Listings` is `hidefromlistings`. */
const foldWithout = (heading: string, { singular }: Resource): string =>
  headingWords(heading)
    .filter(word => word !== singular)
    .join('')

const headingWords = (heading: string): string[] =>
  foldCase(heading)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => !smallWords.has(word))

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

interface KnownHeadings {
  /** By folded headings. */
  readonly columns: ReadonlyMap<string, KnownHeading>
  /** The headings of the importer, as `foldWithout` gives them. */
  readonly importer: ReadonlySet<string>
}

const tables = new Map<ResourceName, KnownHeadings>()

/** The columns of a resource's sheets. */
function headingsOf(resource: Resource): KnownHeadings {
  const known = tables.get(resource.name)
  if (known) return known
  const columns = new Map<string, KnownHeading>()
  const importerHeadings = new Set<string>()
  // What was added first keeps its meaning.
  const add = (heading: string, column: string, folded = foldHeading(heading)) => {
    if (folded !== '' && !columns.has(folded)) columns.set(folded, { heading: heading.trim(), column })
  }
  for (const name of [...recordColumns, ...Object.keys(resource.fields)]) add(name, name)
  const importer = importerSheets.find(sheet => sheet.resource === resource.name)
  for (const [heading, column] of Object.entries(importer?.columns ?? {})) {
    add(heading, column)
    if (resource.name !== 'events') continue
    add(heading, column, foldWithout(heading, resource))
    importerHeadings.add(foldWithout(heading, resource))
  }
  for (const [column, headings] of Object.entries(headingAliases[resource.name]))
    for (const heading of headings) add(heading, column)
  // `Categories: ID, slug o nom`
  for (const [name, { words }] of writableFields(resource))
    for (const text of Object.values(words)) add(text.split(':')[0] ?? '', name)
  const headings = { columns, importer: importerHeadings }
  tables.set(resource.name, headings)
  return headings
}

/** The column that a heading stands for in a sheet of this resource: a field, a part of one such as `start_date.day`, or `id`. */
export function columnNamed(heading: string, resource: Resource): string | undefined {
  if (isPath(heading)) return undefined
  const { columns, importer } = headingsOf(resource)
  const found = columns.get(foldHeading(heading))
  if (found || importer.size === 0) return found?.column
  const bare = foldWithout(heading, resource)
  return importer.has(bare) ? columns.get(bare)?.column : undefined
}

/** A known heading that this one was probably meant to be, with its column. */
export function nearHeading(heading: string, resource: Resource): KnownHeading | undefined {
  const folded = foldHeading(heading)
  if (isPath(heading) || folded.length < 4) return undefined
  const { columns } = headingsOf(resource)
  const isLong = folded.length > 7
  for (let wrong = 1; wrong <= (isLong ? 2 : 1); wrong++)
    for (const [known, found] of columns)
      if (Math.abs(known.length - folded.length) <= wrong && known.length > 3 && typos(folded, known) === wrong)
        return found
  const bare = columns.get(foldWithout(heading, resource))
  // The ID under `Event ID` is that of another calendar.
  if (bare && !recordColumns.has(bare.column)) return bare
  const field = isLong ? nearest(headingAsName(heading), Object.keys(resource.fields)) : undefined
  return field === undefined ? undefined : { heading: field, column: field }
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
