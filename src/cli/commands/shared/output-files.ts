import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { usage } from '../../../base/failure.ts'
import { statOf } from '../../../base/fs.ts'
import { reason } from '../../../base/io-reasons.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { blockingRecords } from '../../../changes/plan/overview.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import type { WrittenSheets } from '../../../changes/run/error-sheet.ts'
import type { KeptRows } from '../../../changes/run/kept-rows.ts'
import type { StepResult } from '../../../changes/run/result.ts'
import type { App } from '../../app.ts'
import { cannotWrite } from '../../failures.ts'

/**
 * The files that a plan writes beside its run: the report, the sheet of what is invalid, the saved plan. They
 * overwrite nothing that is not such a file.
 */

/** The files that a run writes besides its journal. */
export interface OutputFiles {
  readonly errors?: string
  readonly report?: string
  /** The plan of `diff`. */
  readonly save?: string
  /** The rows that were read, for --errors. */
  readonly kept?: KeptRows | undefined
}

type Results = ReadonlyMap<string, StepResult>

/** Throws `usage` if an output file is also an input file, under any path. */
export function checkInputsKept({ world }: App, inputs: readonly string[], { errors, report, save }: OutputFiles) {
  for (const [option, name] of Object.entries({ '--errors': errors, '--report': report, '--save': save }))
    for (const input of inputs)
      if (name !== undefined && isSameFile(resolve(world.cwd, input), resolve(world.cwd, name)))
        throw usage(phrase('{option}: {name} is the file that is read', { option, name }), phrase('name another file'))
}

/** Throws `usage` if --errors or --report cannot be written, or would overwrite somebody's file. */
export async function checkOutputFiles(app: App, plan: Plan, { errors, report, kept }: OutputFiles): Promise<void> {
  const { cwd } = app.world
  if (errors) {
    const { formatOf } = await import('../../../files/file-format.ts')
    if (formatOf(errors) === 'ods')
      throw usage(phrase('--errors writes CSV, TSV or XLSX, not ODS'), phrase('name another file'))
    const { areErrorHeadings, possibleSheets } = await import('../../../changes/run/error-sheet.ts')
    const { headingsOf } = await import('../../../files/headings-of.ts')
    const isSheet = async (path: string) => areErrorHeadings(await headingsOf(path))
    for (const name of possibleSheets(errors, plan, kept))
      await checkTarget(app, name, phrase('an error sheet'), isSheet)
  }
  if (report) {
    const { isReport } = await import('../../../changes/run/result.ts')
    await checkTarget(app, report, phrase('a report'), path => isReport(firstLineOf(path)))
  }
  if (errors && report && isSameFile(resolve(cwd, errors), resolve(cwd, report)))
    throw usage(phrase('--errors and --report name the same file'), phrase('name another file'))
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map(statOf)
  if (!first || !second) return one === other
  return first.isFile() && first.dev === second.dev && first.ino === second.ino
}

/** Throws `usage` for a file that cannot be written, or has other contents; devices and pipes have none. */
export async function checkTarget(
  { world }: App,
  name: string,
  what: string,
  isOwn: (path: string) => boolean | Promise<boolean>,
): Promise<void> {
  const path = resolve(world.cwd, name)
  const stats = statOf(path)
  if (stats?.isFile() && stats.size > 0 && !(await isOwn(path)))
    throw usage(
      phrase('{name} exists and is not {what}', { name, what }),
      phrase('name another file, or remove it first'),
    )
  checkWritable(path, name)
}

/** The first line of a file; empty if it cannot be read. */
const firstLineOf = (path: string): string =>
  startOf(path)
    .replace(/^\ufeff/, '')
    .split('\n', 1)[0] ?? ''

/** The beginning of a file; empty if it cannot be read. */
export function startOf(path: string): string {
  try {
    const fd = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(1 << 16)
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(fd)
    }
  } catch {
    return ''
  }
}

const noSheets: WrittenSheets = { files: [], count: 0 }

/** Writes the records that were not applied to --errors, if it is given. */
async function writeErrorSheet(app: App, plan: Plan, { errors, kept }: OutputFiles, results: Results = new Map()) {
  if (!errors) return noSheets
  const { writeErrorSheets } = await import('../../../changes/run/error-sheet.ts')
  try {
    return await writeErrorSheets(errors, { plan, results, kept }, app.world.cwd)
  } catch (error) {
    throw cannotWrite(errors, error, phrase('free some space; see the remaining steps with: calctl runs show'))
  }
}

/** The same, with a notice that names the files and, if no failure does, the next step. */
export async function reportErrorSheet(app: App, plan: Plan, options: OutputFiles, results?: Results) {
  const sheets = await writeErrorSheet(app, plan, options, results)
  const { files, count } = sheets
  if (count > 0 && app.output !== 'json')
    await app.notice(
      phrase('wrote {count, plural, one {# record that was} other {# records that were}} not applied to {list}', {
        count,
        list: listOf(files),
      }),
    )
  const isReported = blockingRecords(plan).length > 0 || !plan.invalid.some(({ stopsOnlyItself }) => stopsOnlyItself)
  if (count > 0 && app.output !== 'json' && !isReported) await app.notice(await fixInFiles(app, sheets, options))
  return sheets
}

/** The next step with error sheets; if there are none, how to get one. */
export async function fixInFiles(app: App, { files, count }: WrittenSheets, { kept }: OutputFiles): Promise<string> {
  if (files.length === 0)
    return phrase('fix the skipped records and run the command again; --errors FILE writes them to a file')
  const { flags = '' } = (await app.client({ toPlan: true })).calendar
  const command = ['calctl apply', ...files.map(shellWord)].join(' ') + (kept?.flags ?? '') + flags
  return phrase('fix {count, plural, one {it} other {them}} in {list}, then run: {command}', {
    count,
    list: listOf(files),
    command,
  })
}

/** Throws `usage` for a file that cannot be written, before there is anything to write. */
export function checkWritable(path: string, name: string): void {
  const existed = existsSync(path)
  try {
    closeSync(openSync(path, 'a'))
  } catch (error) {
    throw usage(
      phrase('cannot write {file}: {reason}', { file: name, reason: reason(error as Error) }),
      phrase('choose another file'),
    )
  }
  if (!existed) rmSync(path)
}
