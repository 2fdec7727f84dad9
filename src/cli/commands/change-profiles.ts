/**
 * The commands `profiles`: this file adds, changes, removes and prints profiles. Input: the names and options
 * of a command line. Output: the configuration file, or a table or card. `src/cli/profiles` stores and checks profiles.
 */

import { pathToFileURL } from 'node:url'
import { excluding, usage, wrongValue } from '../../base/failure.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { parseBaseUrl } from '../../client/http/request.ts'
import { isLanguage } from '../../contract/languages.ts'
import type { App } from '../app.ts'
import { changeConfig } from '../profiles/change-file.ts'
import { builtIn, profileNamed, profileNames, readConfig } from '../profiles/config.ts'
import { frontName, frontPairIncomplete, parseHeaders } from '../profiles/credentials.ts'
import { deletePassword, passwordSource, readPasswordInput, savePassword } from '../profiles/kept-passwords.ts'
import { readProject } from '../profiles/project-file.ts'
import { existingProfile, profileInForce } from '../profiles/resolve.ts'
import { parseSource } from '../profiles/secret-sources.ts'
import { dataFile } from '../profiles/user-folders.ts'
import type { Config, Profile } from '../world.ts'
import { profileShape } from './shared/output-shapes.ts'

/** The options of `profiles add` and `profiles edit` other than the global ones. */
export type SettingOptions = Omit<ProfileInput, 'baseUrl' | 'lang' | 'ui' | 'namespace' | 'header'> & {
  readonly passwordStdin?: true
}

/** Adds a profile. */
export async function addProfile(app: App, name: string, options: SettingOptions): Promise<void> {
  const password = await givenPassword(app, options)
  await changeConfig(app.world, config => {
    if (profileNamed(config, name))
      throw usage(
        phrase('profile {name} already exists', { name }),
        phrase('change it with: calctl profiles edit {name}', { name }),
      )
    if (app.globals.baseUrl === undefined)
      throw usage(phrase('missing --base-url'), phrase('for example: --base-url https://example.org/wp-json'))
    return withSettings(app, config, name, { ...options, password })
  })
  await app.notice(phrase('added {name}; use it by default with: calctl profiles use {name}', { name }))
}

/** Changes the given settings of a profile. */
export async function editProfile(app: App, name: string, options: SettingOptions): Promise<void> {
  const { baseUrl, lang, ui, namespace, header } = app.globals
  const isEmpty = [baseUrl, lang, ui, namespace, header, ...Object.values(options)].every(value => value === undefined)
  const password = await givenPassword(app, options)
  await changeConfig(app.world, config => {
    existingProfile(config, name)
    if (isEmpty) throw usage(phrase('nothing to change'), phrase('list the settings with: calctl profiles edit --help'))
    return withSettings(app, config, name, { ...options, password })
  })
  await app.notice(phrase('changed {name}', { name }))
}

/** Makes a profile the default. */
export async function useProfile(app: App, name: string): Promise<void> {
  await changeConfig(app.world, config => {
    existingProfile(config, name)
    return { ...config, current: name }
  })
  await app.notice(phrase('default profile: {name}', { name }))
}

/** Removes profiles and their stored passwords. */
export async function removeProfiles(app: App, names: readonly string[]): Promise<void> {
  let wasInUse = false
  await changeConfig(app.world, async config => {
    for (const name of names) existingProfile(config, name)
    if (names.includes(builtIn))
      throw usage(
        phrase('cannot remove {builtIn}, the embedded calendar', { builtIn }),
        phrase('use another profile with: calctl profiles use NAME'),
      )
    const remaining = Object.entries(config.profiles).filter(([name]) => !names.includes(name))
    wasInUse = config.current !== undefined && names.includes(config.current)
    for (const name of names.flatMap(name => [name, frontName(name)])) await deletePassword(app.world, name)
    return { profiles: Object.fromEntries(remaining), ...(!wasInUse && { current: config.current }) }
  })
  const sentences = [
    phrase('removed {names}', { names: names.join(', ') }),
    ...(wasInUse ? [phrase('default profile: {name}', { name: builtIn })] : []),
  ]
  await app.notice(sentences.join('; '))
}

