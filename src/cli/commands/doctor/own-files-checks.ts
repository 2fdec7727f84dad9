import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { profileNamed, readConfig, readProject } from '../../profiles/config.ts'
import { cacheFile, configFile, dataFile, runsFolder } from '../../profiles/user-folders.ts'
import { type CheckFinding, type DoctorCheck, done, type Examination, failed, skipped } from './finding.ts'

export const ownFilesChecks: readonly DoctorCheck[] = [
  { name: 'settings', run: async examination => done(await settingsIn(examination)) },
  {
    name: 'secrets',
    async run({ app, target }) {
      const config = await readConfig(app.world)
      const { secret = '' } = profileNamed(config, target.profile) ?? {}
      const files = [configFile(app.world), ...(secret.startsWith('file:') ? [secret.slice('file:'.length)] : [])]
      return judgeModes(
        files.filter(file => existsSync(file)),
        app.world.platform,
      )
    },
  },
  {
    name: 'folders',
    async run({ app: { world } }) {
      const folders = [
        dirname(dataFile(world)),
        dirname(configFile(world)),
        runsFolder(world),
        dirname(cacheFile(world)),
      ]
      const closed = folders.filter(folder => !isWritable(folder))
      if (closed.length === 0) return done('can be written to')
      return failed(
        `cannot write to ${closed.join(', ')}`,
        'make them writable for you, or choose others with XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_STATE_HOME and XDG_CACHE_HOME',
      )
    },
  },
]

/** Where each setting comes from, the first that has it. */
async function settingsIn({ app, target, address }: Examination): Promise<string> {
  const { world, globals } = app
  if (globals.demo) return 'the demo: --demo'
  const project = readProject(world.cwd)
  const { env } = world
  const profile = profileNamed(await readConfig(world), target.profile) ?? {}
  const ofProfile = `the profile ${target.profile}`
  const source = (option: unknown, variable: string, ofProject: unknown, own: unknown): string => {
    if (option !== undefined) return 'the command line'
    if (env[variable]) return variable
    if (ofProject !== undefined) return project.source?.path ?? '.calctl.json'
    return own === undefined ? 'the default' : ofProfile
  }
  const user = env.CALCTL_USER ? 'CALCTL_USER' : ofProfile
  const parts = [
    `profile: ${target.profile} (${source(globals.profile, 'CALCTL_PROFILE', project.profile, undefined)})`,
    `base URL: ${source(address ?? globals.baseUrl, 'CALCTL_BASE_URL', project.baseUrl, profile.baseUrl)}`,
    `namespace: ${source(globals.namespace, 'CALCTL_NAMESPACE', project.namespace, profile.namespace)}`,
    ...(env.CALCTL_USER || profile.user !== undefined ? [`user: ${user}`] : []),
  ]
  return parts.join('; ')
}

/** Whether others can read files with secrets. Windows has no modes. */
function judgeModes(files: readonly string[], platform: NodeJS.Platform): CheckFinding {
  if (files.length === 0) return skipped('there are none on this disk')
  if (platform === 'win32') return skipped('this system has no file modes')
  const open = files.filter(file => (statSync(file).mode & 0o077) !== 0)
  if (open.length === 0) return done('only you can read them')
  return failed(`others on this machine can read ${open.join(' and ')}`, `run: chmod 600 ${open.join(' ')}`)
}

/** Whether a folder can be written to, or created. */
function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) !== folder && isWritable(dirname(folder))
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
