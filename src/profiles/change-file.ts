import { dirname } from 'node:path'
import { Failure } from '../failure.ts'
import { makeFolder } from '../fs.ts'
import { lockFile } from '../lock/lock.ts'

/** How long another process may take to change a small file, in ms. */
const patience = 10_000

/**
 * Reads a small file, changes it and writes it, while no other process does: whichever comes second starts from what the first one
 * wrote. The folder is created for this user alone. Throws Node's error if it cannot be written.
 */
export async function changeFile<T>(file: string, readChangeWrite: () => Promise<T>): Promise<T> {
  makeFolder(dirname(file), 0o700)
  const inUse = ({ pid }: { pid?: number | undefined }) =>
    new Failure('conflict', `another process is changing ${file}${pid === undefined ? '' : ` (pid ${pid})`}`, {
      hint: 'try again later',
    })
  const lock = await lockFile(file, { wait: patience, inUse })
  try {
    return await readChangeWrite()
  } finally {
    lock.release()
  }
}
