import { createHash } from 'node:crypto'
import { existsSync, lstatSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { badSettings, conflict, Failure } from '../../base/failure.ts'
import { isInside, makeFolder, readSettingsFile, reason, storedFileProblem, writeAtomically } from '../../base/fs.ts'
import { isObject } from '../../base/text/json.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { parseBaseUrl } from '../../client/http/request.ts'
import { isLanguage, type Language } from '../../contract/languages.ts'
import { cannotWrite } from '../failures.ts'
import type { Config, Profile, World } from '../world.ts'
import { checkFolder, configFile } from './user-folders.ts'

/**
 * Profiles: which calendar to use, as which user, and in which language. `resolve.ts` decides that for a command, from its options, the
 * environment, the project file and the profile, and returns a `Target`; `config.ts` keeps the profiles in a file; `credentials.ts` makes
 * the headers for a target from secrets, of which only the sources are stored here.
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
  const text = contentOf(path)
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
  const text = contentOf(configFile(world))
  return { profiles: {}, ...(text !== undefined && (JSON.parse(text) as Partial<Config>)) }
}

/** Changes the configuration, while no other process writes it. */
export async function changeConfig(world: World, change: (config: Config) => Config | Promise<Config>): Promise<void> {
  const path = configFile(world)
  await changeFile(path, async () => writeConfig(path, await change(await readConfig(world))))
}

/** How long another process may take to change a small file, in ms. */
const patience = 10_000

/**
 * Reads a small file, changes it and writes it, while no other process does: the second process starts from what the first one wrote.
 * Creates the folder for this user alone. Throws `settings` with this hint if it cannot be written.
 */
export async function changeFile(file: string, readChangeWrite: () => Promise<void>, hint = checkFolder()) {
  const { lockFile } = await import('../../base/lock/lock.ts')
  const inUse = ({ pid }: { pid?: number | undefined }) =>
    conflict(
      pid === undefined
        ? phrase('another process is changing {file}', { file })
        : phrase('another process is changing {file} (pid {pid})', { file, pid }),
      phrase('try again later'),
    )
  try {
    makeFolder(dirname(file), 0o700)
    const lock = await lockFile(file, { wait: patience, inUse })
    try {
      await readChangeWrite()
    } finally {
      lock.release()
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw cannotWrite(file, error, hint)
  }
}

/** Writes the configuration file, readable only by its owner. conf writes a temporary file and renames it. */
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
    throw badSettings(
      phrase('cannot read {path}: {reason}', { path, reason: reason(error as Error, 'read') }),
      code === undefined ? phrase('replace it with a configuration file') : phrase('check that you may read it'),
    )
  }
}

function parseJson(text: string, problem: (what: string) => Failure): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw problem(phrase('malformed JSON: {reason}', { reason: (error as Error).message }))
  }
}

/** The settings of a folder's `.calctl.json`. */
export interface Project {
  readonly profile?: string
  readonly baseUrl?: string
  readonly lang?: Language
  readonly namespace?: string
  /** The settings of the rules of `calctl lint`, which reads them itself. */
  readonly lint?: unknown
  /** The records that somebody said are not duplicates, which `calctl dedupe` reads itself. */
  readonly distinct?: unknown
  /** Where they are from; absent without a file. */
  readonly source?: ProjectSource
}

/** A project file as it was read. */
export interface ProjectSource {
  readonly path: string
  readonly text: string
}

/** The settings of a project file that choose a calendar. */
export const projectKeys = ['profile', 'baseUrl', 'namespace', 'lang'] as const
export type ProjectKey = (typeof projectKeys)[number]
const textKeys: readonly string[] = projectKeys
const keys = ['profile', 'baseUrl', 'lang', 'namespace', 'lint', 'distinct']
const secretKeys = /user|password|secret|token|header|auth/i

/** The path of `.calctl.json` in this folder, or in the nearest folder above that has one. */
export function findProjectFile(folder: string): string | undefined {
  const path = join(folder, '.calctl.json')
  if (existsSync(path)) return path
  const above = dirname(folder)
  return above === folder ? undefined : findProjectFile(above)
}

/** Reads the settings of this folder's project; none without a file. */
export function readProject(folder: string): Project {
  const path = findProjectFile(folder)
  return path === undefined ? {} : readProjectFile(path)
}

function readProjectFile(path: string): Project {
  const invalid: Invalid = (what, hint = phrase('it may contain: {keys}', { keys: listOf(keys) })) =>
    badSettings(`${path}: ${what}`, hint)
  const { text, content } = readJson(path, invalid)
  if (!isObject(content)) throw invalid(phrase('expected a JSON object'))
  for (const [key, value] of Object.entries(content)) checkSetting(key, value, invalid)
  const { lint, distinct, ...texts } = content
  const { lang, baseUrl, ...strings } = texts as Record<string, string>
  const others = {
    ...strings,
    ...(lint !== undefined && { lint }),
    ...(distinct !== undefined && { distinct }),
    source: { path, text },
  }
  if (lang !== undefined && !isLanguage(lang))
    throw invalid(phrase('lang: expected ca, en or es, got "{lang}"', { lang }))
  if (baseUrl === undefined) return { ...others, ...(lang && { lang }) }
  const read = parseBaseUrl(baseUrl, dirname(path))
  if ('problem' in read) throw invalid(`baseUrl: ${read.problem}`)
  return { ...others, ...(lang && { lang }), ...read }
}

