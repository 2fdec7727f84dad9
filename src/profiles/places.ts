import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { World } from '../world.ts'

type Machine = Pick<World, 'env' | 'platform'>

/** The embedded calendar. */
export const dataFile = (machine: Machine): string => join(folder(machine, 'data'), 'calctl', 'calendar.json')

/** Where profiles are kept. */
export const configFile = (machine: Machine): string => join(folder(machine, 'config'), 'calctl', 'config.json')

/** Where what runs did is kept. */
export const runsFolder = (machine: Machine): string => join(folder(machine, 'state'), 'calctl', 'runs')

const variables = { data: 'XDG_DATA_HOME', config: 'XDG_CONFIG_HOME', state: 'XDG_STATE_HOME' } as const

/** The XDG variables hold everywhere; a relative path in one is to be ignored, says their specification. */
function folder({ env, platform }: Machine, purpose: keyof typeof variables): string {
  const named = env[variables[purpose]]
  if (named && isAbsolute(named)) return named
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir()
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32')
    return purpose === 'config'
      ? env.APPDATA || join(home, 'AppData', 'Roaming')
      : env.LOCALAPPDATA || join(home, 'AppData', 'Local')
  return join(home, { data: '.local/share', config: '.config', state: '.local/state' }[purpose])
}
