import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { Field, ResourceName } from '../../contract/field.ts'
import { isPendingUpload, uploadName } from '../../contract/kinds/image-kind.ts'
import { asksForNone } from '../../contract/kinds/kind-values.ts'
import { writtenHeading } from '../../contract/posts.ts'
import { clearMark, type SheetForm, writeCell } from '../../files/csv/cell-values.ts'
import { findReportColumns, rowCells, sheetStyle, writeRows } from '../../files/csv/write-csv.ts'
import type { WritableRecord } from '../../files/records/file-record.ts'
import { withHint } from '../plan/overview.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { dependenciesOf, resolveReferences } from '../plan/steps.ts'
import { type KeptRows, type ReturnedSheet, returnedRows } from './kept-rows.ts'
import type { StepResult } from './result.ts'

/** The cells of a record that was not written, by column. */
type Row = Readonly<Record<string, string>>

/** The files that were written, and how many records are in them. */
export interface WrittenSheets {
  readonly files: readonly string[]
  readonly count: number
}

/** What an error sheet is made from. */
export interface ErrorSheetSource {
  readonly plan: Plan
  readonly results: ReadonlyMap<string, StepResult>
  /** The rows of the sheets from which the plan was made, if this command has read them. */
  readonly kept?: KeptRows | undefined
}

/**
 * `--errors`: writes the records that were not written to files that can be applied again. The rows of a sheet are written as they were, in
 * its format, with the columns row and reason. Other records are written as CSV with the columns `error` and `hint`. One sheet has the
 * given name; several have suffixes such as `-events`: one for each resource, and one for rows whose headings are not names of fields.
 */
export async function writeErrorSheets(name: string, source: ErrorSheetSource, folder = ''): Promise<WrittenSheets> {
  const returned = returnedFiles(name, source)
  const isReturned = returnedPlaces(source.kept, returned)
  const sheets = sheetRows(source.plan, source.results, isReturned)
  const isSingle = returned.length === 0 ? sheets.size === 1 : returned.some(({ path }) => path === name)
  // Errors of an earlier run must not look like errors of this one.
  if (!isSingle && existsSync(resolve(folder, name))) await writeFile(resolve(folder, name), '')
  const files: string[] = []
  for (const { path, form, sheets } of returned) {
    const { writeSheets } = await import('../../files/write-sheets.ts')
    const isPrivate = sheets.some(({ headings }) => headings.some(heading => secretColumns.includes(heading)))
    await writeWhole(resolve(folder, path), await writeSheets(sheets, form, path), isPrivate)
    files.push(path)
  }
  for (const [suffix, rows] of sheets) {
    const file = sheets.size + returned.length > 1 ? sheetName(name, suffix) : name
    await writeWhole(resolve(folder, file), await csvOf(rows), rows.some(hasSecret))
    files.push(file)
  }
  const count = returned.flatMap(({ sheets }) => sheets.flatMap(({ rows }) => rows)).length
  return { files, count: count + [...sheets.values()].flat().length }
}

/** A file with rows as they were, and the sheets of the file that was read. */
interface ReturnedFile {
  readonly path: string
  readonly form: SheetForm
  readonly sheets: readonly ReturnedSheet[]
}

function returnedFiles(name: string, { plan, results, kept }: ErrorSheetSource): ReturnedFile[] {
  if (!kept) return []
  const reasons = new Map<string, string>()
  for (const one of plan.invalid) reasons.set(one.at, withHint(one))
  for (const step of plan.steps) {
    const failure = failureOf(step, results)
    if (failure && step.at !== undefined)
      reasons.set(step.at, withHint({ ...failure.details, message: failure.message }))
  }
  const files = new Map<string, ReturnedFile & { sheets: ReturnedSheet[] }>()
  for (const one of kept.sheets) {
    const sheet = returnedRows(one, reasons, plan.lang_code ?? 'en')
    if (!sheet) continue
    const file = files.get(one.file) ?? { path: returnedName(name, one.file, kept), form: one.form, sheets: [] }
    file.sheets.push(sheet)
    files.set(one.file, file)
  }
  return [...files.values()]
}

/** The name for the rows of a file: the given name if there is only one file, otherwise with a suffix. */
function returnedName(name: string, file: string, { sheets }: KeptRows): string {
  const isOnlyOne = new Set(sheets.map(sheet => sheet.file)).size === 1
  return isOnlyOne ? name : sheetName(name, basename(file).replace(/\.\w+$/, ''))
}

/** Whether the rows at a place were written as they were. */
function returnedPlaces(kept: KeptRows | undefined, returned: readonly ReturnedFile[]): (place?: string) => boolean {
  const places = new Set<string>()
  if (returned.length > 0) for (const { rows } of kept?.sheets ?? []) for (const { place } of rows) places.add(place)
  // The rows name the records that they need, such as a venue that could not be created.
  return place => (place === undefined ? returned.length > 0 : places.has(place))
}

/** Whether a row has a password: then only the user may read the file. */
const hasSecret = (row: Row): boolean => secretColumns.some(column => Boolean(row[column]))

const secretColumns = resources.flatMap(({ fields }) =>
  Object.entries(fields).flatMap(([name, { secret, inFiles }]) => (secret || inFiles ? [name] : [])),
)

async function writeWhole(path: string, text: string | Uint8Array, isPrivate: boolean): Promise<void> {
  if (!isPrivate) return writeFile(path, text)
  // Writing to an existing file does not change its mode.
  await writeFile(path, '', { mode: 0o600 })
  await chmod(path, 0o600)
  await writeFile(path, text)
}

