import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { asName, asWords, resourceOfNames } from '../recognise.ts'
import { fieldNamed } from '../records/field-values.ts'
import { importerSheets, isPart } from './importer.ts'

/** What a column holds: a field, `id` and its like, a part of a field such as `start_date.day`, or nothing we know. */
interface Column {
  readonly heading: string
  readonly name: string
}

/** What the heading line tells. */
export interface Sheet {
  readonly resource: Resource
  readonly columns: readonly Column[]
  /** The fields by which the importer that the sheet was made for recognises a record. */
  readonly match?: readonly string[]
}

/** Recognises the columns by their headings, ours or the site's own importer's. */
export function readHeadings(headings: readonly string[], name: string, asked: ResourceName | undefined): Sheet {
  const importer = importerSheets.find(({ title }) => headings.some(heading => asWords(heading) === title))
  if (asked && importer && importer.resource !== asked)
    throw new Failure('usage', `${name} is a sheet of ${importer.resource}, not of ${asked}`, {
      hint: `read it as what it is: --resource ${importer.resource}`,
    })
  const resource = resourceNamed(asked ?? importer?.resource ?? guessed(headings, name))
  const columns = headings.map((given, index) => {
    const heading = given.trim() || `column ${index + 1}`
    return { heading, name: columnName(heading, resource) }
  })
  refuseDoubles(
    columns.filter(({ name }) => besides.has(name) || isKnown(name, resource)),
    name,
  )
  if (!columns.some(column => isKnown(column.name, resource)))
    throw new Failure('usage', `${name} has no column that is a field of ${resource.name}`, {
      hint: `name the columns in its first line: ${Object.keys(resource.fields).slice(0, 6).join(', ')}, …`,
    })
  return { resource, columns, ...(importer && { match: importer.match }) }
}

function columnName(heading: string, resource: Resource): string {
  const own = asName(heading)
  if (isKnown(own, resource)) return own
  const importer = importerSheets.find(sheet => sheet.resource === resource.name)
  return importer?.columns[asWords(heading)] ?? own
}

/** What is read along with the fields. */
const besides = new Set(['resource', 'lang_code', 'action', 'origin', 'slug'])

const isKnown = (name: string, resource: Resource): boolean =>
  name === 'id' || fieldNamed(resource, name) !== undefined || isPart(name)

function guessed(headings: readonly string[], name: string): ResourceName {
  const found = resourceOfNames(new Set(headings.map(asName)))
  if (found) return found
  throw new Failure('usage', `${name} does not say what its records are`, {
    hint: `say it with: --resource ${resources.map(resource => resource.name).join('|')}`,
  })
}

function refuseDoubles(columns: readonly Column[], name: string): void {
  const seen = new Map<string, string>()
  for (const { heading, name: column } of columns) {
    const before = seen.get(column)
    if (before !== undefined)
      throw new Failure('usage', `${name} has two columns for ${column}: "${before}" and "${heading}"`, {
        hint: 'take one of them out',
      })
    seen.set(column, heading)
  }
}
