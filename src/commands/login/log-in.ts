import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import type { SiteUser } from '../../client/client.ts'
import { defaultTimeout, proxiesIn } from '../../client/pools.ts'
import { trustedCertificates } from '../../client/resilient-http.ts'
import { type FoundSite, findSite, parseSiteAddress } from '../../client/site-discovery.ts'
import { createPageReader } from '../../client/web-page.ts'
import { connect } from '../../connect.ts'
import { excluding, Failure } from '../../failure.ts'
import { basic, parseSource, readPasswordInput, readSecret } from '../../profiles/credentials.ts'
import { builtIn } from '../../profiles/profile.ts'
import { askPassword, askText } from '../../terminal/prompts.ts'
import { counted } from '../../text/words.ts'
import { defaultNote, type FrontLogin, type Login, profileName, storeProfile } from './new-profile.ts'
import { rightsOf } from './who-am-i.ts'

/** The options of `login`. */
export interface LoginOptions {
  readonly user?: string
  readonly passwordStdin?: true
  readonly frontUser?: string
  /** A source, as for the password of a profile. */
  readonly frontSecret?: string
  readonly web?: true
  readonly name?: string
  readonly anonymous?: true
}

/** Finds the API of a site, tries the credentials, and stores both as a profile. Nothing is stored that did not work. */
export async function logIn(app: App, given: string | undefined, options: LoginOptions): Promise<void> {
  const loginOption = loginOptionIn(options)
  if (options.anonymous && loginOption !== undefined) throw excluding('--anonymous', loginOption)
  const address = parseSiteAddress(given ?? (await typed(app, 'Address of the site', 'calctl login example.org')))
  const { site, front } = await siteBehind(app, address, options)
  await app.notice(`found ${site.title ? `"${site.title}", ` : ''}${site.namespace} at ${site.baseUrl}`)
  const name = await profileName(app, site, options.name)
  const login = options.anonymous ? undefined : await readLogin(app, site, options)
  const user = await tryLogin(app, site, login, front)
  const defaultBefore = await storeProfile(app, name, site, login, front)
  const who = login ? `logged in as ${user.name ?? login.user}, who ${rightsOf(user)}` : 'connected without a user'
  await app.notice(`${who}; profile ${name} added${defaultNote(name, defaultBefore)}`)
  if (login) await reportFindings(app, name, site)
}

/** What the doctor finds that concerns the user: problems only, with what to do. */
async function reportFindings(app: App, name: string, { namespaces, passwordPage }: FoundSite): Promise<void> {
  const { findingsOf } = await import('../doctor/examine.ts')
  const authentication = passwordPage === undefined ? {} : { 'application-passwords': {} }
  const findings = await findingsOf({ ...app, world: withoutUser(app.world) }, name, { namespaces, authentication })
  for (const finding of findings)
    if (finding.state === 'failed') await app.notice(`✗ ${finding.check}: ${finding.found}\n  → ${finding.next}`)
  const passed = findings.filter(({ state }) => state === 'done').length
  const isWell = findings.every(({ state }) => state !== 'failed')
  await app.notice(
    `${isWell ? `${counted(passed, 'check')} passed; for all` : 'for all checks'}: calctl doctor -p ${name}`,
  )
}

/** The user of the environment would come before that of a profile. */
function withoutUser(world: App['world']): App['world'] {
  const { CALCTL_USER: _user, CALCTL_PASSWORD: _password, CALCTL_PASSWORD_FILE: _file, ...env } = world.env
  return { ...world, env }
}

/** The first option that is about a user. */
function loginOptionIn({ user, passwordStdin, web }: LoginOptions): string | undefined {
  if (user !== undefined) return '--user'
  if (passwordStdin) return '--password-stdin'
  return web ? '--web' : undefined
}

/** The site, behind a password of the web server if it has one: given by options, or asked for where the site asks for it. */
async function siteBehind(
  app: App,
  address: URL,
  options: LoginOptions,
): Promise<{ site: FoundSite; front: FrontLogin | undefined }> {
  const front = await givenFront(app, options)
  if (front) return { site: await siteFrom(app, address, front), front }
  try {
    return { site: await siteFrom(app, address, undefined), front: undefined }
  } catch (error) {
    if (!(error instanceof Failure) || error.details.problem !== 'front-password' || !app.canAsk) throw error
    await app.notice(error.message)
    const user = await typed(app, 'User name in front of the site', '')
    const password = await askPassword(app.world, `Password of ${user}`)
    const asked = { user, password, source: undefined }
    return { site: await siteFrom(app, address, asked), front: asked }
  }
}