const sheetName = (name: string, suffix: string): string => name.replace(/(\.\w+)?$/, `-${suffix}$1`)

/** The files that `writeErrorSheets` may write for a plan, depending on the results of its steps. */
export function possibleSheets(name: string, { steps, invalid }: Plan, kept?: KeptRows): string[] {
  const returned = (kept?.sheets ?? []).map(({ file }) => (kept ? returnedName(name, file, kept) : name))
  const suffixes = new Set<string>()
  for (const { resource } of steps) suffixes.add(resource)
  for (const { resource = 'events', source = {} } of invalid) suffixes.add(suffixOf(resource, Object.keys(source)))
  const isSingle = suffixes.size + returned.length <= 1
  return isSingle
    ? [name]
    : [...new Set([name, ...returned, ...Array.from(suffixes, suffix => sheetName(name, suffix))])]
}

/** Whether these are the headings of an error sheet. */
export function areErrorHeadings(headings: readonly string[]): boolean {
  const [first, second] = headings.slice(-2)
  return (first === 'error' && second === 'hint') || findReportColumns(headings).size > 0
}

const suffixOf = (resource: ResourceName, headings: readonly string[]): string =>
  headings.every(heading => /^[a-z_]+$/.test(heading)) ? resource : `${resource}-as-read`

/** The rows of each sheet, by the suffix of its name. */
function sheetRows(
  { steps, invalid }: Plan,
  results: ReadonlyMap<string, StepResult>,
  isReturned: (place?: string) => boolean,
): Map<string, Row[]> {
  const sheets = new Map<string, Row[]>()
  const add = (resource: ResourceName, row: Row) => {
    const suffix = suffixOf(resource, Object.keys(row))
    const rows = sheets.get(suffix)
    if (rows) rows.push(row)
    else sheets.set(suffix, [row])
  }
  for (const { at, resource = 'events', source = {}, message, hint } of invalid)
    if (!isReturned(at)) add(resource, { ...sourceCells(resource, source), resource, error: message, hint: hint ?? '' })
  const linkOf = linkResolver(steps, step => failureOf(step, results) !== undefined, results)
  for (const step of steps) {
    const failure = failureOf(step, results)
    if (!failure || isReturned(step.at)) continue
    add(step.resource, {
      resource: step.resource,
      ...stepCells(step, linkOf),
      error: failure.message,
      hint: failure.details.hint ?? '',
    })
  }
  return sheets
}

function failureOf({ key }: Step, results: ReadonlyMap<string, StepResult>): Failure | undefined {
  const { state, failure } = results.get(key) ?? {}
  // A step that may have been carried out must not be done again from a file.
  if (state === 'done' || state === 'unknown') return undefined
  return failure ?? (state === 'skipped' ? notSent() : undefined)
}

/** The failure for steps that were not sent because the run was stopped, by the user or by --stop-after. */
const notSent = (): Failure =>
  new Failure('interrupted', phrase('not sent'), {
    hint: phrase('apply this file, or resume the run with: calctl runs resume'),
  })

/** The value that names the record of a step in a cell, by the key of the step: its ID if it was created, otherwise its name. */
function linkResolver(
  steps: Iterable<Step>,
  isReported: (step: Step) => boolean,
  results: ReadonlyMap<string, StepResult>,
): (key: string) => unknown {
  const referenced = new Set<string>()
  for (const step of steps) if (isReported(step)) for (const key of dependenciesOf(step)) referenced.add(key)
  const titles = new Map<string, unknown>()
  for (const { key, resource, values } of steps)
    if (referenced.has(key)) titles.set(key, values[resourceNamed(resource).title])
  return key => results.get(key)?.id ?? titles.get(key)
}

/** Cells of a CSV file as they were read; values of other formats, written as cells. */
const sourceCells = (resource: ResourceName, source: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(
    Object.entries(source).map(([name, value]) => [name, sourceCell(resourceNamed(resource).fields[name], value)]),
  )

function sourceCell(field: Field | undefined, value: unknown): string {
  if (value === null) return clearMark
  if (typeof value !== 'object') return String(value)
  return field?.of ? writeCell(field, value, false) : JSON.stringify(value)
}

/** A step as a row that asks for the same. */
function stepCells(step: Step, linkOf: (key: string) => unknown): Row {
  const { resource, action, id, lang_code: language } = step
  const resolved = resolveReferences(step.values, linkOf) as WritableRecord['values']
  const values = isPendingUpload(resolved.image) ? { ...resolved, image: uploadName(resolved.image) } : resolved
  const cleared = Object.keys(values).filter(name => asksForNone(values[name]))
  const columns = ['id', 'lang_code', 'action', ...Object.keys(values)]
  const record: WritableRecord = {
    resource,
    action: action === 'delete' ? 'trash' : action,
    ...(id !== undefined && { id }),
    ...(language && { lang_code: language }),
    values,
    cleared,
  }
  const cells = rowCells(record, columns, resourceNamed(resource), sheetStyle('csv'))
  return Object.fromEntries(columns.map((column, index) => [writtenHeading(column), cells[index] ?? '']))
}

async function csvOf(rows: readonly Row[]): Promise<string> {
  const lastColumns = ['error', 'hint']
  const columns = [...new Set(rows.flatMap(Object.keys))].filter(name => !lastColumns.includes(name))
  const headings = [...columns, ...lastColumns]
  async function* cells() {
    for (const row of rows) yield headings.map(name => row[name] ?? '')
  }
  let text = ''
  for await (const piece of writeRows(headings, cells(), sheetStyle('csv'))) text += piece
  return text
}
