import { badSettings, excluding, Failure } from '../../base/failure.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { fileOf, parseBaseUrl } from '../../client/http/request.ts'
import { documentedNamespace } from '../../contract/contract.ts'
import { isLanguage, type Language, languages } from '../../contract/languages.ts'
import type { Config, Globals, Profile, World } from '../world.ts'
import type { ProjectChoice, Target } from './command-target.ts'
import { builtIn, profileNamed, profileNames, readConfig } from './config.ts'
import { type CredentialsInput, credentialsFor, parseHeaders } from './credentials.ts'
import { readProject } from './project-file.ts'
import { type Project, type ProjectKey, projectKeys } from './project-settings.ts'
import { requireTrust } from './trust.ts'
import { dataFile } from './user-folders.ts'

/** Decides which calendar to use: option > environment > `.calctl.json` > profile > built-in. */
export async function resolveTarget(world: World, globals: Globals, read = readConfig): Promise<Target> {
  const lang = isLanguage(globals.lang) ? globals.lang : environmentLanguage(world)
  if (globals.demo) return demoTarget(globals, lang)
  const project = readProject(world.cwd)
  const config = await read(world)
  const name = nameInForce(world, globals, project, config)
  const profile = existingProfile(config, name)
  const language = lang ?? project.lang ?? profile.lang
  const chosen = chosenBaseUrl(world, globals, project)
  const ofLanguage = language && profile.baseUrls?.[language]
  const baseUrl = chosen?.baseUrl ?? addressIn(profile, language)
  const addresses = chosen === undefined ? addressesIn(profile) : { sites: [], languages: [] }
  const doubt = addressDoubt(name, language, addresses)
  const place = placeAt(world, baseUrl)
  const inForce = settingsInForce(world, globals, project, place.kind === 'http')
  const withoutProject = chosen?.baseUrl ?? addressIn(profile, lang ?? profile.lang)
  // A language decides where requests go only if it has another address.
  const choosing = inForce.filter(key => key !== 'lang' || baseUrl !== withoutProject)
  const common = {
    profile: name,
    language,
    sendLanguage: chosen !== undefined || !ofLanguage,
    ...addresses,
    protected: profile.protected ?? false,
    chosenBy: choiceOf(project, inForce),
  }
  // A calendar in this process always has the documented namespace.
  if (place.kind === 'file') {
    if (project.source && chosen?.isOfProject !== false) requireTrust(world, project.source, choosing, place.file)
    return { ...common, place, namespace: documentedNamespace, ...noCredentials }
  }
  const access = siteAccess(world, globals, { name, profile, project, baseUrl: place.baseUrl, choosing })
  return { ...common, place, ...access, notices: [...access.notices, ...(doubt ? [doubt] : [])] }
}

interface SiteChoice extends Pick<CredentialsInput, 'name' | 'profile' | 'baseUrl'> {
  readonly project: Project
  /** The settings of the project file that decide where requests go, or as whom. */
  readonly choosing: readonly ProjectKey[]
}

/** The namespace of a site, and the credentials for it; throws unless the project file that chose it is trusted with them. */
function siteAccess(world: World, globals: Globals, { name, profile, project, baseUrl, choosing }: SiteChoice) {
  const chosen = globals.namespace ?? variable(world, 'NAMESPACE')
  const namespace = chosen ?? project.namespace ?? profile.namespace ?? documentedNamespace
  const { areSent, ...access } = credentialsFor(world, {
    name,
    profile,
    baseUrl,
    headers: parseHeaders(globals.header ?? [], world.cwd, false),
    timeout: globals.timeout,
  })
  // A project file may come from anybody, and each of these decides who gets which credentials.
  if (areSent && project.source) requireTrust(world, project.source, choosing)
  return { ...access, namespace: namespace.replace(/^\/+|\/+$/g, '') }
}

function placeAt(world: World, baseUrl: string | undefined): Exclude<Target['place'], { kind: 'demo' }> {
  const file = baseUrl === undefined ? dataFile(world) : fileOf(baseUrl)
  return file === undefined ? { kind: 'http', baseUrl: baseUrl ?? '' } : { kind: 'file', file }
}

/** The address of a profile in a language. */
const addressIn = ({ baseUrl, baseUrls = {} }: Profile, language: Language | undefined): string | undefined =>
  (language && baseUrls[language]) ?? baseUrl

const variables = { profile: 'PROFILE', baseUrl: 'BASE_URL', namespace: 'NAMESPACE', lang: 'LANG' } as const

/** The settings of the project file that neither an option nor a variable overrides; only a site has a namespace. */
const settingsInForce = (world: World, globals: Globals, project: Project, isSite: boolean): ProjectKey[] =>
  projectKeys.filter(
    key =>
      project[key] !== undefined &&
      (globals[key] ?? variable(world, variables[key])) === undefined &&
      (isSite || key !== 'namespace'),
  )

