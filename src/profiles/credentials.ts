import { Failure } from '../failure.ts'
import type { World } from '../world.ts'
import type { Profile } from './profile.ts'
import { readSecret } from './secrets.ts'

/** Fetches what a request must carry to be let in, as headers. */
export type Credentials = () => Promise<Readonly<Record<string, string>>>

interface Wanted {
  /** Name of the profile. */
  readonly name: string
  readonly profile: Profile
  /** Where the requests go. */
  readonly baseUrl: string
  /** Whether the user named that place, and not a file that came with a project. */
  readonly trusted: boolean
  /** Headers of this one command: name → where the value is. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long a command may take that gives a secret, in ms. */
  readonly timeout?: number | undefined
}

/** The credentials for a base URL: a profile's go to its own origins only, the command's and the environment's where the user said. */
export function credentialsFor(
  world: World,
  { name, profile, baseUrl, trusted, headers = {}, timeout }: Wanted,
): { credentials: Credentials; notices: string[] } {
  const { origin } = new URL(baseUrl)
  const read = (source: string) => readSecret(source, world, timeout)
  const own = originsOf(profile).has(origin)
  const ofEnvironment = world.env.CALCTL_PASSWORD || undefined
  const ofProfile = (profile.user !== undefined && profile.secret !== undefined) || profile.headers !== undefined
  const stated = own || trusted
  const given = [
    { whose: 'the command line', isThere: Object.keys(headers).length > 0, mayGo: stated },
    { whose: 'the environment', isThere: ofEnvironment !== undefined, mayGo: stated },
    { whose: `the profile ${name}`, isThere: ofProfile, mayGo: own },
  ].filter(({ isThere }) => isThere)
  const notices = given
    .filter(({ mayGo }) => !mayGo)
    .map(({ whose }) => `the credentials of ${whose} are not sent to ${origin}`)
  if (given.some(({ mayGo }) => mayGo) && isOpen(baseUrl))
    notices.push(`credentials go to ${origin} over plain http: anyone on the way can read them`)
  return {
    notices,
    credentials: async () => {
      const user = world.env.CALCTL_USER || (own ? profile.user : undefined)
      const secret = own && ofProfile ? profile.secret : undefined
      const password = (stated && ofEnvironment) || (secret && (await read(secret)))
      if (user === undefined && password !== undefined)
        throw new Failure('settings', 'a password, but no user name', { hint: 'set it: export CALCTL_USER=…' })
      if (stated && world.env.CALCTL_USER && password === undefined)
        throw new Failure('settings', 'CALCTL_USER, but no password', { hint: 'set it: export CALCTL_PASSWORD=…' })
      return {
        ...(own && (await secretHeaders(profile.headers, read))),
        ...(user !== undefined && password !== undefined && { authorization: basic(user, password) }),
        ...(stated && (await secretHeaders(headers, read))),
      }
    },
  }
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

const originsOf = ({ baseUrl, baseUrls = {} }: Profile): Set<string> =>
  new Set([baseUrl, ...Object.values(baseUrls)].filter(url => url !== undefined).map(url => new URL(url).origin))

async function secretHeaders(
  headers: Profile['headers'] = {},
  read: (source: string) => Promise<string>,
): Promise<Record<string, string>> {
  const entries: [string, string][] = []
  for (const [name, source] of Object.entries(headers)) entries.push([name.toLowerCase(), await read(source)])
  return Object.fromEntries(entries)
}

/** Plain http to anything but this machine. */
function isOpen(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
