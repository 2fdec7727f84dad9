import type { Resource } from '../../contract/resource.ts'
import { isLanguage, languages } from '../../contract/words.ts'
import { nearest } from '../../text/nearest.ts'
import { isAnswered } from '../answered.ts'
import { fieldNamed, type Read, readField, stretchDays, textOf } from './field-values.ts'
import { actions, type FileRecord, type Mistake, type Notice, sentence } from './file-record.ts'

/** One value of a record: the name of a field, or `id`, `lang_code`, `action`, `origin`. Null empties the field. */
export interface Entry {
  readonly name: string
  readonly value: unknown
  /** The column or key, as the file has it. */
  readonly column: string
  /** What to expect, where the file's kind says it better than the field's. */
  readonly expected?: string
}

/** Makes a record of entries; `match` names the fields that say which record it is. */
export type Build = (
  resource: Resource,
  entries: readonly Entry[],
  place: string,
  match?: readonly string[],
) => FileRecord

/** What is read along with the fields, or written by reports of failures. */
const besides = new Set(['error', 'hint'])

/** How wrong values are taken. */
export interface BuildOptions {
  /** Wrong values of fields that need none are left out, and said. */
  readonly skipInvalidCells?: boolean
}

/** Makes what turns entries into records: checks every value, and says once of each column that it is no field. */
export function builder(name: string, notice: Notice, options: BuildOptions = {}): Build {
  const said = new Set<string>()
  const sayUnknown = (resource: Resource, column: string, key: string) => {
    if (said.has(`${resource.name} ${column}`)) return
    said.add(`${resource.name} ${column}`)
    const meant = nearest(key, Object.keys(resource.fields))
    notice(`${name}: ${resource.name} have no field "${column}"${meant ? ` (${meant}?)` : ''}, it is left alone`)
  }

  return (resource, entries, place, match) => {
    const head: Head = {}
    const values: Record<string, unknown> = {}
    const cleared: string[] = []
    const mistakes: Mistake[] = []
    const isIgnored = entries.some(({ name, value }) => name === 'action' && isIgnore(value))
    const isNeeded = (name: string) => name === 'resource' || heads.has(name) || resource.required.includes(name)
    const wrong = (mistake: Mistake, needed: boolean) => {
      if (isIgnored) return
      if (needed || !options.skipInvalidCells) mistakes.push(mistake)
      else notice(`${sentence(place, mistake)}; left out`)
    }
    for (const { name, value, column, expected } of entries) {
      const read = readEntry(resource, name, value)
      if (read.kind === 'value') values[name] = read.value
      else if (read.kind === 'cleared') cleared.push(name)
      else if (read.kind === 'head') Object.assign(head, read.head)
      else if (read.kind === 'unknown') sayUnknown(resource, column, name)
      else if (read.kind === 'wrong')
        for (const mistake of read.mistakes)
          wrong({ ...mistake, ...(expected && { expected }), column: `${column}${mistake.column}` }, isNeeded(name))
    }
    stretchDays(values)
    return {
      resource: resource.name,
      ...head,
      values,
      cleared,
      place,
      mistakes,
      ...(match && head.id === undefined && { match }),
      ...(mistakes.length > 0 && { source: Object.fromEntries(entries.map(({ column, value }) => [column, value])) }),
    }
  }
}

/** Whether a record is to be left alone, whatever else it says. */
export const isIgnore = (action: unknown): boolean => String(action).trim().toLowerCase() === 'ignore'

type Head = Partial<Pick<FileRecord, 'id' | 'lang_code' | 'action' | 'origin' | 'slug'>>

function readEntry(resource: Resource, name: string, value: unknown): Read | { kind: 'head'; head: Head } | Unknown {
  const field = fieldNamed(resource, name)
  if (name === 'resource') return readResource(resource, value)
  if (value === undefined || besides.has(name)) return { kind: 'left' }
  if (field) return readField(field, value)
  const readHead = heads.get(name)
  if (!readHead) return { kind: isAnswered(name) ? 'left' : 'unknown' }
  if (value === null || value === '') return { kind: 'left' }
  const read = readHead(String(value).trim())
  return 'expected' in read
    ? { kind: 'wrong', mistakes: [{ ...read, column: '', given: textOf(value) }] }
    : { kind: 'head', head: read }
}

/** All rows of a sheet are of one resource. */
function readResource({ name }: Resource, value: unknown): Read {
  const given = textOf(value ?? '').trim()
  return given === '' || given === name
    ? { kind: 'left' }
    : { kind: 'wrong', mistakes: [{ column: '', expected: `${name}, as the file is read`, given }] }
}

interface Unknown {
  readonly kind: 'unknown'
}

/** What is larger would be rounded, and be the ID of another record. */
const isId = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))

const heads = new Map<string, (text: string) => Head | Pick<Mistake, 'expected' | 'meant'>>([
  ['id', text => (isId(text) ? { id: Number(text) } : { expected: 'an ID' })],
  ['origin', text => ({ origin: text })],
  ['slug', text => ({ slug: text })],
  [
    'lang_code',
    text => {
      const language = text.toLowerCase()
      return isLanguage(language) ? { lang_code: language } : { expected: `one of ${languages.join(', ')}` }
    },
  ],
  [
    'action',
    text => {
      const action = actions.find(action => action === text.toLowerCase())
      const meant = nearest(text.toLowerCase(), actions)
      return action ? { action } : { expected: `one of ${actions.join(', ')}`, ...(meant && { meant }) }
    },
  ],
])
