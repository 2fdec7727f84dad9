import { badSettings, excluding, Failure, usage } from '../../base/failure.ts'
import { shellWord } from '../../base/text/escaping.ts'
import { type InterfaceLanguage, interfaceLanguages, phrase } from '../../base/words/phrase.ts'
import type { SiteUser } from '../../client/client.ts'
import { createPageReader } from '../../client/http/page-reader.ts'
import { basicCredentials, pageAddress } from '../../client/http/request.ts'
import { type FoundSite, findSite, parseSiteAddress } from '../../client/site-discovery.ts'
import type { App } from '../app.ts'
import { connect } from '../connect/connect.ts'
import { connectionOptions } from '../connect/connection.ts'
import { isLanguageUnknown, profileIn, speakIn } from '../interface-language.ts'
import { changeConfig } from '../profiles/change-file.ts'
import { builtIn, profileNamed, readConfig } from '../profiles/config.ts'
import { frontName, frontPairIncomplete } from '../profiles/credentials.ts'
import { deletePassword, passwordSource, readPasswordInput, savePassword } from '../profiles/kept-passwords.ts'
import { existingProfile, profileInForce } from '../profiles/resolve.ts'
import { parseSource, readSecret } from '../profiles/secret-sources.ts'
import { askOneFrom, askPassword, askText } from '../terminal/prompts.ts'
import type { Profile } from '../world.ts'
import type { ProfileInput } from './change-profiles.ts'
import { userShape } from './shared/output-shapes.ts'

/** The options of `login`. */
export interface LoginOptions extends Pick<ProfileInput, 'user' | 'frontUser' | 'frontSecret'> {
  readonly passwordStdin?: true
  readonly web?: true
  readonly name?: string
  readonly anonymous?: true
}

/** Finds the API of a site, tries the credentials, and stores both as a profile. Stores nothing that did not work. */
export async function logIn(app: App, given: string | undefined, options: LoginOptions): Promise<void> {
  const ofUser = { '--user': options.user, '--password-stdin': options.passwordStdin, '--web': options.web }
  const [loginOption] = Object.entries(ofUser).find(([, value]) => value !== undefined) ?? []
  if (options.anonymous && loginOption !== undefined) throw excluding('--anonymous', loginOption)
  const ui = app.globals.ui ?? (options.passwordStdin ? undefined : await askedLanguage(app))
  const address = parseSiteAddress(
    given ?? (await typed(app, phrase('Address of the site'), 'calctl login example.org')),
  )
  const { site, front } = await siteBehind(app, address, options)
  const { title, namespace, baseUrl } = site
  await app.notice(
    title
      ? phrase('found "{title}", {namespace} at {baseUrl}', { title, namespace, baseUrl })
      : phrase('found {namespace} at {baseUrl}', { namespace, baseUrl }),
  )
  const name = await profileName(app, site, options.name)
  const { login, user } = await loggedIn(app, site, front, options)
  const defaultBefore = await storeProfile(app, name, { site, login, front, ui })
  const who = login
    ? phrase('logged in as {user} ({rights})', { user: user.name ?? login.user, rights: rightsOf(user) })
    : phrase('connected without a user')
  await app.notice(`${who}; ${addedNote(name, defaultBefore)}`)
  if (login) await reportFindings(app, name, site)
}

/** The language to keep: that of the profile in use, or asked for at a terminal where nothing says it. */
async function askedLanguage({ canAsk, world }: App): Promise<InterfaceLanguage | undefined> {
  if (!canAsk) return undefined
  const { ui } = await profileIn(world)
  const kept = interfaceLanguages.find(one => one === ui)
  if (kept !== undefined || !(await isLanguageUnknown(world))) return kept
  const names = { ca: 'Català', en: 'English', es: 'Español' }
  const choices = interfaceLanguages.map(value => ({ name: names[value], value }))
  const language = await askOneFrom(world, 'Llengua · Language · Idioma', choices, { hasTip: false })
  speakIn(world, language)
  return language
}

