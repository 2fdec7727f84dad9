import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { usage } from '../../../base/failure.ts'
import { statOf } from '../../../base/fs.ts'
import { reason } from '../../../base/io-reasons.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { App } from '../../app.ts'

/** The files that commands write: they overwrite nothing that is not such a file. */

/** Throws `usage` if the plan would be saved in a file that is read, under any path. */
export function checkInputsKept({ world }: App, inputs: readonly string[], { save: name }: { readonly save?: string }) {
  for (const input of inputs)
    if (name !== undefined && isSameFile(resolve(world.cwd, input), resolve(world.cwd, name)))
      throw usage(
        phrase('{option}: {name} is the file that is read', { option: '--save', name }),
        phrase('name another file'),
      )
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
