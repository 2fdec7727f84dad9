import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { usage } from '../../../base/failure.ts'
import { statOf } from '../../../base/fs.ts'
import { reason } from '../../../base/io-reasons.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { App } from '../../app.ts'

/**
 * The files that a plan writes beside its run: the report and the saved plan. They overwrite nothing that is not such a file.
 */

/** The files that a run writes besides its journal. */
export interface OutputFiles {
  readonly report?: string
  /** The plan of `diff`. */
  readonly save?: string
}

/** Throws `usage` if an output file is also an input file, under any path. */
export function checkInputsKept({ world }: App, inputs: readonly string[], { report, save }: OutputFiles) {
  for (const [option, name] of Object.entries({ '--report': report, '--save': save }))
    for (const input of inputs)
      if (name !== undefined && isSameFile(resolve(world.cwd, input), resolve(world.cwd, name)))
        throw usage(phrase('{option}: {name} is the file that is read', { option, name }), phrase('name another file'))
}

/** Throws `usage` if --report cannot be written, or would overwrite somebody's file. */
export async function checkReportFile(app: App, report: string): Promise<void> {
  const { isReport } = await import('../../../changes/run/result.ts')
  await checkTarget(app, report, phrase('a report'), path => isReport(firstLineOf(path)))
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