function choiceOf(project: Project, inForce: readonly ProjectKey[]): ProjectChoice | undefined {
  if (!project.source || inForce.length === 0) return undefined
  // The calendar is named by its address.
  const settings = inForce.map(key => (key === 'baseUrl' ? key : `${key} ${project[key]}`))
  return { path: project.source.path, settings }
}

/** The name of the profile that a command would use. */
export const profileInForce = (world: World, globals: Globals, config: Config): string =>
  nameInForce(world, globals, readProject(world.cwd), config)

const nameInForce = (world: World, globals: Globals, project: Project, config: Config): string =>
  globals.profile ?? variable(world, 'PROFILE') ?? project.profile ?? config.current ?? builtIn

const noCredentials = { credentials: async () => ({}), front: async () => ({}), notices: [] }

function demoTarget(globals: Globals, language: Language | undefined): Target {
  if (globals.baseUrl !== undefined) throw excluding('--demo', '--base-url')
  if (globals.profile !== undefined) throw excluding('--demo', '--profile')
  return {
    profile: 'demo',
    place: { kind: 'demo' },
    language,
    sendLanguage: true,
    sites: [],
    languages: [],
    namespace: documentedNamespace,
    protected: false,
    ...noCredentials,
  }
}

/** The main base URL has the language of the profile, or the only one that has no base URL of its own. */
function addressesIn({ baseUrl, baseUrls = {}, lang }: Profile): Pick<Target, 'languages' | 'sites' | 'site'> {
  const sites = languages.filter(name => baseUrls[name] !== undefined)
  const others = languages.filter(name => !sites.includes(name))
  const main = others.length === 1 ? others[0] : others.find(name => name === lang)
  return {
    site: baseUrl,
    sites,
    languages: sites.length > 0 ? languages.filter(name => sites.includes(name) || name === main) : [],
  }
}

/**
 * A notice if a profile with addresses for languages has none for this one, so that its main address may be meant. Throws `settings` if
 * that is known to be in another language.
 */
function addressDoubt(
  name: string,
  language: Language | undefined,
  { languages: known, sites }: Pick<Target, 'languages' | 'sites'>,
): string | undefined {
  if (!language || sites.length === 0 || known.includes(language)) return undefined
  if (known.length > sites.length)
    throw badSettings(
      phrase('the profile {name} has no address for {language}', { name, language }),
      phrase(
        'use one of {known}, or set the address of {language} with: calctl profiles edit {name} --base-url-for {language}=URL',
        { known: listOf(known, 'or'), language, name },
      ),
    )
  const others = languages.filter(other => !sites.includes(other))
  return phrase(
    'the profile {name} has no language for its main address, so {language} is assumed; set it with: calctl profiles edit {name} --lang {others}',
    { name, language, others: others.join('|') },
  )
}

function environmentLanguage(world: World): Language | undefined {
  const text = variable(world, 'LANG')
  if (text === undefined || isLanguage(text)) return text
  throw badSettings(
    phrase('CALCTL_LANG: expected ca, en or es, got "{text}"', { text }),
    phrase('for example: export CALCTL_LANG=en'),
  )
}

/** An empty variable counts as unset. */
const variable = ({ env }: World, name: string): string | undefined => env[`CALCTL_${name}`] || undefined

/** The base URL from outside the profile. */
function chosenBaseUrl(world: World, globals: Globals, project: Project) {
  const parse = (text: string, kind: 'usage' | 'settings', name: string, example: string) => {
    const result = parseBaseUrl(text, world.cwd)
    if ('baseUrl' in result) return { ...result, isOfProject: false }
    throw new Failure(kind, `${name}: ${result.problem}`, {
      hint: phrase('for example: {example}https://example.org/wp-json', { example }),
    })
  }
  if (globals.baseUrl !== undefined) return parse(globals.baseUrl, 'usage', '--base-url', '--base-url ')
  const ofEnvironment = variable(world, 'BASE_URL')
  if (ofEnvironment !== undefined) return parse(ofEnvironment, 'settings', 'CALCTL_BASE_URL', 'export CALCTL_BASE_URL=')
  return project.baseUrl === undefined ? undefined : { baseUrl: project.baseUrl, isOfProject: true }
}

/** The profile with this name; throws `settings` if there is none. */
export function existingProfile(config: Config, name: string): Profile {
  const profile = profileNamed(config, name)
  if (profile) return profile
  throw badSettings(
    phrase('no profile "{name}"', { name }),
    phrase('choose one of {list}, or add it with: calctl profiles add {name} --base-url …', {
      list: listOf(profileNames(config), 'or'),
      name,
    }),
  )
}
