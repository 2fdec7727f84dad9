import { expect, test } from 'vitest'
import { Failure } from '../../src/base/failure.ts'
import { resources } from '../../src/contract/contract.ts'
import { languages } from '../../src/contract/languages.ts'
import type { Resource } from '../../src/contract/resource.ts'
import aliases from '../../src/files/csv/heading-names.json' with { type: 'json' }
import { columnNamed } from '../../src/files/csv/heading-names.ts'
import importer from '../../src/files/csv/importer-columns.json' with { type: 'json' }
import type { FileRecord } from '../../src/files/records/file-record.ts'
import { read } from '../support/record-files.ts'

const isSoak = process.env.SOAK_ROUNDS !== undefined

/** All texts in the tables of headings, and the words of all fields. */
const tables: readonly (string | Readonly<Record<string, string>>)[] = Object.values(aliases)
const texts = [...Object.values(importer).flatMap(Object.keys), ...tables.flatMap(textsIn)]

function textsIn(table: string | Readonly<Record<string, string>>): string[] {
  const lists = typeof table === 'string' ? [table] : Object.values(table)
  return lists.flatMap(list => list.split(',').map(word => word.trim()))
}

function headingsOf(resource: Resource): string[] {
  const words = Object.entries(resource.fields).flatMap(([name, { words }]) => [
    name,
    ...languages.map(language => words[language].split(':')[0] ?? ''),
  ])
  const known = [...texts, ...words].filter(text => !text.includes('.') && columnNamed(text, resource) !== undefined)
  const rest = ['URL', 'modified', 'utc_start_date', 'Unheard of', 'Ús intern', 'Not to be published']
  const seen = new Map<string, number>()
  const chosen = known.filter(heading => {
    const column = columnNamed(heading, resource) ?? ''
    seen.set(column, (seen.get(column) ?? 0) + 1)
    return isSoak || (seen.get(column) ?? 0) <= 3 || /^(date|data|fecha)$/i.test(heading)
  })
  return [...new Set([...chosen, ...rest])]
}

/** A cell that a column can take. */
function cellFor(column: string, resource: Resource): string {
  const cells: Readonly<Record<string, string>> = {
    id: '7',
    action: 'create',
    lang_code: 'es',
    resource: resource.name,
    timezone: 'UTC',
    'end_date.length': '2h',
    'cost.position': 'suffix',
    status: 'draft',
    event_status: 'canceled',
    date: '2027-06-05',
    date_utc: '2027-06-05',
    image: 'https://a.example/a.jpg',
  }
  const field = resource.fields[column]
  if (cells[column]) return cells[column]
  if (/_date(\.day|\.at)?$/.test(column)) return '2027-06-05'
  if (column.endsWith('.time')) return '19:30'
  if (column.startsWith('status.')) return /public|audience/.test(column) ? 'no' : 'x'
  if (column.startsWith('cost')) return '12'
  if (field?.kind.shape === 'flag') return 'sí'
  return field && ['text', 'prose', 'links'].includes(field.kind.shape) ? 'Ateneu' : (field?.kind.example ?? 'Ateneu')
}

type Cells = Readonly<Record<string, string>>

/** What a sheet of one row says: its record, and everything that people are told. */
async function said(
  resource: Resource,
  cells: Cells,
): Promise<{ control?: FileRecord | undefined; record?: FileRecord | undefined; told: string }> {
  const line = (texts: readonly string[]) => texts.map(text => `"${text.replaceAll('"', '""')}"`).join(',')
  const [last = ''] = Object.keys(cells).slice(-1)
  const rows = [Object.keys(cells), Object.values({ ...cells, [last]: '' }), Object.values(cells)]
  try {
    const { records, notices } = await read(`${rows.map(line).join('\n')}\n`, {
      name: 'a.csv',
      resource: resource.name,
    })
    // A row without any text is none.
    const [record, control] = records.toReversed()
    return { control, record, told: [...notices, JSON.stringify(record?.mistakes)].join('\n') }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { told: `${error.message}\n${error.details.hint}` }
  }
}

const contents = (record: FileRecord | undefined): string => {
  const { id, lang_code, action, origin, values, image_alt, mistakes } = record ?? {}
  return JSON.stringify({ id, lang_code, action, origin, values, image_alt, mistakes })
}

/** The rows beside whose cells a heading must mean the same. */
const companions: readonly Cells[] = [{}, { id: '7' }, ...(isSoak ? [{ id: '' }, { slug: 'a' }, { author: '1' }] : [])]

for (const resource of resources)
  test(`${resource.name}: the cell under each heading is used, named or refused, with an ID and without`, async () => {
    const silent: string[] = []
    const differing: string[] = []
    for (const heading of headingsOf(resource)) {
      const column = columnNamed(heading, resource) ?? ''
      const cell = cellFor(column, resource)
      const meanings = new Set<string>()
      for (const companion of companions) {
        if (Object.keys(companion).some(name => name === column || !(name === 'id' || resource.fields[name]))) continue
        const base: Record<string, string> = { ...companion }
        if (!column.startsWith(resource.title)) base[resource.title] = 'A'
        if (resource.name === 'events' && !column.startsWith('start_date')) base['Start day'] = '2027-06-01'
        const found = await said(resource, { ...base, [heading]: cell })
        const isUsed = found.record !== undefined && contents(found.record) !== contents(found.control)
        if (!isUsed && column !== 'resource' && !found.told.toLowerCase().includes(heading.toLowerCase()))
          silent.push(`${heading} (${column}) = ${cell}, beside ${JSON.stringify(companion)}`)
        // An end that follows from a start, or a whole day, is filled in where the row is new.
        const names = ['date', 'status', 'start_date'].filter(
          name => found.record?.values[name] !== undefined && found.control?.values[name] === undefined,
        )
        // An hour alone has the day of the event, if that exists.
        if (found.record && column !== 'start_date.time') meanings.add(names.join())
      }
      if (meanings.size > 1) differing.push(`${heading}: ${[...meanings].join(' or ')}`)
    }
    expect({ silent, differing }).toEqual({ silent: [], differing: [] })
  })
