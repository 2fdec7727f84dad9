import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../../../base/failure.ts'
import { reason, statOf } from '../../../base/fs.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import { counted, listOf, nounFor } from '../../../base/text/words.ts'
import { blockingRecords, type Plan } from '../../../changes/plan/plan.ts'
import type { WrittenSheets } from '../../../changes/run/error-sheet.ts'
import type { KeptRows } from '../../../changes/run/kept-rows.ts'
import type { StepResult } from '../../../changes/run/result.ts'
import type { App } from '../../app.ts'

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

/** Throws `usage` if a file that is read is to be overwritten, by whatever path. */
export function checkInputsKept(
  { world }: App,
  inputs: readonly string[],
  { errors, report, save }: OutputFiles,
): void {
  for (const [option, name] of Object.entries({ '--errors': errors, '--report': report, '--save': save }))
    for (const input of inputs)
      if (name !== undefined && isSameFile(resolve(world.cwd, input), resolve(world.cwd, name)))
        throw new Failure('usage', `${option}: ${name} is the file that is read`, { hint: 'name another file' })
}

/** Throws `usage` if --errors or --report cannot be written, or if that would overwrite what somebody else wrote. */
export async function checkOutputFiles(
  { world }: App,
  plan: Plan,
  { errors, report, kept }: OutputFiles,
): Promise<void> {
  if (errors) {
    const { areErrorHeadings, possibleSheets } = await import('../../../changes/run/error-sheet.ts')
    const { headingsOf } = await import('../../../files/headings-of.ts')
    for (const name of possibleSheets(errors, plan, kept))
      await checkOwn(resolve(world.cwd, name), name, 'an error sheet', async path =>
        areErrorHeadings(await headingsOf(path)),
      )
    checkWritable(resolve(world.cwd, errors), errors)
  }
  if (report) {
    const { isReport } = await import('../../../changes/run/result.ts')
    await checkOwn(resolve(world.cwd, report), report, 'a report', async path => isReport(firstLineOf(path)))
    checkWritable(resolve(world.cwd, report), report)
  }
  if (errors && report && isSameFile(resolve(world.cwd, errors), resolve(world.cwd, report)))
    throw new Failure('usage', '--errors and --report name the same file', { hint: 'name another file' })
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map(statOf)
  if (!first || !second) return one === other
  return first.isFile() && first.dev === second.dev && first.ino === second.ino
}

/** Refuses to overwrite a file with other contents; devices and pipes have none. */
export async function checkOwn(
  path: string,
  name: string,
  what: string,
  isOwn: (path: string) => Promise<boolean>,
): Promise<void> {
  const stats = statOf(path)
  if (!stats?.isFile() || stats.size === 0 || (await isOwn(path))) return
  throw new Failure('usage', `${name} exists and is not ${what}`, { hint: 'name another file, or remove it first' })
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

export const noSheets: WrittenSheets = { files: [], count: 0 }

/** Writes the records that were not applied to --errors, if that is given. */
export async function writeErrorSheet(
  app: App,
  plan: Plan,
  { errors, kept }: OutputFiles,
  results: Results = new Map(),
): Promise<WrittenSheets> {
  if (!errors) return noSheets
  const { writeErrorSheets } = await import('../../../changes/run/error-sheet.ts')
  try {
    return await writeErrorSheets(errors, { plan, results, kept }, app.world.cwd)
  } catch (error) {
    throw new Failure('settings', `cannot write ${errors}: ${reason(error as Error)}`, {
      hint: 'free some space; see what was not applied with: calctl runs show',
    })
  }
}

/** The same, and names the files in a notice, with the next step if no failure does that. */
export async function reportErrorSheet(
  app: App,
  plan: Plan,
  options: OutputFiles,
  results?: Results,
): Promise<WrittenSheets> {
  const sheets = await writeErrorSheet(app, plan, options, results)
  const { files, count } = sheets
  if (count > 0 && app.output !== 'json')
    await app.notice(
      `wrote ${counted(count, 'record')} that ${nounFor(count, 'was', 'were')} not applied to ${listOf(files)}`,
    )
  const isReported = blockingRecords(plan).length > 0 || !plan.invalid.some(({ stopsOnlyItself }) => stopsOnlyItself)
  if (count > 0 && app.output !== 'json' && !isReported) await app.notice(await fixInFiles(app, sheets, options))
  return sheets
}

/** The next step with error sheets; without any, how to get one. */
export async function fixInFiles(app: App, { files, count }: WrittenSheets, { kept }: OutputFiles): Promise<string> {
  if (files.length === 0)
    return 'fix the skipped records and run the command again; --errors FILE writes them to a file'
  const { flags = '' } = (await app.client({ toPlan: true })).calendar
  const command = ['calctl apply', ...files.map(shellWord)].join(' ')
  return `fix ${nounFor(count, 'it', 'them')} in ${listOf(files)}, then run: ${command}${kept?.flags ?? ''}${flags}`
}

/** Throws `usage` for a file that cannot be written, before there is something to write. */
export function checkWritable(path: string, name: string): void {
  const existed = existsSync(path)
  try {
    closeSync(openSync(path, 'a'))
  } catch (error) {
    throw new Failure('usage', `cannot write ${name}: ${reason(error as Error)}`, { hint: 'choose another file' })
  }
  if (!existed) rmSync(path)
}
