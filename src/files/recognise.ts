import { resourceNamed, resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import type { Resource } from '../contract/resource.ts'
import { importerSheets } from './csv/importer.ts'

/**
 * The resource whose records have fields of these names; undefined where it can be several. A title is one resource's, but
 * events have fields of the others' titles, so that a field which only they have decides.
 */
export function resourceOfNames(names: ReadonlySet<string>): ResourceName | undefined {
  const events = resourceNamed('events')
  const titled = resources.filter(({ title }) => names.has(title))
  const owners = resources.filter(resource => ownsOne(resource, names))
  const both = titled.filter(resource => owners.includes(resource))
  if (titled.includes(events) || (owners.includes(events) && both.length === 0)) return 'events'
  const [first, ...others] = titled.length === 0 ? owners : titled.length === 1 ? titled : both
  return others.length === 0 ? first?.name : undefined
}

/** Whether there is a field that no other resource has; a title stands in events, too. */
const ownsOne = (resource: Resource, names: ReadonlySet<string>): boolean =>
  Object.keys(resource.fields).some(
    field => names.has(field) && !resources.some(other => other !== resource && field in other.fields),
  )

/** A heading in lower case, as importers are told by it. */
export const asWords = (heading: string): string =>
  heading
    .replace(/^\uFEFF/, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()

/** A heading as the name of a field. */
export const asName = (heading: string): string => asWords(heading).replace(/[ -]/g, '_')

const isHeading = (text: string): boolean =>
  text.trim().toLowerCase() === 'id' ||
  resources.some(({ fields }) => Object.hasOwn(fields, asName(text))) ||
  importerSheets.some(({ columns }) => Object.hasOwn(columns, asWords(text)))

/** Whether a line is the first of a sheet: it says what separates, or has a heading that is known. */
export const isHeadingLine = (line: string): boolean =>
  /^"?sep=/i.test(line) ||
  line
    .replaceAll('"', '')
    .split(/[,;\t]/)
    .some(isHeading)