async function givenFront(
  { world, globals }: App,
  { frontUser: user, frontSecret }: LoginOptions,
): Promise<FrontLogin | undefined> {
  if (user === undefined && frontSecret === undefined) return undefined
  if (user === undefined || frontSecret === undefined)
    throw new Failure('usage', '--front-user and --front-secret belong together', {
      hint: 'for example: --front-user staging --front-secret env:STAGING_PASSWORD',
    })
  const source = parseSource('--front-secret', frontSecret, world.cwd)
  return { user, password: await readSecret(source, world, globals.timeout), source }
}

async function siteFrom(app: App, address: URL, front: FrontLogin | undefined): Promise<FoundSite> {
  const { world, globals } = app
  const trusted =
    globals.caFile === undefined ? undefined : await trustedCertificates(resolve(world.cwd, globals.caFile))
  const { read, close } = createPageReader({
    timeout: globals.timeout ?? defaultTimeout,
    proxies: proxiesIn(world.env),
    trusted,
    observe: (await app.traffic())?.observe,
    ...(front && { front: { host: address.host, headers: { authorization: basic(front.user, front.password) } } }),
  })
  try {
    return await findSite(address, read)
  } finally {
    await close()
  }
}

async function readLogin(app: App, { passwordPage }: FoundSite, options: LoginOptions): Promise<Login> {
  if (options.web) await openPasswordPage(app, passwordPage)
  const user = options.user ?? (await typed(app, 'User name', 'calctl login example.org --user NAME --password-stdin'))
  if (!/^[^:\p{Cc}]+$/u.test(user))
    throw new Failure('usage', 'a user name must not be empty, nor contain a colon', {
      hint: 'for example: --user ada',
    })
  if (!options.passwordStdin && passwordPage !== undefined && !options.web)
    await app.notice(`make an application password for ${user} at ${passwordPage}?app_name=calctl`)
  const password = options.passwordStdin ? await readPasswordInput(app.world) : await typedPassword(app, user)
  if (password.trim() === '')
    throw new Failure('usage', 'the password is empty', { hint: 'to read only, without a user: --anonymous' })
  return { user, password: withoutSpaces(password) }
}

async function openPasswordPage(app: App, page: string | undefined): Promise<void> {
  if (page === undefined)
    throw new Failure('settings', 'this site does not offer application passwords', {
      hint: 'ask an administrator: they need https, and a security plugin may have turned them off',
    })
  const url = `${page}?app_name=calctl`
  await app.world.openPage(url).catch(() => app.notice('no browser could be opened'))
  await app.notice(`log in and allow calctl at ${url}, then copy the password that it shows`)
}

const typedPassword = async (app: App, user: string): Promise<string> => {
  requireTerminal(app, 'calctl login example.org --user NAME --password-stdin')
  return askPassword(app.world, `Application password of ${user}`)
}

async function typed(app: App, question: string, instead: string): Promise<string> {
  requireTerminal(app, instead)
  return (await askText(app.world, question)).trim()
}

function requireTerminal(app: App, instead: string): void {
  if (app.canAsk) return
  throw new Failure('usage', 'questions cannot be asked here', { hint: `pass everything as options: ${instead}` })
}

/** WordPress shows application passwords in groups of four, and takes them with and without the spaces. */
const withoutSpaces = (password: string): string =>
  /^\s*([a-z\d]{4}\s+){5}[a-z\d]{4}\s*$/i.test(password) ? password.replace(/\s+/g, '') : password

/** A read as this user. Throws `denied` with what to do if the site refuses the password. */
async function tryLogin(
  app: App,
  { baseUrl, namespace }: FoundSite,
  login: Login | undefined,
  front: FrontLogin | undefined,
): Promise<SiteUser> {
  const anonymous = withoutUser(app.world)
  const world = {
    ...anonymous,
    env: {
      ...anonymous.env,
      ...(login && { CALCTL_USER: login.user, CALCTL_PASSWORD: login.password }),
      ...(front && { CALCTL_FRONT_USER: front.user, CALCTL_FRONT_PASSWORD: front.password }),
    },
  }
  const globals = { ...app.globals, profile: builtIn, baseUrl, namespace }
  const { client, close } = await connect(world, globals, app.notice, await app.traffic())
  try {
    return login ? await client.user() : await asAnyone(() => client.routes({}))
  } finally {
    await close()
  }
}

async function asAnyone(read: () => Promise<unknown>): Promise<SiteUser> {
  await read()
  return { name: undefined, roles: [], may: { write: false, publish: false, editOthers: false, upload: false } }
}
