import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { badSettings } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { World } from '../world.ts'

type Machine = Pick<World, 'env' | 'platform'>

/** The embedded calendar. */
export const dataFile = (machine: Machine): string => join(folder(machine, 'data'), 'calctl', 'calendar.json')

/** The profiles. */
export const configFile = (machine: Machine): string => join(folder(machine, 'config'), 'calctl', 'config.json')

/** The journals of runs. */
export const runsFolder = (machine: Machine): string => join(folder(machine, 'state'), 'calctl', 'runs')

/** The plans that wait for a person. */
export const plansFolder = (machine: Machine): string => join(folder(machine, 'state'), 'calctl', 'plans')

/** The plans that a person refused. */
export const refusalsFile = (machine: Machine): string => join(folder(machine, 'state'), 'calctl', 'refusals.ndjson')

/** What a feed on the web said last; `name` stands for its address. */
export const feedMemoryFile = (machine: Machine, name: string): string =>
  join(folder(machine, 'state'), 'calctl', 'feeds', `${name}.ndjson`)

/** The states of calendars that calctl changes compares with, a folder for each calendar. */
export const statesFolder = (machine: Machine): string => join(folder(machine, 'state'), 'calctl', 'changes')

/** What calctl has found out about sites. */
export const cacheFile = (machine: Machine): string => join(folder(machine, 'cache'), 'calctl', 'sites.ndjson')

/** Where the images of sites were loaded from. */
export const imageSourcesFile = (machine: Machine): string => join(folder(machine, 'cache'), 'calctl', 'images.ndjson')

/** The latest request of `calctl api` that changed each calendar, which no journal has. */
export const apiWritesFile = (machine: Machine): string => join(folder(machine, 'state'), 'calctl', 'api-writes.ndjson')

/** The record of uploads to sites. */
export const uploadsFile = (machine: Machine): string => join(folder(machine, 'state'), 'calctl', 'uploads.ndjson')

/** Which records of sites are translations of one another, if the records themselves do not say so. */
export const translationsFile = (machine: Machine): string =>
  join(folder(machine, 'data'), 'calctl', 'translations.ndjson')

const variables = {
  data: 'XDG_DATA_HOME',
  config: 'XDG_CONFIG_HOME',
  state: 'XDG_STATE_HOME',
  cache: 'XDG_CACHE_HOME',
} as const

/** The XDG variables count on every platform. Their specification says to ignore relative paths. */
function folder({ env, platform }: Machine, purpose: keyof typeof variables): string {
  const named = env[variables[purpose]]
  if (named && isAbsolute(named)) return named
  const home = homeOf(env, platform)
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32')
    return purpose === 'config'
      ? env.APPDATA || join(home, 'AppData', 'Roaming')
      : env.LOCALAPPDATA || join(home, 'AppData', 'Local')
  return join(home, { data: '.local/share', config: '.config', state: '.local/state', cache: '.cache' }[purpose])
}

/** A relative HOME would create files in every folder where calctl is run. */
function homeOf(env: Machine['env'], platform: Machine['platform']): string {
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) ?? homedir()
  if (isAbsolute(home)) return home
  throw badSettings(
    phrase('HOME is not an absolute path: "{home}"', { home }),
    phrase('set HOME, or XDG_CONFIG_HOME, XDG_DATA_HOME and XDG_STATE_HOME'),
  )
}

/** The hint for a folder of the configuration that cannot be written to. */
export const checkFolder = (): string =>
  phrase('check that you may write to the folder, or choose another one with XDG_CONFIG_HOME')