/** Prints what the doctor finds about the user: only problems, with what to do. */
async function reportFindings(app: App, name: string, { namespaces, passwordPage }: FoundSite): Promise<void> {
  const { findingsOf } = await import('./doctor/examine.ts')
  const authentication = passwordPage === undefined ? {} : { 'application-passwords': {} }
  const findings = await findingsOf({ ...app, world: withoutUser(app.world) }, name, { namespaces, authentication })
  for (const finding of findings)
    if (finding.state === 'failed') await app.notice(`✗ ${finding.check}: ${finding.found}\n  → ${finding.hint}`)
  const passed = findings.filter(({ state }) => state === 'done').length
  const isWell = findings.every(({ state }) => state !== 'failed')
  await app.notice(
    isWell
      ? phrase('{count, plural, one {# check} other {# checks}} passed; details: calctl doctor -p {name}', {
          count: passed,
          name,
        })
      : phrase('for all checks: calctl doctor -p {name}', { name }),
  )
}

/** Removes the user of the environment, which would take precedence over that of a profile. */
function withoutUser(world: App['world']): App['world'] {
  const { CALCTL_USER: _user, CALCTL_PASSWORD: _password, CALCTL_PASSWORD_FILE: _file, ...env } = world.env
  return { ...world, env }
}

/** The site; behind a password of its web server, if it has one, which options give or the user is asked for. */
async function siteBehind(app: App, address: URL, options: LoginOptions) {
  const front = await givenFront(app, options)
  if (front) return { site: await siteFrom(app, address, front), front }
  try {
    return { site: await siteFrom(app, address, undefined), front: undefined }
  } catch (error) {
    if (!(error instanceof Failure) || error.details.problem !== 'front-password' || !app.canAsk) throw error
    await app.notice(error.message)
    const user = await typed(app, phrase('User name in front of the site'), '')
    const password = await askPassword(app.world, phrase('Password of {user}', { user }))
    const asked = { user, password, source: undefined }
    return { site: await siteFrom(app, address, asked), front: asked }
  }
}

async function givenFront({ world, globals }: App, { frontUser: user, frontSecret }: LoginOptions) {
  if (user === undefined && frontSecret === undefined) return undefined
  if (user === undefined || frontSecret === undefined) throw frontPairIncomplete()
  const source = parseSource('--front-secret', frontSecret, world.cwd)
  return { user, password: await readSecret(source, world, globals.timeout), source }
}

async function siteFrom(app: App, address: URL, front: FrontLogin | undefined): Promise<FoundSite> {
  const { world, globals } = app
  const { read, close } = createPageReader({
    ...(await connectionOptions(world, globals)),
    observe: (await app.traffic())?.observe,
    ...(front && {
      front: { host: address.host, headers: { authorization: basicCredentials(front.user, front.password) } },
    }),
  })
  try {
    return await findSite(address, read)
  } finally {
    await close()
  }
}

/** How many times a user name and a password are asked for. */
const mostTries = 3

/** A user name and a password that the site accepts. At a terminal, asks again if they are wrong. */
async function loggedIn(app: App, site: FoundSite, front: FrontLogin | undefined, options: LoginOptions) {
  if (options.anonymous) return { login: undefined, user: await tryLogin(app, site, undefined, front) }
  let rejected: string | undefined
  for (let tries = 1; ; tries++) {
    const login = await readLogin(app, site, options, rejected)
    try {
      return { login, user: await tryLogin(app, site, login, front) }
    } catch (error) {
      const isWrong = error instanceof Failure && error.details.problem === 'wrong-password'
      if (!isWrong || options.passwordStdin || !app.canAsk || tries === mostTries) throw error
      await app.notice(error.message)
      await app.notice(phrase('try again: {hint}', { hint: error.details.hint ?? '' }))
      rejected = login.user
    }
  }
}

