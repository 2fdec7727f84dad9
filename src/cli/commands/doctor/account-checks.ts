import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isObject } from '../../../base/text/json.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { allowPasswords, twoPasswords } from '../../../client/http/problems/answer-problems.ts'
import { userRequest } from '../../../client/site-user.ts'
import { profileNamed, readConfig } from '../../profiles/config.ts'
import { besideFront } from '../../profiles/credentials.ts'
import { readProject } from '../../profiles/project-file.ts'
import { cacheFile, configFile, dataFile, runsFolder } from '../../profiles/user-folders.ts'
import { type CheckFinding, type DoctorCheck, done, type Examination, failed, failedAs, skipped } from './finding.ts'
import { objectIn, probeFailure } from './probe.ts'

const noUser = () => phrase('no user is set: log in with calctl login')

const hasWordPress = ({ facts }: Examination): boolean =>
  Array.isArray(facts.index?.namespaces) && facts.index.namespaces.includes('wp/v2')

export const accountChecks: readonly DoctorCheck[] = [
  { name: 'Authorization', needs: 'namespace', run: checkHeader },
  { name: 'application passwords', needs: 'API', run: checkPasswords },
  { name: 'user', needs: 'Authorization', run: checkUser },
  { name: 'drafts', needs: 'user', run: checkDrafts },
  { name: 'writing', needs: 'user', run: mayDo('edit', user => phrase('{user} may not write events', { user })) },
  {
    name: 'publishing',
    needs: 'user',
    run: mayDo('publish', user => phrase('{user} may not publish events: someone else must publish them', { user })),
  },
  { name: 'deleting', needs: 'user', run: mayDo('delete', user => phrase('{user} may not delete events', { user })) },
]

/** Whether a site says that users can create application passwords. */
function givesPasswords({ facts }: Examination): boolean {
  const { authentication } = facts.index ?? {}
  return isObject(authentication) && 'application-passwords' in authentication
}

/** Servers that run PHP as CGI, and proxies, drop the header; WordPress then answers as if nobody was logged in. */
async function checkHeader(examination: Examination): Promise<CheckFinding> {
  const { facts, target, probe } = examination
  const { authorization } = await target.front()
  const credentials = await target.credentials()
  const isBehindFront = authorization !== undefined
  facts.hasUser = (isBehindFront ? credentials[besideFront] : credentials.authorization) !== undefined
  if (!facts.hasUser) return skipped(noUser())
  if (!hasWordPress(examination)) return skipped(phrase('the site has no wp/v2 to ask'))
  const response = await probe.ask(facts.baseUrl, userRequest)
  const user = objectIn(response)
  if (user) {
    facts.user = user
    return done(phrase('header reaches WordPress'))
  }
  const failure = probeFailure(facts.baseUrl, facts.namespace, userRequest, response)
  const { problem, code } = failure.details
  if (problem === 'wrong-password' || problem === 'passwords-off')
    return done(phrase('header reaches WordPress, which answered {code}', { code: code ?? '' }))
  if (problem !== 'user-not-seen') return failedAs(failure)
  if (isBehindFront)
    return failed(
      phrase("the site does not see the user's: it answered {code}", { code: code ?? '' }),
      twoPasswords(),
      'user-not-seen',
    )
  if (!givesPasswords(examination)) return skipped(phrase('unknown while application passwords are disabled'))
  return failed(
    phrase('the site does not see it: it answered {code} to a request with a name and a password', {
      code: code ?? '',
    }),
    phrase(
      'ask the host to pass the header on to PHP (Apache: CGIPassAuth On; nginx: fastcgi_param HTTP_AUTHORIZATION $http_authorization)',
    ),
    'user-not-seen',
  )
}

async function checkPasswords(examination: Examination): Promise<CheckFinding> {
  const { facts } = examination
  if (!hasWordPress(examination)) return skipped(phrase('the site is not WordPress'))
  if (givesPasswords(examination)) return done(phrase('are enabled'))
  if (facts.user) return done(phrase('are disabled; the user is identified in another way'))
  return failed(phrase('are disabled: WordPress does not accept them'), allowPasswords(), 'passwords-off')
}

async function checkUser({ facts, probe, app, target }: Examination): Promise<CheckFinding> {
  const { baseUrl, namespace, user } = facts
  if (!facts.hasUser) return skipped(noUser())
  if (user) {
    const roles = Array.isArray(user.roles) ? user.roles.join(', ') : ''
    return done(`${user.slug ?? user.name}${roles === '' ? '' : ` (${roles})`}`)
  }
  const request = { method: 'GET', path: `/${namespace}/events`, query: 'per_page=1' }
  const response = await probe.ask(baseUrl, request)
  if (response.status >= 300) return failedAs(probeFailure(baseUrl, namespace, request, response))
  return done(
    phrase('{user}: the site does not identify its users', { user: app.world.env.CALCTL_USER ?? target.profile }),
  )
}

