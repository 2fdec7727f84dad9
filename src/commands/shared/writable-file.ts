import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { Failure } from '../../failure.ts'

/** Throws `usage` for a file that cannot be written, before there is something to write. */
export function checkWritable(path: string, name: string): void {
  const isThere = existsSync(path)
  try {
    closeSync(openSync(path, 'a'))
  } catch (error) {
    throw new Failure('usage', `cannot write ${name}: ${(error as Error).message}`, { hint: 'name another file' })
  }
  if (!isThere) rmSync(path)
}
