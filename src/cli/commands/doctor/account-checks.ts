import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isObject } from '../../../base/text/json.ts'
import { allowPasswords, twoPasswords } from '../../../client/http/problems/answer-problems.ts'
import { userRequest } from '../../../client/site-user.ts'
import { profileNamed, readConfig, readProject } from '../../profiles/config.ts'
import { besideFront } from '../../profiles/credentials.ts'
import { cacheFile, configFile, dataFile, runsFolder } from '../../profiles/user-folders.ts'
import {
  type CheckFinding,
  type DoctorCheck,
  done,
  type Examination,
  failed,
  failedAs,
  objectIn,
  probeFailure,
  skipped,
} from './finding.ts'

const noUser = 'no user is set: log in with calctl login'

const hasWordPress = ({ facts }: Examination): boolean =>
  Array.isArray(facts.index?.namespaces) && facts.index.namespaces.includes('wp/v2')

export const accountChecks: readonly DoctorCheck[] = [
  { name: 'Authorization', needs: 'namespace', run: checkHeader },
  { name: 'application passwords', needs: 'API', run: checkPasswords },
  { name: 'user', needs: 'Authorization', run: checkUser },
  { name: 'drafts', needs: 'user', run: checkDrafts },
  { name: 'writing', needs: 'user', run: mayDo('edit', 'write events') },
  {
    name: 'publishing',
    needs: 'user',
    run: mayDo('publish', 'publish events: somebody else has to publish them'),
  },
  { name: 'deleting', needs: 'user', run: mayDo('delete', 'delete events') },
]

/** Whether a site can give out passwords for applications, as far as it says. */
function givesPasswords({ facts }: Examination): boolean {
  const { authentication } = facts.index ?? {}
  return isObject(authentication) && 'application-passwords' in authentication
}

/** Servers that run PHP as CGI, and proxies, drop the header; WordPress then answers as to a stranger. */
async function checkHeader(examination: Examination): Promise<CheckFinding> {
  const { facts, target, probe } = examination
  const { authorization } = await target.front()
  const credentials = await target.credentials()
  const isBehindFront = authorization !== undefined
  facts.hasUser = (isBehindFront ? credentials[besideFront] : credentials.authorization) !== undefined
  if (!facts.hasUser) return skipped(noUser)
  if (!hasWordPress(examination)) return skipped('the site has no wp/v2 to ask')
  const response = await probe.ask(facts.baseUrl, userRequest)
  const user = objectIn(response)
  if (user) {
    facts.user = user
    return done('header reaches WordPress')
  }
  const failure = probeFailure(facts.baseUrl, facts.namespace, userRequest, response)
  const { problem, code } = failure.details
  if (problem === 'wrong-password' || problem === 'passwords-off')
    return done(`header reaches WordPress, which answered ${code}`)
  if (problem !== 'user-not-seen') return failedAs(failure)
  if (isBehindFront)
    return failed(`the site does not see the user's: it answered ${code}`, twoPasswords, 'user-not-seen')
  if (!givesPasswords(examination)) return skipped('cannot be told while application passwords are off')
  return failed(
    `the site does not see it: it answered ${code} to a request with a name and a password`,
    'ask the host to pass the header on to PHP (Apache: CGIPassAuth On; nginx: fastcgi_param HTTP_AUTHORIZATION $http_authorization)',
    'user-not-seen',
  )
}

async function checkPasswords(examination: Examination): Promise<CheckFinding> {
  const { facts } = examination
  if (!hasWordPress(examination)) return skipped('the site is not WordPress')
  if (givesPasswords(examination)) return done('are on')
  if (facts.user) return done('are off, and the user is known in another way')
  return failed('are off: WordPress accepts no such passwords', allowPasswords, 'passwords-off')
}

