import { appendFileSync, closeSync, existsSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { resourceNamed } from '../contract/contract.ts'
import type { Field, ResourceName } from '../contract/field.ts'
import { Failure } from '../failure.ts'
import { clearMark, writeCell } from '../files/csv/cell-values.ts'
import { rowCells, sheetStyle, writeRows } from '../files/csv/write-csv.ts'
import type { WritableRecord } from '../files/records/file-record.ts'
import { type Plan, referencedKeys, resolveReferences, type Step } from '../plan/plan.ts'
import type { Result } from './result.ts'

/** A line of JSON for every step as soon as it is known what became of it. */
export interface Report {
  add(step: Step, result: Result): void
  /** Closes it; gives what kept it from being written whole, if something did. */
  end(): Failure | undefined
}

/** Begins a report. One that cannot be written on stops no writes; that it is not whole is said at its end. */
export function openReport(file: string): Report {
  const fd = opened(file)
  let broken: Failure | undefined
  return {
    add({ key, action, resource, at, id }, { state, failure, id: written }) {
      if (broken) return
      const error = failure && { kind: failure.kind, message: failure.message, hint: failure.details.hint }
      try {
        appendFileSync(fd, `${JSON.stringify({ key, action, resource, id: written ?? id, at, state, error })}\n`)
      } catch (error) {
        broken = new Failure('settings', `the report ${file} is not whole: ${(error as Error).message}`, {
          hint: 'what became of each step is in: calctl runs show',
        })
      }
    },
    end() {
      closeSync(fd)
      return broken
    },
  }
}

function opened(file: string): number {
  try {
    return openSync(file, 'w')
  } catch (error) {
    throw new Failure('usage', `cannot write ${file}: ${(error as Error).message}`, { hint: 'name another file' })
  }
}

/** A row of what was not done: its cells by column. */
type Row = Readonly<Record<string, string>>

/** Where it was written what was not done, and how many records that is. */
export interface Written {
  readonly files: readonly string[]
  readonly count: number
}

/**
 * Writes what was not done as sheets that can be applied again, with the columns `error` and `hint`: the file of this name in a
 * folder, or `-events` and the like behind the name, one a resource where there are several, and one of the rows under headings
 * of another kind.
 */
export async function writeErrors(
  name: string,
  plan: Plan,
  results: ReadonlyMap<string, Result>,
  folder = '',
): Promise<Written> {
  const rows = rowsOf(plan, results)
  // What an earlier run could not do must not be taken for what this one could not.
  if (rows.size !== 1 && existsSync(resolve(folder, name))) await writeFile(resolve(folder, name), '')
  const files: string[] = []
  for (const [kind, ofKind] of rows) {
    const file = rows.size > 1 ? name.replace(/(\.\w+)?$/, `-${kind}$1`) : name
    await writeFile(resolve(folder, file), await sheetOf(ofKind))
    files.push(file)
  }
  return { files, count: [...rows.values()].flat().length }
}

function rowsOf({ steps, invalid }: Plan, results: ReadonlyMap<string, Result>): Map<string, Row[]> {
  const rows = new Map<string, Row[]>()
  const add = (resource: ResourceName, row: Row) => {
    const kind = Object.keys(row).every(heading => /^[a-z_]+$/.test(heading)) ? resource : `${resource}-as-read`
    const ofKind = rows.get(kind)
    if (ofKind) ofKind.push(row)
    else rows.set(kind, [row])
  }
  for (const { resource = 'events', source = {}, message, hint } of invalid)
    add(resource, { ...texts(resource, source), resource, error: message, hint: hint ?? '' })
  const failureOf = ({ key }: Step) => {
    const { state, failure } = results.get(key) ?? {}
    // What may have been done must not be done again from a file.
    if (state === 'done' || state === 'unknown') return undefined
    return failure ?? (state === 'skipped' ? notSent : undefined)
  }
  const linkOf = linksOf(steps, step => failureOf(step) !== undefined, results)
  for (const step of steps) {
    const failure = failureOf(step)
    if (!failure) continue
    add(step.resource, {
      resource: step.resource,
      ...cellsOfStep(step, linkOf),
      error: failure.message,
      hint: failure.details.hint ?? '',
    })
  }
  return rows
}

/** Of what came after the end: so many failures, or somebody who stopped it. */
const notSent = new Failure('interrupted', 'not sent', { hint: 'apply this file, or: calctl runs resume' })

/** What names the records that steps refer to: the ID of one that was made, the name of one that was not. */
function linksOf(
  steps: Iterable<Step>,
  isReported: (step: Step) => boolean,
  results: ReadonlyMap<string, Result>,
): (key: string) => unknown {
  const needed = new Set<string>()
  for (const step of steps) if (isReported(step)) for (const key of referencedKeys(step.values)) needed.add(key)
  const titles = new Map<string, unknown>()
  for (const { key, resource, values } of steps)
    if (needed.has(key)) titles.set(key, values[resourceNamed(resource).title])
  return key => results.get(key)?.id ?? titles.get(key)
}

/** Cells are as they were read; what stood elsewhere becomes cells. */
const texts = (resource: ResourceName, source: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(
    Object.entries(source).map(([name, value]) => [name, textOf(resourceNamed(resource).fields[name], value)]),
  )

function textOf(field: Field | undefined, value: unknown): string {
  if (value === null) return clearMark
  if (typeof value !== 'object') return String(value)
  return field?.of ? writeCell(field, value, false) : JSON.stringify(value)
}

/** A step as a row that asks for the same. */
function cellsOfStep(step: Step, linkOf: (key: string) => unknown): Row {
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

async function sheetOf(rows: readonly Row[]): Promise<string> {
  const last = ['error', 'hint']
  const columns = [...new Set(rows.flatMap(Object.keys))].filter(name => !last.includes(name))
  const headings = [...columns, ...last]
  async function* cells() {
    for (const row of rows) yield headings.map(name => row[name] ?? '')
  }
  let text = ''
  for await (const piece of writeRows(headings, cells(), sheetStyle('csv'))) text += piece
  return text
}