/** Reads a user name and a password; `rejected` is the name that was typed before, with a wrong password. */
async function readLogin(app: App, site: FoundSite, options: LoginOptions, rejected?: string): Promise<Login> {
  const isAgain = rejected !== undefined
  const { passwordPage } = site
  if (options.web && !isAgain) await openPasswordPage(app, passwordPage)
  const instead = passwordCommand(site)
  const user = options.user ?? (await typed(app, phrase('User name'), instead, rejected))
  if (!/^[^:\p{Cc}]+$/u.test(user))
    throw usage(phrase('a user name must not be empty, nor contain a colon'), phrase('for example: --user ada'))
  if (!options.passwordStdin && passwordPage !== undefined && !options.web && !isAgain)
    await explainPasswords(app, user, passwordPage)
  if (!options.passwordStdin) requireTerminal(app, instead)
  const password = options.passwordStdin
    ? await readPasswordInput(app.world)
    : await askPassword(app.world, phrase('Application password of {user}', { user }))
  if (password.trim() === '')
    throw usage(phrase('the password is empty'), phrase('to read only, without a user: --anonymous'))
  return { user, password: withoutSpaces(password) }
}

async function explainPasswords(app: App, user: string, page: string): Promise<void> {
  await app.notice(
    phrase(
      'calctl takes an application password: WordPress makes it for one program, and can revoke it without changing the password of the account',
    ),
  )
  await app.notice(
    phrase(
      'make one for {user} at {page}?app_name=calctl, with the button "Yes, I approve of this connection", or in WordPress under Users > Profile > Application Passwords',
      { user, page },
    ),
  )
}

async function openPasswordPage(app: App, page: string | undefined): Promise<void> {
  const url = page && pageAddress(`${page}?app_name=calctl`)
  if (!url)
    throw badSettings(
      phrase('this site does not offer application passwords'),
      phrase('ask an administrator: they need https, and a security plugin may have turned them off'),
    )
  await app.world.openPage(url).catch(() => app.notice(phrase('no browser could be opened')))
  await app.notice(phrase('log in and allow calctl at {url}, then copy the password that it shows', { url }))
}

const passwordCommand = ({ baseUrl }: FoundSite): string =>
  phrase('calctl login {site} --user NAME --password-stdin', { site: shellWord(baseUrl) })

async function typed(app: App, question: string, instead: string, suggestion?: string): Promise<string> {
  requireTerminal(app, instead)
  return (await askText(app.world, question, suggestion)).trim()
}

function requireTerminal(app: App, instead: string): void {
  if (app.canAsk) return
  throw usage(phrase('cannot ask questions here'), phrase('pass everything as options: {instead}', { instead }))
}

/** WordPress shows application passwords in groups of four, and accepts them with or without the spaces. */
const withoutSpaces = (password: string): string =>
  /^\s*([a-z\d]{4}\s+){5}[a-z\d]{4}\s*$/i.test(password) ? password.replace(/\s+/g, '') : password

/** Reads as this user. Throws `denied` with what to do if the site refuses the password. */
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
  const { client, close } = await connect({ world, globals, notice: app.notice, traffic: await app.traffic() })
  try {
    if (login) return await client.user()
    await client.routes({})
    return { name: undefined, roles: [], may: { write: false, publish: false, editOthers: false, upload: false } }
  } finally {
    await close()
  }
}

interface Login {
  readonly user: string
  readonly password: string
}

/** The credentials that the web server in front of a site asks for. */
interface FrontLogin extends Login {
  /** The source of the password; undefined if it was typed, and has to be stored. */
  readonly source: string | undefined
}

/** The name for the profile: the given one, that of an existing profile for this site, or one made from its host. */
async function profileName(app: App, { baseUrl }: FoundSite, given: string | undefined): Promise<string> {
  const config = await readConfig(app.world)
  const same = Object.entries(config.profiles).find(([, profile]) => profile.baseUrl === baseUrl)?.[0]
  const name = given ?? same ?? nameFrom(new URL(baseUrl))
  const taken = profileNamed(config, name)
  if (taken && taken.baseUrl !== baseUrl)
    throw usage(
      phrase('the profile {name} is for {baseUrl}', {
        name,
        baseUrl: taken.baseUrl ?? phrase('the embedded calendar'),
      }),
      phrase('choose another name with: --name NAME'),
    )
  return name
}

