import { pathToFileURL } from 'node:url'
import type { App } from '../../app.ts'
import type { Config } from '../../globals.ts'
import { profileNamed, profileNames, readConfig, readProject } from '../../profiles/config.ts'
import { noSuchProfile, profileInForce } from '../../profiles/resolve.ts'
import { dataFile } from '../../profiles/user-folders.ts'
import { listOf } from '../../text/words.ts'
import { profileShape } from '../shared/output-forms.ts'

/** Says what the project file of this folder sets, and whether that is used with credentials. */
async function noticeProject({ world, notice }: App): Promise<void> {
  const { source, ...settings } = readProject(world.cwd)
  if (source === undefined) return
  const given = Object.entries(settings).map(setting => setting.join(' '))
  const decisive = ['baseUrl', 'namespace'].filter(name => Object.hasOwn(settings, name))
  const { trustProblem } = await import('../../profiles/project-trust.ts')
  const problem = decisive.length > 0 ? trustProblem(world, source, decisive) : undefined
  const trust = decisive.length > 0 && !problem ? ', and is trusted' : ''
  await notice(`${source.path} sets ${given.length > 0 ? listOf(given) : 'nothing'}${trust}`)
  if (problem) await notice(`${problem.message}\nhint: ${problem.details.hint}`)
}

/** Prints every profile. */
export async function listProfiles(app: App): Promise<void> {
  const config = await readConfig(app.world)
  await app.print(
    profileShape,
    profileNames(config).map(name => profileRow(app, config, name)),
  )
  await noticeProject(app)
}

/** Prints one profile, by default the one in use; of a secret, only its source. */
export async function showProfile(app: App, name?: string): Promise<void> {
  const config = await readConfig(app.world)
  await app.print(profileShape, profileRow(app, config, name ?? profileInForce(app.world, app.globals, config)))
  await noticeProject(app)
}

function profileRow(app: App, config: Config, name: string): Readonly<Record<string, unknown>> {
  const profile = profileNamed(config, name)
  if (!profile) throw noSuchProfile(config, name)
  const inUse = name === profileInForce(app.world, app.globals, config)
  const baseUrl = profile.baseUrl ?? pathToFileURL(dataFile(app.world)).href
  const known: Record<string, unknown> = { ...profile, name, inUse, baseUrl, protected: profile.protected ?? false }
  return Object.fromEntries(Object.keys(profileShape.fields).map(name => [name, known[name] ?? null]))
}
