import { dirname } from 'node:path'
import { conflict, Failure } from '../../base/failure.ts'
import { makeFolder } from '../../base/fs.ts'
import { phrase } from '../../base/words/phrase.ts'
import { cannotWrite } from '../failures.ts'
import type { Config, World } from '../world.ts'
import { readConfig } from './config.ts'
import { checkFolder, configFile } from './user-folders.ts'

/** Changes the configuration, while no other process writes it. */
export async function changeConfig(world: World, change: (config: Config) => Config | Promise<Config>): Promise<void> {
  const path = configFile(world)
  await changeFile(path, async () => writeConfig(path, await change(await readConfig(world))))
}

/** Writes the configuration file, readable only by its owner. conf writes a temporary file and renames it. */
async function writeConfig(path: string, config: Config): Promise<void> {
  const { default: Conf } = await import('conf')
  const store = new Conf<Record<string, unknown>>({ cwd: dirname(path), configName: 'config', configFileMode: 0o600 })
  store.store = { ...config }
}

/** How long another process may take to change a small file, in ms. */
const patience = 10_000

/** Does something with a file, in a folder that is created for this user alone, while no other process does. */
export async function whileLocked<T>(file: string, work: () => Promise<T>, hint?: string): Promise<T> {
  const { lockFile } = await import('../../base/lock/lock.ts')
  const inUse = ({ pid }: { pid?: number | undefined }) =>
    conflict(
      pid === undefined
        ? phrase('another process is changing {file}', { file })
        : phrase('another process is changing {file} (pid {pid})', { file, pid }),
      phrase('try again later'),
    )
  const takeLock = async () => {
    makeFolder(dirname(file), 0o700)
    return lockFile(file, { wait: patience, inUse })
  }
  const lock = await whileWriting(file, takeLock, hint)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/**
 * Reads a small file, changes it and writes it, while no other process does: the second process starts from what the first one wrote.
 * Throws `settings` with this hint if it cannot be written.
 */
export const changeFile = (file: string, readChangeWrite: () => Promise<void>, hint?: string): Promise<void> =>
  whileLocked(file, () => whileWriting(file, readChangeWrite, hint), hint)

async function whileWriting<T>(file: string, write: () => Promise<T>, hint = checkFolder()): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof Failure) throw error
    throw cannotWrite(file, error, hint)
  }
}
