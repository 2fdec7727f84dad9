import { resolve } from 'node:path'
import { badSettings, Failure, usage } from '../../base/failure.ts'
import { isSecretName } from '../../base/text/secrets.ts'
import { phrase } from '../../base/words/phrase.ts'
import { basicCredentials } from '../../client/http/request.ts'
import { overridesMethod } from '../../contract/received-request.ts'
import type { Profile, World } from '../world.ts'
import { isSource, parseSource, plainSource, readSecret } from './secret-sources.ts'

/** Reads the credentials as headers of requests. */
export type Credentials = () => Promise<Readonly<Record<string, string>>>

export interface CredentialsInput {
  /** Name of the profile. */
  readonly name: string
  readonly profile: Profile
  /** Where the requests go. */
  readonly baseUrl: string
  /** Sources of the headers for this command only, by name. */
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
  const own = isOwn ? profile : {}
  const ofEnvironment = environmentPassword(world, read)
  const ofProfile =
    (profile.user !== undefined && profile.secret !== undefined) ||
    profile.frontUser !== undefined ||
    profile.headers !== undefined
  const front = frontCredentials(world, own, read)
  const ofCommand =
    Object.values(headers).some(isSource) || ofEnvironment !== undefined || Boolean(world.env.CALCTL_FRONT_USER)
  const areSent = ofCommand || (ofProfile && isOwn)
  const notices: string[] = []
  // Those of the environment are sent in place of a profile's.
  if (ofProfile && !isOwn && !(world.env.CALCTL_USER && ofEnvironment))
    notices.push(phrase('the credentials of the profile {name} are not sent to {origin}', { name, origin }))
  if (areSent && isUnencrypted(baseUrl))
    notices.push(
      phrase('credentials are sent to {origin} over plain http: anyone on the network can read them', { origin }),
    )
  return {
    areSent,
    notices,
    front,
    credentials: async () => {
      const secret = ofProfile ? own.secret : undefined
      const password = ofEnvironment ? await ofEnvironment() : secret && (await read(secret))
      const user = userHeader(world, own.user, password)
      return {
        ...(await secretHeaders(own.headers, read)),
        ...withUser(await front(), user),
        ...(await secretHeaders(headers, read)),
      }
    },
  }
}

/** The header of the user that the environment names, or else the profile; throws if one of name and password is missing. */
function userHeader(world: World, ofProfile: string | undefined, password: string | undefined): string | undefined {
  const ofEnvironment = world.env.CALCTL_USER
  const user = ofEnvironment || ofProfile
  if (user === undefined && password !== undefined)
    throw badSettings(
      phrase('a password is set without a user name'),
      phrase('set the user name with: export CALCTL_USER=…'),
    )
  if (ofEnvironment && password === undefined)
    throw badSettings(
      phrase('CALCTL_USER is set without a password'),
      phrase('set the password with: export CALCTL_PASSWORD=…, or its file with: export CALCTL_PASSWORD_FILE=…'),
    )
  return user === undefined || password === undefined ? undefined : basicCredentials(user, password)
}

/**
 * A request has one `Authorization` header, which may be taken by the web server in front of a site. The user's credentials are then sent
 * in another header, for sites that read them there.
 */
function withUser(front: Readonly<Record<string, string>>, user: string | undefined): Readonly<Record<string, string>> {
  if (user === undefined) return front
  return front.authorization === undefined ? { authorization: user } : { ...front, [besideFront]: user }
}

/** The header for a user's credentials if `Authorization` has the password for a web server in front of the site. */
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
      throw badSettings(
        phrase('CALCTL_FRONT_USER is set without a password'),
        phrase('set the password with: export CALCTL_FRONT_PASSWORD=…'),
      )
    return { authorization: basicCredentials(user, secret) }
  }
}

/** The password that the environment names, itself or by its file. */
function environmentPassword({ env, cwd }: World, read: (source: string) => Promise<string>) {
  const { CALCTL_PASSWORD: password, CALCTL_PASSWORD_FILE: file } = env
  if (password && file)
    throw badSettings(phrase('CALCTL_PASSWORD and CALCTL_PASSWORD_FILE are both set'), phrase('unset one of them'))
  if (password) return async () => password
  return file ? () => read(`file:${resolve(cwd, file)}`) : undefined
}

const originsOf = ({ baseUrl, baseUrls = {} }: Profile): Set<string> =>
  new Set([baseUrl, ...Object.values(baseUrls)].filter(url => url !== undefined).map(url => new URL(url).origin))

async function secretHeaders(headers: Profile['headers'] = {}, read: (source: string) => Promise<string>) {
  const entries: [string, string][] = []
  for (const [name, source] of Object.entries(headers)) {
    checkHeader('settings', name)
    entries.push([name.toLowerCase(), await read(source)])
  }
  return Object.fromEntries(entries)
}

/** Plain http to anything but this machine. */
function isUnencrypted(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/**
 * Parses every `X-Key: env:NAME` of `--header` into the sources of the values, by header name. For a single command, the value of a header
 * that has no secret may be given as it is.
 */
export function parseHeaders(texts: readonly string[], folder: string, isForProfile = true): Record<string, string> {
  const entries = texts.map((text): [string, string] => {
    const [, name, source] = /^([\w-]+):\s*(.+)$/.exec(text) ?? []
    if (name === undefined || source === undefined)
      throw usage(
        phrase('--header: expected a name and the source of its value'),
        phrase("for example: --header 'X-Key: env:SITE_KEY'"),
      )
    checkHeader('usage', name)
    const isPlain = !isForProfile && !isSource(source) && !isSecretName(name)
    return [name, isPlain ? `${plainSource}${source}` : parseSource('--header', source, folder)]
  })
  return Object.fromEntries(entries)
}

/** Throws for a header with which a site would take a read for a write: it is sent with every request. */
function checkHeader(kind: 'usage' | 'settings', name: string): void {
  if (!overridesMethod(name)) return
  throw new Failure(kind, phrase('the header {name} would turn reads into writes', { name }), {
    hint: phrase('leave it out; from a profile, remove it with: calctl profiles edit NAME --clear headers'),
  })
}

export const frontPairIncomplete = (): Failure =>
  usage(
    phrase('--front-user requires --front-secret, and vice versa'),
    phrase('for example: --front-user staging --front-secret env:STAGING_PASSWORD'),
  )

/** The name under which the password in front of a profile's site is saved. No profile can have it. */
export const frontName = (profile: string): string => `.front-${profile}`
