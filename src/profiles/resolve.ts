import { documentedNamespace } from '../contract/contract.ts'
import { isLanguage, type Language, languages } from '../contract/words.ts'
import { excluding, Failure } from '../failure.ts'
import type { Globals } from '../globals.ts'
import type { World } from '../world.ts'
import { fileOf, parseBaseUrl } from './base-url.ts'
import { readConfig } from './config.ts'
import { type Credentials, credentialsFor } from './credentials.ts'
import { builtIn, type Config, profileNamed, profileNames } from './profile.ts'
import { type Project, readProject } from './project.ts'
import { parseHeaders } from './secrets.ts'
import { dataFile } from './user-folders.ts'

/** Where to talk, as whom, in which language: all that the options, the environment, the project and the profile decide. */
export interface Target {
  readonly profile: string
  readonly place:
    | { readonly kind: 'http'; readonly baseUrl: string }
    | { readonly kind: 'file'; readonly file: string }
    | { readonly kind: 'demo' }
  readonly language: Language | undefined
  /** Whether the language must be said with each request, because the base URL does not say it. */
  readonly sendLanguage: boolean
  /** The languages that have a base URL of their own there. */
  readonly sites: readonly Language[]
  readonly namespace: string
  readonly credentials: Credentials
  /** Writes must be confirmed by the profile's name. */
  readonly protected: boolean
  /** What the user should know of this, as lines for stderr. */
  readonly notices: readonly string[]
}

/** Decides where to talk: option > environment > `.calctl.json` > profile > built-in. */
export async function resolveTarget(world: World, globals: Globals): Promise<Target> {
  const lang = isLanguage(globals.lang) ? globals.lang : environmentLanguage(world)
  if (globals.demo) return demoTarget(globals, lang)
  const project = readProject(world.cwd)
  const config = await readConfig(world)
  const name = nameInForce(world, globals, project, config)
  const profile = profileNamed(config, name)
  if (!profile) throw noSuchProfile(config, name)
  const language = lang ?? project.lang ?? profile.lang
  const stated = statedBaseUrl(world, globals, project)
  const ofLanguage = language && profile.baseUrls?.[language]
  const baseUrl = stated?.baseUrl ?? ofLanguage ?? profile.baseUrl
  const common = {
    profile: name,
    language,
    sendLanguage: stated !== undefined || !ofLanguage,
    sites: stated === undefined ? languages.filter(name => profile.baseUrls?.[name] !== undefined) : [],
    protected: profile.protected ?? false,
  }
  const file = baseUrl === undefined ? dataFile(world) : fileOf(baseUrl)
  // A calendar in this process has no address, so that no namespace applies to it.
  if (baseUrl === undefined || file !== undefined)
    return {
      ...common,
      place: { kind: 'file', file: file ?? dataFile(world) },
      namespace: documentedNamespace,
      ...nothingSecret,
    }
  const namespace =
    globals.namespace ?? variable(world, 'NAMESPACE') ?? project.namespace ?? profile.namespace ?? documentedNamespace
  return {
    ...common,
    place: { kind: 'http', baseUrl },
    namespace: namespace.replace(/^\/+|\/+$/g, ''),
    ...credentialsFor(world, {
      name,
      profile,
      baseUrl,
      trusted: stated?.trusted ?? true,
      headers: parseHeaders(globals.header ?? [], world.cwd),
      timeout: globals.timeout,
    }),
  }
}

/** The name of the profile that a command line would talk to. */
export const profileInForce = (world: World, globals: Globals, config: Config): string =>
  nameInForce(world, globals, readProject(world.cwd), config)

const nameInForce = (world: World, globals: Globals, project: Project, config: Config): string =>
  globals.profile ?? variable(world, 'PROFILE') ?? project.profile ?? config.current ?? builtIn

const nothingSecret = { credentials: async () => ({}), notices: [] }

function demoTarget(globals: Globals, language: Language | undefined): Target {
  const other = globals.baseUrl !== undefined ? '--base-url' : globals.profile !== undefined ? '--profile' : undefined
  if (other) throw excluding('--demo', other)
  return {
    profile: 'demo',
    place: { kind: 'demo' },
    language,
    sendLanguage: true,
    sites: [],
    namespace: documentedNamespace,
    protected: false,
    ...nothingSecret,
  }
}

function environmentLanguage(world: World): Language | undefined {
  const text = variable(world, 'LANG')
  if (text === undefined || isLanguage(text)) return text
  throw new Failure('settings', `CALCTL_LANG: expected ca, en or es, got "${text}"`, {
    hint: 'for example: export CALCTL_LANG=en',
  })
}

/** A variable that is set to nothing is not set. */
const variable = ({ env }: World, name: string): string | undefined => env[`CALCTL_${name}`] || undefined

/** The base URL that stands outside the profile; a project file may come from anybody and is not trusted with secrets. */
function statedBaseUrl(
  world: World,
  globals: Globals,
  project: Project,
): { baseUrl: string; trusted: boolean } | undefined {
  const read = (text: string, kind: 'usage' | 'settings', name: string, example: string) => {
    const result = parseBaseUrl(text, world.cwd)
    if ('baseUrl' in result) return { ...result, trusted: true }
    throw new Failure(kind, `${name}: ${result.problem}`, {
      hint: `for example: ${example}https://example.org/wp-json`,
    })
  }
  if (globals.baseUrl !== undefined) return read(globals.baseUrl, 'usage', '--base-url', '--base-url ')
  const ofEnvironment = variable(world, 'BASE_URL')
  if (ofEnvironment !== undefined) return read(ofEnvironment, 'settings', 'CALCTL_BASE_URL', 'export CALCTL_BASE_URL=')
  return project.baseUrl === undefined ? undefined : { baseUrl: project.baseUrl, trusted: false }
}

/** What is said where a profile is named that is not there. */
export function noSuchProfile(config: Config, name: string): Failure {
  return new Failure('settings', `no profile "${name}"`, {
    hint: `there are: ${profileNames(config).join(', ')}; another one is added with: calctl profiles add ${name} --base-url …`,
  })
}
