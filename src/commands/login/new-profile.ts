import type { App } from '../../app.ts'
import type { FoundSite } from '../../client/site-discovery.ts'
import { Failure } from '../../failure.ts'
import { changeConfig, readConfig } from '../../profiles/config.ts'
import { frontName, passwordSource, savePassword } from '../../profiles/credentials.ts'
import { type Config, type Profile, profileNamed } from '../../profiles/profile.ts'

export interface Login {
  readonly user: string
  readonly password: string
}

/** What the web server in front of a site asks for. */
export interface FrontLogin extends Login {
  /** Where the password comes from; undefined if it was typed, and has to be stored. */
  readonly source: string | undefined
}

/** The name for the profile: the one that was given, that of a profile for this site, or one made from its host. */
export async function profileName(app: App, { baseUrl }: FoundSite, given: string | undefined): Promise<string> {
  const config = await readConfig(app.world)
  const same = Object.entries(config.profiles).find(([, profile]) => profile.baseUrl === baseUrl)?.[0]
  const name = given ?? same ?? nameFrom(new URL(baseUrl))
  const taken = profileNamed(config, name)
  if (taken && taken.baseUrl !== baseUrl)
    throw new Failure('usage', `the profile ${name} is for ${taken.baseUrl ?? 'the embedded calendar'}`, {
      hint: 'choose another name with: --name NAME',
    })
  return name
}

/** `www.example.org` → `example`, `127.0.0.1:8787` → `127.0.0.1-8787`. */
function nameFrom({ hostname, port }: URL): string {
  const isNumber = /^[\d.]+$|^\[/.test(hostname)
  const host = isNumber ? hostname.replace(/[[\]:]+/g, '-').replace(/^-|-$/g, '') : hostname.replace(/^www\./, '')
  const name = isNumber ? host : (host.split('.').at(-2) ?? host)
  return port === '' ? name : `${name}-${port}`
}

/** How a new profile is used, from the default of before. */
export function defaultNote(name: string, before: string | undefined): string {
  if (before === undefined) return ', which is the default now: commands without -p use it'
  return before === name ? '' : `; use it with: calctl -p ${name} …, or by default with: calctl profiles use ${name}`
}

/** Stores the profile, and makes it the default if there is no other. Returns the default of before. */
export async function storeProfile(
  app: App,
  name: string,
  site: FoundSite,
  login: Login | undefined,
  front: FrontLogin | undefined,
): Promise<string | undefined> {
  let defaultBefore: string | undefined
  await changeConfig(app.world, async (config: Config) => {
    const {
      user: _user,
      secret: _secret,
      frontUser: _frontUser,
      frontSecret: _frontSecret,
      ...before
    } = profileNamed(config, name) ?? {}
    const profile: Profile = {
      ...before,
      baseUrl: site.baseUrl,
      namespace: site.namespace,
      ...(login && { user: login.user, secret: passwordSource(app.world, name) }),
      ...(front && {
        frontUser: front.user,
        frontSecret: front.source ?? passwordSource(app.world, frontName(name)),
      }),
    }
    if (login) await savePassword(app.world, name, login.password)
    if (front && front.source === undefined) await savePassword(app.world, frontName(name), front.password)
    defaultBefore = config.current
    return { ...config, profiles: { ...config.profiles, [name]: profile }, current: config.current ?? name }
  })
  return defaultBefore
}
