import { escapeFormula, sanitizeLine } from '../../base/text/escaping.ts'
import { writtenHeading } from '../../contract/posts.ts'
import { cellsAt, type Form, type Shape } from './printed-rows.ts'
import { type Projection, projectionOf } from './projection.ts'

/** A format for programs. */
type DataFormat = 'json' | 'ndjson' | 'ids' | 'csv' | 'tsv' | 'yaml'

/** The form of one record, or of several, in a format for programs. */
export async function dataForm(
  format: DataFormat,
  single: boolean,
  { shape, fields }: { readonly shape: Shape; readonly fields: readonly string[] | undefined },
): Promise<Form> {
  const columns = fields ?? shape.columns
  const project = projectionOf(fields)
  switch (format) {
    case 'json':
      return single ? jsonObject(project) : jsonArray(project)
    case 'ndjson':
      return ndjson(project)
    case 'ids':
      return idForm(shape.key)
    case 'csv':
      return csv(columns)
    case 'tsv':
      return tsv(columns)
    case 'yaml':
      return (await import('./yaml.ts')).yaml(single, project)
  }
}

const indented = (value: unknown) => JSON.stringify(value, null, 2)

/** One indented object. */
const jsonObject = (project: Projection): Form => ({ record: record => `${indented(project(record))}\n` })

/** An indented array, on a terminal and in a pipe alike. */
const jsonArray = (project: Projection): Form => ({
  open: '[',
  record: (record, index) => `${index === 0 ? '' : ','}\n  ${indented(project(record)).replaceAll('\n', '\n  ')}`,
  close: count => (count === 0 ? ']\n' : '\n]\n'),
})

const ndjson = (project: Projection): Form => ({ record: record => `${JSON.stringify(project(record))}\n` })

/** For spreadsheet programs, like CSV. */
const tsv = (paths: readonly string[]): Form => ({
  open: `${paths.map(writtenHeading).join('\t')}\n`,
  record: record => `${cellsAt(record, paths).map(sanitizeLine).map(escapeFormula).join('\t')}\n`,
})

/** The key of each record, one per line; records without a key are left out. */
const idForm = (key = 'id'): Form => ({
  record: ({ [key]: value }) => (value === undefined || value === null ? '' : `${value}\n`),
})

/** Quoted as in RFC 4180, but with the line ends of the other forms. */
async function csv(paths: readonly string[]): Promise<Form> {
  const { stringify } = await import('csv-stringify/sync')
  const line = (cells: readonly string[]) => stringify([cells])
  return { open: line(paths.map(writtenHeading)), record: record => line(cellsAt(record, paths).map(escapeFormula)) }
}