/** The failure of a project file. */
type Invalid = (what: string, hint?: string) => Failure

function checkSetting(key: string, value: unknown, invalid: Invalid): void {
  if (!keys.includes(key) && secretKeys.test(key))
    throw invalid(
      phrase('{key}: a project file must not contain credentials', { key }),
      phrase('put them into a profile with: calctl profiles edit NAME'),
    )
  if (!keys.includes(key)) throw invalid(phrase('unknown key "{key}"', { key }))
  if (textKeys.includes(key) && typeof value !== 'string') throw invalid(phrase('{key}: expected text', { key }))
}

function readJson(path: string, invalid: Invalid): { text: string; content: unknown } {
  let text: string | undefined
  try {
    text = readSettingsFile(path)
    return { text, content: JSON.parse(text) }
  } catch (error) {
    const what = text === undefined ? reason(error as Error, 'read') : (error as Error).message
    throw invalid(what, phrase('fix it, or remove it'))
  }
}

/**
 * The project files that the user trusts to choose where credentials are sent, and calendar files outside their folders: their paths
 * with a hash of their contents, so that a file that changed has to be trusted again. A list that cannot be read counts as empty.
 */
type Trusted = Readonly<Record<string, unknown>>

/** Throws unless these settings of a project file, if any, may choose this calendar file, or else be used with credentials. */
export function requireTrust(world: World, { source }: Project, settings: readonly string[], file?: string): void {
  if (!source || settings.length === 0) return
  if (file !== undefined && isInside(file, dirname(source.path))) return
  const problem = trustProblem(world, source, consequenceOf(settings, file))
  if (problem) throw problem
}

/** What settings cannot do before their file is trusted: be used with credentials, or choose a file outside its folder. */
export const consequenceOf = (settings: readonly string[], file?: string): string =>
  file === undefined
    ? phrase('its {settings} cannot be used with credentials', { settings: listOf(settings) })
    : phrase('its {settings} cannot choose {file}, which is outside its folder', { settings: listOf(settings), file })

/** Why a file may not do something before it is trusted, if it may not; `consequence` says what it cannot do. */
export function trustProblem(world: World, source: ProjectSource, consequence: string): Failure | undefined {
  const { path } = source
  const foreign = foreignOwner(world, path, consequence)
  if (foreign) return foreign
  const trusted = readTrusted(world)[path]
  if (trusted === hashOf(source)) return undefined
  const message =
    trusted === undefined
      ? phrase('{path} is not trusted: {consequence}', { path, consequence })
      : phrase('{path} changed after it was trusted: {consequence}', { path, consequence })
  // The list of trusted files is one of the user's own, and root has another.
  const command = sudoUser(world) === undefined ? 'calctl trust' : 'sudo calctl trust'
  return badSettings(message, phrase('check its contents, then run: {command}', { command }))
}

/** Trusts a project file with the contents that were read. */
export async function trustFile(world: World, source: ProjectSource): Promise<void> {
  const foreign = foreignOwner(world, source.path, phrase('it cannot be trusted'))
  if (foreign) throw foreign
  await changeTrusted(world, trusted => ({ ...trusted, [source.path]: hashOf(source) }))
}

/** Stops trusting a project file, whatever its contents; false if it was not trusted. */
export async function distrustFile(world: World, path: string): Promise<boolean> {
  if (readTrusted(world)[path] === undefined) return false
  await changeTrusted(world, ({ [path]: _, ...others }) => others)
  return true
}

/** Another owner of a file, or of a link to it, who could change it at any time. Root, who could change any file, does not count. */
function foreignOwner(world: World, path: string, consequence: string): Failure | undefined {
  const own = [process.geteuid?.(), 0, sudoUser(world)]
  const owner = [lstatSync(path).uid, statSync(path).uid].find(uid => !own.includes(uid))
  if (own[0] === undefined || owner === undefined) return undefined
  return badSettings(
    phrase('{path} belongs to another user (ID {owner}): {consequence}', { path, owner, consequence }),
    phrase(
      'give --base-url and --namespace on the command line (-p in place of its profile), or replace the file by one of your own',
    ),
  )
}

/** The user on whose behalf root works. */
const sudoUser = ({ env }: World): number | undefined =>
  process.geteuid?.() === 0 && env.SUDO_UID ? Number(env.SUDO_UID) : undefined

const hashOf = ({ text }: ProjectSource): string => createHash('sha256').update(text).digest('hex')

const fileOfTrust = (world: World): string => join(dirname(configFile(world)), 'trusted.json')

function readTrusted(world: World): Trusted {
  try {
    const content: unknown = JSON.parse(readSettingsFile(fileOfTrust(world)))
    return isObject(content) ? content : {}
  } catch {
    return {}
  }
}

/** Changes the list of trusted files, while no other process writes it. */
async function changeTrusted(world: World, change: (trusted: Trusted) => Trusted): Promise<void> {
  const path = fileOfTrust(world)
  await changeFile(path, () => writeAtomically(path, JSON.stringify(change(readTrusted(world))), 0o600))
}
