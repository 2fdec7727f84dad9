import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents if they do not exist; throws Node's error. Node's own `recursive` loops forever in folders such
 * as /proc, where mkdir fails with ENOENT.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Writes a file as a whole or not at all: to a temporary file next to it, flushed, then renamed. Throws Node's error. */
export async function writeAtomically(path: string, text: string, mode?: number): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic')
  await writeFileAtomic(path, text, mode === undefined ? {} : { mode })
}