async function checkDrafts({ facts, probe }: Examination): Promise<CheckFinding> {
  const { baseUrl, namespace, hasUser, allowed = '' } = facts
  if (!hasUser && !allowed.includes('POST')) return skipped(noUser())
  const request = { method: 'GET', path: `/${namespace}/events`, query: 'per_page=1&status=draft' }
  const response = await probe.ask(baseUrl, request)
  if (objectIn(response)) return done(phrase('are visible'))
  return failed(phrase('are not visible to this user'), askForRole(), 'no-right')
}

const askForRole = () =>
  phrase('ask an administrator of the site for the role Editor, or another role with this permission')

/** What WordPress says that the user may do; elsewhere, whether the site accepts requests that write. Writes nothing. */
function mayDo(verb: string, mayNot: (user: string) => string): DoctorCheck['run'] {
  return async ({ facts }) => {
    const { user } = facts
    const { capabilities } = user ?? {}
    if (!isObject(capabilities)) return mayDoUnsaid(facts, verb, mayNot)
    if (capabilities[`${verb}_tribe_events`] !== true)
      return failed(mayNot(String(user?.slug)), askForRole(), 'no-right')
    const others = verb === 'edit' && capabilities.edit_others_tribe_events !== true
    return done(others ? phrase("own events, not other people's") : phrase('allowed'))
  }
}

function mayDoUnsaid({ hasUser, allowed = '' }: Examination['facts'], verb: string, mayNot: (user: string) => string) {
  if (!hasUser && !allowed.includes('POST')) return skipped(noUser())
  if (verb !== 'edit') return skipped(phrase('the site does not report it'))
  return allowed.includes('POST')
    ? done(phrase('allowed'))
    : failed(mayNot(phrase('this user')), askForRole(), 'no-right')
}

export const ownFilesChecks: readonly DoctorCheck[] = [
  { name: 'settings', run: async examination => done(await settingsIn(examination)) },
  {
    name: 'secrets',
    async run({ app, target }) {
      const config = await readConfig(app.world)
      const { secret = '' } = profileNamed(config, target.profile) ?? {}
      const files = [configFile(app.world), ...(secret.startsWith('file:') ? [secret.slice('file:'.length)] : [])]
      return judgeModes(
        files.filter(file => existsSync(file)),
        app.world.platform,
      )
    },
  },
  {
    name: 'folders',
    async run({ app: { world } }) {
      const folders = [
        dirname(dataFile(world)),
        dirname(configFile(world)),
        runsFolder(world),
        dirname(cacheFile(world)),
      ]
      const closed = folders.filter(folder => !isWritable(folder))
      if (closed.length === 0) return done(phrase('can be written to'))
      return failed(
        phrase('cannot write to {closed}', { closed: closed.join(', ') }),
        phrase(
          'make them writable for you, or choose others with XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_STATE_HOME and XDG_CACHE_HOME',
        ),
      )
    },
  },
]

/** The source of each setting, which is the first place that has it. */
async function settingsIn({ app, target, address }: Examination): Promise<string> {
  const { world, globals } = app
  if (globals.demo) return phrase('the demo: --demo')
  const project = readProject(world.cwd)
  const { env } = world
  const profile = profileNamed(await readConfig(world), target.profile) ?? {}
  const ofProfile = phrase('the profile {name}', { name: target.profile })
  const source = (option: unknown, variable: string, ofProject: unknown, own: unknown): string => {
    if (option !== undefined) return phrase('the command line')
    if (env[variable]) return variable
    if (ofProject !== undefined) return project.source?.path ?? '.calctl.json'
    return own === undefined ? phrase('the default') : ofProfile
  }
  const parts = [
    phrase('profile: {name} ({source})', {
      name: target.profile,
      source: source(globals.profile, 'CALCTL_PROFILE', project.profile, undefined),
    }),
    phrase('base URL: {source}', {
      source: source(address ?? globals.baseUrl, 'CALCTL_BASE_URL', project.baseUrl, profile.baseUrl),
    }),
    phrase('namespace: {source}', {
      source: source(globals.namespace, 'CALCTL_NAMESPACE', project.namespace, profile.namespace),
    }),
    ...(env.CALCTL_USER || profile.user !== undefined
      ? [phrase('user: {source}', { source: env.CALCTL_USER ? 'CALCTL_USER' : ofProfile })]
      : []),
  ]
  return parts.join('; ')
}

/** Whether others can read files with secrets. Windows has no modes. */
function judgeModes(files: readonly string[], platform: NodeJS.Platform): CheckFinding {
  if (files.length === 0) return skipped(phrase('there are none on this disk'))
  if (platform === 'win32') return skipped(phrase('this system has no file modes'))
  const open = files.filter(file => (statSync(file).mode & 0o077) !== 0)
  if (open.length === 0) return done(phrase('only you can read them'))
  return failed(
    phrase('others on this machine can read {open}', { open: listOf(open) }),
    phrase('run: chmod 600 {open}', { open: open.join(' ') }),
  )
}

/** Whether a folder can be written to, or created. */
function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) !== folder && isWritable(dirname(folder))
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