/** `www.example.org` → `example`, `127.0.0.1:8787` → `127.0.0.1-8787`. */
function nameFrom({ hostname, port }: URL): string {
  const isNumber = /^[\d.]+$|^\[/.test(hostname)
  const host = isNumber ? hostname.replace(/[[\]:]+/g, '-').replace(/^-|-$/g, '') : hostname.replace(/^www\./, '')
  const name = isNumber ? host : (host.split('.').at(-2) ?? host)
  return port === '' ? name : `${name}-${port}`
}

/** Says that a profile was added, and how to use it; `before` is the earlier default. */
function addedNote(name: string, before: string | undefined): string {
  if (before === undefined) return phrase('profile {name} added (the default from now on)', { name })
  if (before === name) return phrase('profile {name} added', { name })
  return phrase(
    'profile {name} added; use it with: calctl -p {name} …, or by default with: calctl profiles use {name}',
    { name },
  )
}

/** What worked, or was answered. */
interface Accepted {
  readonly site: FoundSite
  readonly login: Login | undefined
  readonly front: FrontLogin | undefined
  readonly ui: InterfaceLanguage | undefined
}

/** Stores the profile, and makes it the default if there is no other. Returns the earlier default. */
async function storeProfile(app: App, name: string, { site, login, front, ui }: Accepted): Promise<string | undefined> {
  let defaultBefore: string | undefined
  await changeConfig(app.world, async config => {
    const before = withoutLogin(profileNamed(config, name) ?? {})
    const profile: Profile = {
      ...before,
      baseUrl: site.baseUrl,
      namespace: site.namespace,
      ...(ui && { ui }),
      ...(login && { user: login.user, secret: passwordSource(app.world, name) }),
      ...(front && { frontUser: front.user, frontSecret: front.source ?? passwordSource(app.world, frontName(name)) }),
    }
    if (login) await savePassword(app.world, name, login.password)
    if (front && front.source === undefined) await savePassword(app.world, frontName(name), front.password)
    defaultBefore = config.current
    return { ...config, profiles: { ...config.profiles, [name]: profile }, current: config.current ?? name }
  })
  return defaultBefore
}

const loginSettings = ['user', 'secret', 'frontUser', 'frontSecret']

const withoutLogin = (profile: Profile): Profile =>
  Object.fromEntries(Object.entries(profile).filter(([name]) => !loginSettings.includes(name)))

/** Prints the user of the current credentials, the site, and what that user may do. */
export async function whoAmI(app: App): Promise<void> {
  const { world, globals, notice } = app
  const { client, profile, close } = await connect({ world, globals, notice, traffic: await app.traffic() })
  try {
    const { name, roles, may } = await client.user()
    await app.print(userShape, {
      calendar: { id: client.calendar.id, label: client.calendar.label },
      profile,
      user: name ?? null,
      roles: roles.join(', '),
      ...may,
    })
  } finally {
    await close()
  }
}

/** What a user may do, in words: `can write and publish events`. */
function rightsOf({ may }: SiteUser): string {
  if (!may.write) return phrase('can read, but not change anything')
  if (!may.publish) return phrase('can write events, but not publish them')
  return may.editOthers
    ? phrase('can write and publish events')
    : phrase('can write and publish events, but not change those of others')
}

/** Removes the user and the password of a profile, but keeps its address. */
export async function logOut(app: App, given?: string): Promise<void> {
  const name = given ?? profileInForce(app.world, app.globals, await readConfig(app.world))
  let hadUser = false
  await changeConfig(app.world, async config => {
    const profile = existingProfile(config, name)
    const others = withoutLogin(profile)
    hadUser = Object.keys(others).length < Object.keys(profile).length
    if (!hadUser) return config
    await deletePassword(app.world, name)
    await deletePassword(app.world, frontName(name))
    return { ...config, profiles: { ...config.profiles, [name]: others } }
  })
  if (!hadUser) return app.notice(phrase('{name} has no user: nothing to remove', { name }))
  await app.notice(
    phrase('logged out of {name}; the password itself is still valid until you revoke it on the site', { name }),
  )
}