async function checkUser({ facts, probe, app, target }: Examination): Promise<CheckFinding> {
  const { baseUrl, namespace, user } = facts
  if (!facts.hasUser) return skipped(noUser)
  if (user) {
    const roles = Array.isArray(user.roles) ? user.roles.join(', ') : ''
    return done(`${user.slug ?? user.name}${roles === '' ? '' : ` (${roles})`}`)
  }
  const request = { method: 'GET', path: `/${namespace}/events`, query: 'per_page=1' }
  const response = await probe.ask(baseUrl, request)
  if (response.status >= 300) return failedAs(probeFailure(baseUrl, namespace, request, response))
  return done(`${app.world.env.CALCTL_USER ?? target.profile}: the site does not say who that is`)
}

async function checkDrafts({ facts, probe }: Examination): Promise<CheckFinding> {
  const { baseUrl, namespace, hasUser, allowed = '' } = facts
  if (!hasUser && !allowed.includes('POST')) return skipped(noUser)
  const request = { method: 'GET', path: `/${namespace}/events`, query: 'per_page=1&status=draft' }
  const response = await probe.ask(baseUrl, request)
  if (objectIn(response)) return done('can be seen')
  return failed('cannot be seen by this user', askForRole, 'no-right')
}

const askForRole = 'ask an administrator of the site for the role Editor, or another one that may'

/** What WordPress says that the user may do; elsewhere, whether the site takes requests that write. Nothing is written. */
function mayDo(verb: string, what: string): DoctorCheck['run'] {
  return async ({ facts }) => {
    const { user, hasUser, allowed = '' } = facts
    const { capabilities } = user ?? {}
    if (!isObject(capabilities)) {
      if (!hasUser && !allowed.includes('POST')) return skipped(noUser)
      if (verb !== 'edit') return skipped('the site does not say')
      return allowed.includes('POST') ? done('allowed') : failed(`this user may not ${what}`, askForRole, 'no-right')
    }
    if (capabilities[`${verb}_tribe_events`] !== true)
      return failed(`${user?.slug} may not ${what}`, askForRole, 'no-right')
    const others = verb === 'edit' && capabilities.edit_others_tribe_events !== true
    return done(others ? "own events, not other people's" : 'allowed')
  }
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
      if (closed.length === 0) return done('can be written to')
      return failed(
        `cannot write to ${closed.join(', ')}`,
        'make them writable for you, or choose others with XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_STATE_HOME and XDG_CACHE_HOME',
      )
    },
  },
]

/** Where each setting comes from, the first that has it. */
async function settingsIn({ app, target, address }: Examination): Promise<string> {
  const { world, globals } = app
  if (globals.demo) return 'the demo: --demo'
  const project = readProject(world.cwd)
  const { env } = world
  const profile = profileNamed(await readConfig(world), target.profile) ?? {}
  const ofProfile = `the profile ${target.profile}`
  const source = (option: unknown, variable: string, ofProject: unknown, own: unknown): string => {
    if (option !== undefined) return 'the command line'
    if (env[variable]) return variable
    if (ofProject !== undefined) return project.source?.path ?? '.calctl.json'
    return own === undefined ? 'the default' : ofProfile
  }
  const user = env.CALCTL_USER ? 'CALCTL_USER' : ofProfile
  const parts = [
    `profile: ${target.profile} (${source(globals.profile, 'CALCTL_PROFILE', project.profile, undefined)})`,
    `base URL: ${source(address ?? globals.baseUrl, 'CALCTL_BASE_URL', project.baseUrl, profile.baseUrl)}`,
    `namespace: ${source(globals.namespace, 'CALCTL_NAMESPACE', project.namespace, profile.namespace)}`,
    ...(env.CALCTL_USER || profile.user !== undefined ? [`user: ${user}`] : []),
  ]
  return parts.join('; ')
}

/** Whether others can read files with secrets. Windows has no modes. */
function judgeModes(files: readonly string[], platform: NodeJS.Platform): CheckFinding {
  if (files.length === 0) return skipped('there are none on this disk')
  if (platform === 'win32') return skipped('this system has no file modes')
  const open = files.filter(file => (statSync(file).mode & 0o077) !== 0)
  if (open.length === 0) return done('only you can read them')
  return failed(`others on this machine can read ${open.join(' and ')}`, `run: chmod 600 ${open.join(' ')}`)
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
