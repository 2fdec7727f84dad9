import { pathToFileURL } from 'node:url'
import type { App } from '../../app.ts'
import { readConfig } from '../../profiles/config.ts'
import { type Config, profileNamed, profileNames } from '../../profiles/profile.ts'
import { noSuchProfile, profileInForce } from '../../profiles/resolve.ts'
import { dataFile } from '../../profiles/user-folders.ts'
import { profileShape } from '../shared/output-forms.ts'

/** Prints every profile. */
export async function listProfiles(app: App): Promise<void> {
  const config = await readConfig(app.world)
  await app.print(
    profileShape,
    profileNames(config).map(name => profileRow(app, config, name)),
  )
}

/** Prints one profile, by default the one in use; of a secret, only its source. */
export async function showProfile(app: App, name?: string): Promise<void> {
  const config = await readConfig(app.world)
  await app.print(profileShape, profileRow(app, config, name ?? profileInForce(app.world, app.globals, config)))
}

function profileRow(app: App, config: Config, name: string): Readonly<Record<string, unknown>> {
  const profile = profileNamed(config, name)
  if (!profile) throw noSuchProfile(config, name)
  const inUse = name === profileInForce(app.world, app.globals, config)
  const baseUrl = profile.baseUrl ?? pathToFileURL(dataFile(app.world)).href
  const known: Record<string, unknown> = { ...profile, name, inUse, baseUrl, protected: profile.protected ?? false }
  return Object.fromEntries(Object.keys(profileShape.fields).map(name => [name, known[name] ?? null]))
}
