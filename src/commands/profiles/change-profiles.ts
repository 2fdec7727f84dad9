/**
 * The commands `profiles`: this file adds, changes and removes profiles, `show-profiles.ts` prints them. Input: the names and options
 * of a command line. Output: the configuration file, or a table or card. Where profiles are stored and how they are checked is in
 * `src/profiles`.
 */
import type { App } from '../../app.ts'
import { isLanguage } from '../../contract/languages.ts'
import { excluding, Failure } from '../../failure.ts'
import { readConfig, writeConfig } from '../../profiles/config.ts'
import {
  applyInput,
  builtIn,
  type Config,
  type Profile,
  type ProfileInput,
  profileNamed,
} from '../../profiles/profile.ts'
import { noSuchProfile } from '../../profiles/resolve.ts'
import { deletePassword, passwordSource, readPassword, savePassword } from '../../profiles/secrets.ts'

/** The options of `profiles add` and `profiles edit` other than the global ones. */
export type SettingOptions = Omit<ProfileInput, 'baseUrl' | 'lang' | 'namespace' | 'header'> & {
  readonly passwordStdin?: true
}

/** Adds a profile. */
export async function addProfile(app: App, name: string, options: SettingOptions): Promise<void> {
  const config = await readConfig(app.world)
  if (profileNamed(config, name))
    throw new Failure('usage', `profile ${name} already exists`, {
      hint: `change it with: calctl profiles edit ${name}`,
    })
  if (app.globals.baseUrl === undefined)
    throw new Failure('usage', 'missing --base-url', { hint: 'for example: --base-url https://example.org/wp-json' })
  await save(app, config, name, {}, options)
  await app.notice(`added ${name}; use it by default with: calctl profiles use ${name}`)
}

/** Changes the given settings of a profile. */
export async function editProfile(app: App, name: string, options: SettingOptions): Promise<void> {
  const config = await readConfig(app.world)
  const before = existing(config, name)
  const { baseUrl, lang, namespace, header } = app.globals
  if ([baseUrl, lang, namespace, header, ...Object.values(options)].every(value => value === undefined))
    throw new Failure('usage', 'nothing to change', {
      hint: 'see what can be changed with: calctl profiles edit --help',
    })
  await save(app, config, name, before, options)
  await app.notice(`changed ${name}`)
}

/** Makes a profile the default. */
export async function useProfile(app: App, name: string): Promise<void> {
  const config = await readConfig(app.world)
  existing(config, name)
  await writeConfig(app.world, { ...config, current: name })
  await app.notice(`default profile: ${name}`)
}

/** Removes profiles and their stored passwords. */
export async function removeProfiles(app: App, names: readonly string[]): Promise<void> {
  const config = await readConfig(app.world)
  for (const name of names) existing(config, name)
  if (names.includes(builtIn))
    throw new Failure('usage', `cannot remove ${builtIn}, the embedded calendar`, {
      hint: 'use another profile with: calctl profiles use NAME',
    })
  const remaining = Object.entries(config.profiles).filter(([name]) => !names.includes(name))
  const wasInUse = config.current !== undefined && names.includes(config.current)
  await writeConfig(app.world, {
    profiles: Object.fromEntries(remaining),
    ...(!wasInUse && { current: config.current }),
  })
  for (const name of names) await deletePassword(app.world, name)
  await app.notice(`removed ${names.join(', ')}${wasInUse ? `; default profile: ${builtIn}` : ''}`)
}

function existing(config: Config, name: string): Profile {
  const profile = profileNamed(config, name)
  if (!profile) throw noSuchProfile(config, name)
  return profile
}

async function save(app: App, config: Config, name: string, before: Profile, options: SettingOptions): Promise<void> {
  const { world, globals } = app
  const { passwordStdin, ...settings } = options
  if (passwordStdin && settings.secret !== undefined) throw excluding('--secret', '--password-stdin')
  const { baseUrl, lang, namespace, header } = globals
  const source = passwordStdin && passwordSource(world, name)
  const after = applyInput(
    before,
    {
      ...settings,
      baseUrl,
      lang: isLanguage(lang) ? lang : undefined,
      namespace,
      header,
      ...(source && { secret: source }),
    },
    world.cwd,
  )
  if (name === builtIn && Object.keys(after).some(key => key !== 'lang' && key !== 'protected'))
    throw new Failure('usage', `${builtIn} is the embedded calendar: only --lang and --protected can be set`, {
      hint: 'add another calendar with: calctl profiles add NAME --base-url …',
    })
  if (passwordStdin) await savePassword(world, name, await readPassword(world))
  await writeConfig(world, { ...config, profiles: { ...config.profiles, [name]: after } })
  if (after.secret !== before.secret && after.secret !== passwordSource(world, name)) await deletePassword(world, name)
}
