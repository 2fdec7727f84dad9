import { isLanguage, languages } from '../../contract/languages.ts'
import type { Resource } from '../../contract/resource.ts'
import { nearest } from '../../text/similarity.ts'
import { listOf } from '../../text/words.ts'
import { asText, type FieldValue, fieldNamed, isReadOnlyKey, normalizeAllDayTimes, readField } from './field-values.ts'
import { actions, type FileRecord, type Mistake, type Notice } from './file-record.ts'

/** A key of a record with its value: a field, or `id`, `lang_code`, `action`, `origin`. Null empties a field. */
export interface RecordEntry {
  readonly name: string
  readonly value: unknown
  /** The column or key, as the file has it. */
  readonly column: string
  /** What is expected, if the kind of file knows better than the field. */
  readonly expected?: string
  /** What to do about a value that cannot be read. */
  readonly advice?: string
  /** The column is a heading of a sheet; one that is close to a known heading was asked about before. */
  readonly isHeading?: true
  /** The value contradicts another one of the row, whatever the field takes. */
  readonly isWrong?: true
}

/** Builds a record of entries; `match` names the fields that identify it. */
export type Build = (
  resource: Resource,
  entries: readonly RecordEntry[],
  place: string,
  match?: readonly string[],
) => FileRecord

/** The columns that `--errors` adds to the records it writes. */
const reportColumns = new Set(['error', 'hint', 'report.row', 'report.reason', 'report.date_order', 'report.ignored'])

export interface BuildOptions {
  /** Skips invalid values of optional fields, with a notice. */
  readonly skipInvalidCells?: boolean
}

/** Creates the function that builds records of entries: it checks every value, and reports each unknown column once. */
export function createBuild(name: string, notice: Notice, options: BuildOptions = {}): Build {
  const reported = new Set<string>()
  const noticeUnknown = (resource: Resource, { column, name: key, isHeading }: RecordEntry) => {
    const id = `${resource.name} ${column}`
    if (reported.has(id)) return
    reported.add(id)
    const suggestion = isHeading ? undefined : nearest(key, Object.keys(resource.fields))
    const question = suggestion ? ` (did you mean ${suggestion}?)` : ''
    notice(`${name}: ignored "${column}": ${resource.name} have no such field${question}`)
  }
  let hasNoticedTimes = false
  const noticeTimes = (place: string, leftOut: readonly string[]) => {
    if (leftOut.length === 0 || hasNoticedTimes) return
    hasNoticedTimes = true
    notice(`${name}: ${place}: lasts all day: left out ${listOf(leftOut)}; the same in other records like it`)
  }

  return (resource, entries, place, match) => {
    const head: Head = {}
    const values: Record<string, unknown> = {}
    const cleared: string[] = []
    const mistakes: Mistake[] = []
    const isIgnored = entries.some(({ name, value }) => name === 'action' && isIgnore(value))
    const isRequired = (name: string) => name === 'resource' || heads.has(name) || resource.required.includes(name)
    const addMistake = (name: string, mistake: Mistake) => {
      if (isIgnored) return
      if (isRequired(name) || !options.skipInvalidCells) mistakes.push(mistake)
      else notice(`${describeMistake(place, mistake)}; skipped`)
    }
    for (const entry of entries) {
      const { name: given, value, column, expected, advice, isWrong } = entry
      const name = fieldNamed(resource, given)?.inFiles ?? given
      const read: EntryValue = isWrong ? wrongValue(value) : readEntry(resource, name, value)
      if (read.kind === 'value') values[name] = read.value
      else if (read.kind === 'cleared') cleared.push(name)
      else if (read.kind === 'head') Object.assign(head, read.head)
      else if (read.kind === 'unknown') noticeUnknown(resource, entry)
      else if (read.kind === 'invalid')
        for (const mistake of read.mistakes)
          addMistake(name, {
            ...mistake,
            ...(expected && { expected }),
            ...(advice && { advice }),
            column: `${column}${mistake.column}`,
          })
    }
    noticeTimes(place, normalizeAllDayTimes(values))
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

/** `row 5, Event Website: expected an http or https URL, got "93 123 45 67"` */
const describeMistake = (place: string, { column, expected, value, message }: Mistake): string =>
  `${place}${column && `, ${column}`}: ${message ?? `expected ${expected}, got "${value}"`}`

/** Whether the `action` of a record says to ignore it, mistakes included. */
export const isIgnore = (action: unknown): boolean => String(action).trim().toLowerCase() === 'ignore'

/** The values of a record that are not fields. */
type Head = Partial<Pick<FileRecord, 'id' | 'lang_code' | 'action' | 'origin' | 'image_alt'>>

type EntryValue = FieldValue | { kind: 'head'; head: Head } | { kind: 'unknown' }

const wrongValue = (value: unknown): EntryValue => ({
  kind: 'invalid',
  mistakes: [{ column: '', expected: 'another value', value: asText(value) }],
})

function readEntry(resource: Resource, name: string, value: unknown): EntryValue {
  if (name === 'resource') return readResource(resource, value)
  if (value === undefined || reportColumns.has(name)) return { kind: 'skipped' }
  const field = fieldNamed(resource, name)
  if (field) return readField(field, value)
  const readHead = name === 'image_alt' && !resource.fields.image ? undefined : heads.get(name)
  if (!readHead) return { kind: isReadOnlyKey(name) ? 'skipped' : 'unknown' }
  if (value === null || value === '') return { kind: 'skipped' }
  const read = readHead(String(value).trim())
  if (!('expected' in read)) return { kind: 'head', head: read }
  return { kind: 'invalid', mistakes: [{ ...read, column: '', value: asText(value) }] }
}

/** All rows of a sheet have the same resource. */
function readResource({ name }: Resource, value: unknown): FieldValue {
  const text = asText(value ?? '').trim()
  if (text === '' || text === name) return { kind: 'skipped' }
  return { kind: 'invalid', mistakes: [{ column: '', expected: `${name}, like the other records`, value: text }] }
}

/** Integers beyond 2^53 would be rounded to the ID of another record. */
const isId = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))

const heads = new Map<string, (text: string) => Head | Pick<Mistake, 'expected' | 'suggestion'>>([
  ['id', text => (isId(text) ? { id: Number(text) } : { expected: 'an ID' })],
  ['origin', text => ({ origin: text })],
  ['image_alt', text => ({ image_alt: text })],
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
      if (action) return { action }
      const suggestion = nearest(text.toLowerCase(), actions)
      return { expected: `one of ${actions.join(', ')}`, ...(suggestion && { suggestion }) }
    },
  ],
])