/**
 * The password of --password-stdin, or typed at a terminal without being shown. It is read before the configuration is locked, because
 * somebody may have to type it.
 */
async function givenPassword({ world }: App, { passwordStdin, secret }: SettingOptions): Promise<string | undefined> {
  if (passwordStdin && secret !== undefined) throw excluding('--secret', '--password-stdin')
  return passwordStdin && readPasswordInput(world)
}

/** The configuration with the given settings in a profile; keeps the profile's password, or removes it. */
async function withSettings(
  { world, globals }: App,
  config: Config,
  name: string,
  { passwordStdin: _, password, ...settings }: SettingOptions & { readonly password: string | undefined },
): Promise<Config> {
  const before = profileNamed(config, name) ?? {}
  const { baseUrl, lang, ui, namespace, header } = globals
  const stored = passwordSource(world, name)
  const input: ProfileInput = {
    ...settings,
    baseUrl,
    lang: isLanguage(lang) ? lang : undefined,
    ui,
    namespace,
    header,
    ...(password !== undefined && { secret: stored }),
  }
  const after = applyInput(before, input, world.cwd)
  if (name === builtIn && Object.keys(after).some(key => !['lang', 'ui', 'protected'].includes(key)))
    throw usage(
      phrase('{builtIn} is the embedded calendar: only --lang, --ui and --protected can be set', { builtIn }),
      phrase('add another calendar with: calctl profiles add NAME --base-url …'),
    )
  if (password !== undefined) await savePassword(world, name, password)
  else if (after.secret !== before.secret && after.secret !== stored) await deletePassword(world, name)
  return { ...config, profiles: { ...config.profiles, [name]: after } }
}

/** The options of `profiles add` and `profiles edit`, as typed. */
export interface ProfileInput {
  readonly baseUrl?: string | undefined
  /** `en=https://…` */
  readonly baseUrlFor?: readonly string[]
  readonly lang?: Profile['lang']
  readonly ui?: Profile['ui']
  readonly namespace?: string | undefined
  readonly user?: string
  readonly secret?: string
  readonly frontUser?: string
  /** A source, as in the password of a profile. */
  readonly frontSecret?: string
  /** `X-Key: env:NAME` */
  readonly header?: readonly string[] | undefined
  readonly protected?: boolean
  /** Settings to unset, comma-separated. */
  readonly clear?: string
}

const clearable = ['baseUrls', 'lang', 'ui', 'namespace', 'user', 'secret', 'frontUser', 'frontSecret', 'headers']

/** A profile after these options; relative paths in them are relative to `folder`. */
function applyInput(before: Profile, input: ProfileInput, folder: string): Profile {
  const { baseUrl, baseUrlFor, lang, ui, namespace, user, secret, header, protected: isProtected, clear } = input
  const { frontUser, frontSecret } = input
  const after: Profile = {
    ...unset(before, clear),
    ...(baseUrl !== undefined && { baseUrl: baseUrlOption('--base-url', baseUrl, folder) }),
    ...(baseUrlFor && { baseUrls: { ...before.baseUrls, ...languageUrls(baseUrlFor, folder) } }),
    ...(lang !== undefined && { lang }),
    ...(ui !== undefined && { ui }),
    ...(namespace !== undefined && { namespace: namespaceOption(namespace) }),
    ...(user !== undefined && { user: userOption('--user', user) }),
    ...(frontUser !== undefined && { frontUser: userOption('--front-user', frontUser) }),
    ...(frontSecret !== undefined && { frontSecret: parseSource('--front-secret', frontSecret, folder) }),
    ...(secret !== undefined && { secret: parseSource('--secret', secret, folder) }),
    ...(header && { headers: { ...before.headers, ...parseHeaders(header, folder) } }),
    ...(isProtected !== undefined && { protected: isProtected }),
  }
  if (after.secret !== undefined && after.user === undefined)
    throw usage(phrase('a secret needs a user name'), phrase('add: --user NAME'))
  if ((after.frontSecret === undefined) !== (after.frontUser === undefined)) throw frontPairIncomplete()
  return after
}

