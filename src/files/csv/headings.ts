import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { lookupTable } from '../../text/lookup-table.ts'
import { fieldNamed, resourceOfNames } from '../records/field-values.ts'
import { findReportColumns } from './report-columns.ts'

/**
 * What a column holds: a field, `id` or the like, or a part of a field that is spread over several columns, such as
 * `start_date.day`. Unknown columns keep their heading as name.
 */
interface Column {
  readonly heading: string
  readonly name: string
}

export interface Sheet {
  readonly resource: Resource
  readonly columns: readonly Column[]
  /** The fields by which the importer that the sheet was made for identifies a record. */
  readonly match?: readonly string[]
}

/** Recognizes the columns of a sheet by calctl's headings or those of The Events Calendar's importer. */
export function readHeadings(
  headings: readonly string[],
  name: string,
  requestedResource: ResourceName | undefined,
): Sheet {
  const importer = importerSheets.find(({ title }) => headings.some(heading => normalizeHeading(heading) === title))
  if (requestedResource && importer && importer.resource !== requestedResource)
    throw new Failure('usage', `${name} is a sheet of ${importer.resource}, not of ${requestedResource}`, {
      hint: `read it with: --resource ${importer.resource}`,
    })
  const resource = resourceNamed(requestedResource ?? importer?.resource ?? guessResource(headings, name))
  const report = findReportColumns(headings)
  const columns = headings.map((text, index) => {
    const heading = text.trim() || `column ${index + 1}`
    return { heading, name: report.get(index) ?? columnName(heading, resource) }
  })
  checkDuplicates(
    columns.filter(({ name }) => isKnownColumn(name, resource)),
    name,
  )
  if (!columns.some(column => isKnown(column.name, resource)))
    throw new Failure('usage', `${name} has no column for a field of ${resource.name}`, {
      hint: `name the columns in the first line: ${Object.keys(resource.fields).slice(0, 6).join(', ')}, …`,
    })
  return { resource, columns, ...(importer && { match: importer.match }) }
}

function columnName(heading: string, resource: Resource): string {
  const name = headingAsName(heading)
  if (isKnown(name, resource)) return name
  const importer = importerSheets.find(sheet => sheet.resource === resource.name)
  return importer?.columns[normalizeHeading(heading)] ?? name
}

/** Columns about a record that are not fields. */
const recordColumns = new Set(['resource', 'lang_code', 'action', 'origin'])

/** Whether a column is about a record, or is read into one of its fields. */
export const isKnownColumn = (name: string, resource: Resource): boolean =>
  recordColumns.has(name) || isKnown(name, resource)

const isKnown = (name: string, resource: Resource): boolean =>
  name === 'id' || fieldNamed(resource, name) !== undefined || isFieldPart(name)

function guessResource(headings: readonly string[], name: string): ResourceName {
  const resource = resourceOfNames(new Set(headings.map(headingAsName)))
  if (resource) return resource
  throw new Failure('usage', `${name}: cannot tell which resource its records are`, {
    hint: `set it with: --resource ${resources.map(resource => resource.name).join('|')}`,
  })
}

function checkDuplicates(columns: readonly Column[], name: string): void {
  const headings = new Map<string, string>()
  for (const { heading, name: column } of columns) {
    const first = headings.get(column)
    if (first !== undefined)
      throw new Failure('usage', `${name} has two columns for ${column}: "${first}" and "${heading}"`, {
        hint: 'remove one of them',
      })
    headings.set(column, heading)
  }
}

const normalizeHeading = (heading: string): string =>
  heading
    .replace(/^\uFEFF/, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()

/** `Start date` as `start_date` */
const headingAsName = (heading: string): string => normalizeHeading(heading).replace(/[ -]/g, '_')

/** Whether a line is the first of a sheet: Excel's `sep=;`, or one with a known heading. */
export const isHeadingLine = (line: string): boolean =>
  /^"?sep=/i.test(line) ||
  line
    .replaceAll('"', '')
    .split(/[,;\t]/)
    .some(isKnownHeading)

export const isKnownHeading = (text: string): boolean =>
  text.trim().toLowerCase() === 'id' ||
  resources.some(({ fields }) => Object.hasOwn(fields, headingAsName(text))) ||
  importerSheets.some(({ columns }) => Object.hasOwn(columns, normalizeHeading(text)))

/** The fields, or parts of fields, by the headings of The Events Calendar's importer, in lower case. */
type ImporterColumns = Readonly<Record<string, string>>

const eventColumns: ImporterColumns = lookupTable({
  'event name': 'title',
  'event description': 'description',
  'event excerpt': 'excerpt',
  'event start date': 'start_date.day',
  'event start time': 'start_date.time',
  'event end date': 'end_date.day',
  'event end time': 'end_date.time',
  'event time zone': 'timezone',
  timezone: 'timezone',
  'all day event': 'all_day',
  'hide event from event listings': 'hide_from_listings',
  'event hide from upcoming listings': 'hide_from_listings',
  'event sticky in month view': 'sticky',
  'feature event': 'featured',
  'featured event': 'featured',
  'event venue name': 'venue.name',
  'event organizer name': 'organizer',
  'event organizer name(s) or id(s)': 'organizer',
  'event show map link': 'show_map_link',
  'event show map': 'show_map',
  'event cost': 'cost.amount',
  'event currency symbol': 'cost.symbol',
  'event currency position': 'cost.position',
  'event iso currency code': 'cost.code',
  'event category': 'categories',
  'event tags': 'tags',
  'event website': 'website',
  'event featured image': 'image',
})

const venueColumns: ImporterColumns = lookupTable({
  'venue name': 'venue',
  'venue description': 'description',
  'venue country': 'country',
  'venue address': 'address',
  'venue address 2': 'address.more',
  'venue city': 'city',
  'venue state/province': 'stateprovince',
  'venue zip': 'zip',
  'venue phone': 'phone',
  'venue website': 'website',
  'venue featured image': 'image',
})

const organizerColumns: ImporterColumns = lookupTable({
  'organizer name': 'organizer',
  'organizer description': 'description',
  'organizer email': 'email',
  'organizer website': 'website',
  'organizer phone': 'phone',
  'organizer featured image': 'image',
})

/** A kind of sheet that The Events Calendar's importer reads. */
interface ImporterSheet {
  readonly resource: ResourceName
  readonly columns: ImporterColumns
  /** The heading that every sheet of this kind has. */
  readonly title: string
  /** The fields by which the importer identifies existing records. */
  readonly match: readonly string[]
}

const importerSheets: readonly ImporterSheet[] = [
  { resource: 'events', columns: eventColumns, title: 'event name', match: ['title', 'start_date', 'end_date'] },
  { resource: 'venues', columns: venueColumns, title: 'venue name', match: ['venue'] },
  { resource: 'organizers', columns: organizerColumns, title: 'organizer name', match: ['organizer'] },
]

const fieldParts = new Set(
  importerSheets.flatMap(({ columns }) => Object.values(columns).filter(name => name.includes('.'))),
)

/** Whether a column holds a part of a field, such as `start_date.day`. */
export const isFieldPart = (name: string): boolean => fieldParts.has(name)
