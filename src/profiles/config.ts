import { dirname } from 'node:path'
import { Failure } from '../failure.ts'
import { readSettingsFile, reason } from '../fs.ts'
import type { World } from '../world.ts'
import type { Config } from './profile.ts'
import { configFile } from './user-folders.ts'

/** Reads the configuration file. Without one there is only the built-in profile. */
export async function readConfig(world: World): Promise<Config> {
  const path = configFile(world)
  const text = contentOf(path)
  if (text === undefined) return { profiles: {} }
  const { checkConfig } = await import('./config-schema.ts')
  const problem = (what: string) =>
    new Failure('settings', `${path}: ${what}`, {
      hint: 'fix it, or move it away and add the profiles again with: calctl profiles add',
    })
  return checkConfig(parseJson(text, problem), problem)
}

/** The configuration as it stands, without a check, which takes long: for the Tab key. Throws what reading it throws. */
export async function readConfigUnchecked(world: World): Promise<Config> {
  const text = contentOf(configFile(world))
  return { profiles: {}, ...(text !== undefined && (JSON.parse(text) as Partial<Config>)) }
}

/** Changes the configuration, of which no other process writes another version meanwhile. */
export async function changeConfig(world: World, change: (config: Config) => Config | Promise<Config>): Promise<void> {
  const { changeFile } = await import('./change-file.ts')
  const path = configFile(world)
  try {
    await changeFile(path, async () => writeConfig(path, await change(await readConfig(world))))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('settings', `cannot write ${path}: ${reason(error as Error)}`, {
      hint: 'check that you may write to the folder, or choose another one with XDG_CONFIG_HOME',
    })
  }
}

/** Writes the configuration file, readable by its owner only. conf writes to a temporary file that it then renames. */
async function writeConfig(path: string, config: Config): Promise<void> {
  const { default: Conf } = await import('conf')
  const store = new Conf<Record<string, unknown>>({ cwd: dirname(path), configName: 'config', configFileMode: 0o600 })
  store.store = { ...config }
}

function contentOf(path: string): string | undefined {
  try {
    return readSettingsFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Failure('settings', `cannot read ${path}: ${reason(error as Error, 'read')}`, {
      hint: code === undefined ? 'put a file of profiles in its place' : 'check that you may read it',
    })
  }
}

function parseJson(text: string, problem: (what: string) => Failure): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw problem(`malformed JSON: ${(error as Error).message}`)
  }
}
