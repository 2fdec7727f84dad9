import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { badSettings, type Failure } from '../../base/failure.ts'
import { settingsText, storedFileProblem } from '../../base/fs.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Config, Profile, World } from '../world.ts'
import { configFile } from './user-folders.ts'

/**
 * Profiles: which calendar to use, as which user, and in which language. `resolve.ts` decides that for a command, from its options, the
 * environment, the project file and the profile, and returns a `Target`; `config.ts` keeps the profiles in a file; `project-file.ts` reads
 * the settings of a folder, which `trust.ts` lets choose a calendar; `credentials.ts` makes the headers for a target from secrets, of which
 * only the sources are stored here.
 */

/** The profile that always exists: the embedded calendar. */
export const builtIn = 'local'

/** The names of all profiles, the built-in one first. */
export const profileNames = ({ profiles }: Config): string[] => [...new Set([builtIn, ...Object.keys(profiles)])]

/** The profile with this name; undefined if there is none. */
export function profileNamed({ profiles }: Config, name: string): Profile | undefined {
  if (Object.hasOwn(profiles, name)) return profiles[name]
  return name === builtIn ? {} : undefined
}

/** The failure for a calendar file that does not exist; undefined if it does. */
export function missingFile(file: string): Failure | undefined {
  if (existsSync(file)) return undefined
  return badSettings(
    phrase('no such file: {file}', { file }),
    existsSync(dirname(file))
      ? phrase('create an empty calendar with: calctl serve --file {file}', { file })
      : phrase('the folder {folder} does not exist either: check the path', { folder: dirname(file) }),
  )
}

/** Refuses a calendar file whose folder does not exist, and a path that is not a file. */
export function requireFolder(file: string): void {
  const missing = existsSync(dirname(file)) ? undefined : missingFile(file)
  if (missing) throw missing
  const problem = storedFileProblem(file)
  if (problem !== undefined)
    throw badSettings(
      phrase('cannot open {file}: {problem}', { file, problem }),
      phrase('name a calendar file of calctl'),
    )
}

/** Reads the configuration file. Without one there is only the built-in profile. */
export async function readConfig(world: World): Promise<Config> {
  const path = configFile(world)
  const text = settingsText(path)
  if (text === undefined) return { profiles: {} }
  const { checkConfig } = await import('./config-schema.ts')
  const problem = (what: string) =>
    badSettings(
      `${path}: ${what}`,
      phrase('fix it, or move it away and add the profiles again with: calctl profiles add NAME --base-url URL'),
    )
  return checkConfig(parseJson(text, problem), problem)
}

/** The configuration without a check, which takes long: for the Tab key. Throws if it cannot be read. */
export async function readConfigUnchecked(world: World): Promise<Config> {
  const text = settingsText(configFile(world))
  return { profiles: {}, ...(text !== undefined && (JSON.parse(text) as Partial<Config>)) }
}

function parseJson(text: string, problem: (what: string) => Failure): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw problem(phrase('malformed JSON: {reason}', { reason: (error as Error).message }))
  }
}
