import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { resourceNamed, resources } from '../contract/contract.ts'
import type { Field, ResourceName } from '../contract/field.ts'
import { Failure } from '../failure.ts'
import { clearMark, writeCell } from '../files/csv/cell-values.ts'
import { rowCells, sheetStyle, writeRows } from '../files/csv/write-csv.ts'
import type { WritableRecord } from '../files/records/file-record.ts'
import { type Plan, referencedKeys, resolveReferences, type Step } from '../plan/plan.ts'
import type { StepResult } from './result.ts'

/** The cells of a record that was not written, by column. */
type Row = Readonly<Record<string, string>>

/** The files that were written, and how many records are in them. */
export interface WrittenSheets {
  readonly files: readonly string[]
  readonly count: number
}

/**
 * `--errors`: writes the records that were not written as CSV that can be applied again, with the columns `error` and `hint`. One
 * sheet has the given name; several have `-events` and so on behind it: one for each resource, and one for rows whose headings
 * are not field names.
 */
export async function writeErrorSheets(
  name: string,
  plan: Plan,
  results: ReadonlyMap<string, StepResult>,
  folder = '',
): Promise<WrittenSheets> {
  const sheets = sheetRows(plan, results)
  // The errors of an earlier run must not be taken for those of this one.
  if (sheets.size !== 1 && existsSync(resolve(folder, name))) await writeFile(resolve(folder, name), '')
  const files: string[] = []
  for (const [suffix, rows] of sheets) {
    const file = sheets.size > 1 ? sheetName(name, suffix) : name
    const path = resolve(folder, file)
    if (rows.some(hasSecret)) await writePrivate(path, await csvOf(rows))
    else await writeFile(path, await csvOf(rows))
    files.push(file)
  }
  return { files, count: [...sheets.values()].flat().length }
}

/** Whether a row has a password: the file is for the eyes of the user alone then. */
const hasSecret = (row: Row): boolean => secretColumns.some(column => Boolean(row[column]))

const secretColumns = resources.flatMap(({ fields }) =>
  Object.entries(fields).flatMap(([name, { secret, inFiles }]) => (secret || inFiles ? [name] : [])),
)

async function writePrivate(path: string, text: string): Promise<void> {
  // An older file keeps its mode when it is written.
  await writeFile(path, '', { mode: 0o600 })
  await chmod(path, 0o600)
  await writeFile(path, text)
}

const sheetName = (name: string, suffix: string): string => name.replace(/(\.\w+)?$/, `-${suffix}$1`)

/** The files that `writeErrorSheets` may write for a plan, whatever becomes of its steps. */
export function possibleSheets(name: string, { steps, invalid }: Plan): string[] {
  const suffixes = new Set<string>()
  for (const { resource } of steps) suffixes.add(resource)
  for (const { resource = 'events', source = {} } of invalid) suffixes.add(suffixOf(resource, Object.keys(source)))
  return suffixes.size > 1 ? [name, ...Array.from(suffixes, suffix => sheetName(name, suffix))] : [name]
}

/** Whether the first line of a file is that of an error sheet. */
export const isErrorSheet = (firstLine: string): boolean => /(^|,)error,hint\r?$/.test(firstLine)

const suffixOf = (resource: ResourceName, headings: readonly string[]): string =>
  headings.every(heading => /^[a-z_]+$/.test(heading)) ? resource : `${resource}-as-read`

/** The rows of each sheet, by the suffix of its name. */
function sheetRows({ steps, invalid }: Plan, results: ReadonlyMap<string, StepResult>): Map<string, Row[]> {
  const sheets = new Map<string, Row[]>()
  const add = (resource: ResourceName, row: Row) => {
    const suffix = suffixOf(resource, Object.keys(row))
    const rows = sheets.get(suffix)
    if (rows) rows.push(row)
    else sheets.set(suffix, [row])
  }
  for (const { resource = 'events', source = {}, message, hint } of invalid)
    add(resource, { ...sourceCells(resource, source), resource, error: message, hint: hint ?? '' })
  const failureOf = ({ key }: Step) => {
    const { state, failure } = results.get(key) ?? {}
    // A step that may have been done must not be done again from a file.
    if (state === 'done' || state === 'unknown') return undefined
    return failure ?? (state === 'skipped' ? notSent : undefined)
  }
  const linkOf = linkResolver(steps, step => failureOf(step) !== undefined, results)
  for (const step of steps) {
    const failure = failureOf(step)
    if (!failure) continue
    add(step.resource, {
      resource: step.resource,
      ...stepCells(step, linkOf),
      error: failure.message,
      hint: failure.details.hint ?? '',
    })
  }
  return sheets
}

/** For steps after the run was stopped, by the user or by --stop-after. */
const notSent = new Failure('interrupted', 'not sent', {
  hint: 'apply this file, or resume the run with: calctl runs resume',
})

/** Gives for the key of a step what a cell names its record by: the ID if it was created, otherwise the name. */
function linkResolver(
  steps: Iterable<Step>,
  isReported: (step: Step) => boolean,
  results: ReadonlyMap<string, StepResult>,
): (key: string) => unknown {
  const referenced = new Set<string>()
  for (const step of steps) if (isReported(step)) for (const key of referencedKeys(step.values)) referenced.add(key)
  const titles = new Map<string, unknown>()
  for (const { key, resource, values } of steps)
    if (referenced.has(key)) titles.set(key, values[resourceNamed(resource).title])
  return key => results.get(key)?.id ?? titles.get(key)
}

/** Cells of a CSV file as they were read; values of other formats as cells. */
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
  const { resource, action, id, language } = step
  const values = resolveReferences(step.values, linkOf) as WritableRecord['values']
  const cleared = Object.keys(values).filter(name => isEmpty(values[name]))
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
  return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

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
