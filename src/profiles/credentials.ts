import { resolve } from 'node:path'
import { Failure } from '../failure.ts'
import type { World } from '../world.ts'
import type { Profile } from './profile.ts'
import { readSecret } from './secrets.ts'

/** Reads the credentials as headers of requests. */
export type Credentials = () => Promise<Readonly<Record<string, string>>>

interface CredentialsInput {
  /** Name of the profile. */
  readonly name: string
  readonly profile: Profile
  /** Where the requests go. */
  readonly baseUrl: string
  /** Sources of the headers of this one command, by name. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long the command of a secret may take, in ms. */
  readonly timeout?: number | undefined
}

/** The credentials for a base URL that the user chose. A profile's are sent to its own origins only. */
export function credentialsFor(
  world: World,
  { name, profile, baseUrl, headers = {}, timeout }: CredentialsInput,
): { credentials: Credentials; front: Credentials; areSent: boolean; notices: string[] } {
  const { origin } = new URL(baseUrl)
  const read = (source: string) => readSecret(source, world, timeout)
  const isOwn = originsOf(profile).has(origin)
  const ofEnvironment = environmentPassword(world, read)
  const ofProfile =
    (profile.user !== undefined && profile.secret !== undefined) ||
    profile.frontUser !== undefined ||
    profile.headers !== undefined
  const front = frontCredentials(world, isOwn ? profile : {}, read)
  const sources = [
    { owner: 'the command line', isSet: Object.keys(headers).length > 0, maySend: true },
    {
      owner: 'the environment',
      isSet: ofEnvironment !== undefined || Boolean(world.env.CALCTL_FRONT_USER),
      maySend: true,
    },
    { owner: `the profile ${name}`, isSet: ofProfile, maySend: isOwn },
  ].filter(({ isSet }) => isSet)
  // Those of the environment are sent in place of a profile's.
  const notices = sources
    .filter(({ maySend }) => !maySend && !(world.env.CALCTL_USER && ofEnvironment))
    .map(({ owner }) => `the credentials of ${owner} are not sent to ${origin}`)
  const areSent = sources.some(({ maySend }) => maySend)
  if (areSent && isUnencrypted(baseUrl))
    notices.push(`credentials are sent to ${origin} over plain http: anyone on the network can read them`)
  return {
    areSent,
    notices,
    front,
    credentials: async () => {
      const user = world.env.CALCTL_USER || (isOwn ? profile.user : undefined)
      const secret = isOwn && ofProfile ? profile.secret : undefined
      const password = ofEnvironment ? await ofEnvironment() : secret && (await read(secret))
      if (user === undefined && password !== undefined)
        throw new Failure('settings', 'a password is set without a user name', {
          hint: 'set the user name with: export CALCTL_USER=…',
        })
      if (world.env.CALCTL_USER && password === undefined)
        throw new Failure('settings', 'CALCTL_USER is set without a password', {
          hint: 'set the password with: export CALCTL_PASSWORD=…, or its file with: export CALCTL_PASSWORD_FILE=…',
        })
      return {
        ...(isOwn && (await secretHeaders(profile.headers, read))),
        ...withUser(await front(), user === undefined || password === undefined ? undefined : basic(user, password)),
        ...(await secretHeaders(headers, read)),
      }
    },
  }
}

/**
 * A request has one `Authorization`, which the web server in front of a site takes for itself. The user's goes beside it, for sites
 * that take it from there.
 */
function withUser(front: Readonly<Record<string, string>>, user: string | undefined): Record<string, string> {
  if (user === undefined) return { ...front }
  return front.authorization === undefined ? { authorization: user } : { ...front, [besideFront]: user }
}

/** The header of a user's credentials where a password in front of the site has `Authorization`. */
export const besideFront = 'x-authorization'

/** The credentials for the web server in front of a site. */
function frontCredentials(
  { env }: World,
  { frontUser, frontSecret }: Profile,
  read: (source: string) => Promise<string>,
): Credentials {
  const { CALCTL_FRONT_USER: user = frontUser, CALCTL_FRONT_PASSWORD: password } = env
  if (!user) return async () => ({})
  return async () => {
    const secret = password || (frontSecret && (await read(frontSecret)))
    if (!secret)
      throw new Failure('settings', 'CALCTL_FRONT_USER is set without a password', {
        hint: 'set the password with: export CALCTL_FRONT_PASSWORD=…',
      })
    return { authorization: basic(user, secret) }
  }
}

/** The password that the environment names, itself or by its file. */
function environmentPassword(
  { env, cwd }: World,
  read: (source: string) => Promise<string>,
): (() => Promise<string>) | undefined {
  const { CALCTL_PASSWORD: password, CALCTL_PASSWORD_FILE: file } = env
  if (password && file)
    throw new Failure('settings', 'CALCTL_PASSWORD and CALCTL_PASSWORD_FILE are both set', {
      hint: 'unset one of them',
    })
  if (password) return async () => password
  return file ? () => read(`file:${resolve(cwd, file)}`) : undefined
}

export const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

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
function isUnencrypted(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