function unset(profile: Profile, clear = ''): Profile {
  const names = clear.split(',').filter(name => name !== '')
  for (const name of names)
    if (!clearable.includes(name))
      throw usage(
        phrase('--clear: no setting "{name}"', { name }),
        phrase('these can be cleared: {clearable}', { clearable: listOf(clearable) }),
      )
  return Object.fromEntries(Object.entries(profile).filter(([name]) => !names.includes(name)))
}

function baseUrlOption(option: string, text: string, folder: string): string {
  const read = parseBaseUrl(text, folder)
  if ('baseUrl' in read) return read.baseUrl
  throw usage(`${option}: ${read.problem}`, phrase('for example: {option} https://example.org/wp-json', { option }))
}

function languageUrls(texts: readonly string[], folder: string): NonNullable<Profile['baseUrls']> {
  const urls = texts.map((text): [string, string] => {
    const [, language, url] = /^(\w+)=(.+)$/.exec(text) ?? []
    if (!isLanguage(language) || url === undefined)
      throw usage(
        phrase('--base-url-for: expected a language and its base URL'),
        phrase('for example: --base-url-for en=https://example.org/en/wp-json'),
      )
    return [language, baseUrlOption(`--base-url-for ${language}`, url, folder)]
  })
  return Object.fromEntries(urls)
}

function namespaceOption(text: string): string {
  const namespace = text.replace(/^\/+|\/+$/g, '')
  if (/^[\w.-]+(\/[\w.-]+)*$/.test(namespace)) return namespace
  throw wrongValue('--namespace', phrase('a path'), text, 'tribe/events/v1')
}

function userOption(option: string, name: string): string {
  if (name !== '' && !name.includes(':')) return name
  throw usage(
    phrase('{option}: expected a name without a colon', { option }),
    phrase('set the source of the password with: --secret env:NAME'),
  )
}

/** Says what the project file of this folder sets, and whether that is used with credentials. */
async function noticeProject({ world, notice }: App): Promise<void> {
  const { source, ...settings } = readProject(world.cwd)
  if (source === undefined) return
  const given = Object.entries(settings).map(setting => setting.join(' '))
  const decisive = ['profile', 'baseUrl', 'namespace'].filter(name => Object.hasOwn(settings, name))
  const { consequenceOf, trustProblem } = await import('../profiles/trust.ts')
  const problem = decisive.length > 0 ? trustProblem(world, source, consequenceOf(decisive)) : undefined
  const { path } = source
  const setting = { path, settings: listOf(given) }
  if (given.length === 0) return notice(phrase('{path} sets nothing', { path }))
  const isTrusted = decisive.length > 0 && !problem
  await notice(
    isTrusted ? phrase('{path} sets {settings}, and is trusted', setting) : phrase('{path} sets {settings}', setting),
  )
  if (problem) {
    const { hint = '' } = problem.details
    await notice(`${problem.message}\n${phrase('hint: {hint}', { hint })}`)
  }
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

/** Prints one profile, by default the current one; for a secret, only its source. */
export async function showProfile(app: App, name?: string): Promise<void> {
  const config = await readConfig(app.world)
  await app.print(profileShape, profileRow(app, config, name ?? profileInForce(app.world, app.globals, config)))
  await noticeProject(app)
}

function profileRow(app: App, config: Config, name: string): Readonly<Record<string, unknown>> {
  const profile = existingProfile(config, name)
  const inUse = name === profileInForce(app.world, app.globals, config)
  const baseUrl = profile.baseUrl ?? pathToFileURL(dataFile(app.world)).href
  const known: Record<string, unknown> = { protected: false, ...profile, name, inUse, baseUrl, lang_code: profile.lang }
  return Object.fromEntries(Object.keys(profileShape.fields).map(name => [name, known[name] ?? null]))
}
