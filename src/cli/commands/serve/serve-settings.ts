import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { badSettings, excluding, forExample, usage, wrongValue } from '../../../base/failure.ts'
import { inputProblem, writeAtomically } from '../../../base/fs.ts'
import { reason } from '../../../base/io-reasons.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { nearest } from '../../../base/text/similarity.ts'
import { momentOf, readDate } from '../../../base/time/dates.ts'
import { isZone } from '../../../base/time/zone.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { documentedNamespace } from '../../../contract/contract.ts'
import { hashPassword, isHashed, type User, type Users } from '../../../service/access.ts'
import { type Role, roles } from '../../../service/dialect.ts'
import { type ConditionOptions, routeProblem } from '../../../service/http/conditions.ts'
import { type Fault, type Latency, readFault, readLatency } from '../../../service/http/faults.ts'
import { isLoopback, openOrigins } from '../../../service/http/origins.ts'
import type { ServiceOptions } from '../../../service/service.ts'
import type { Globals, World } from '../../world.ts'
import { readOrigin } from '../shared/options.ts'

/** The options of `calctl serve`, as typed. */
export interface ServeOptions {
  readonly file?: string
  readonly from?: string
  readonly copyImages?: true
  readonly memory?: true
  readonly timezone?: string
  readonly perPage?: string
  readonly now?: string
  readonly quirks?: true
  /** False with --no-wp. */
  readonly wp?: boolean
  readonly readOnly?: true
  readonly repair?: true
  readonly port?: string
  readonly host?: string
  readonly basePath?: string
  readonly user?: readonly string[]
  readonly usersFile?: string
  readonly open?: true
  readonly allowHost?: readonly string[]
  readonly cors?: readonly string[]
  readonly latency?: string
  readonly fail?: readonly string[]
  readonly seed?: string
  readonly log?: true
  readonly token?: string
}

/** The options, parsed and checked, with defaults. */
export interface Settings extends Pick<ServiceOptions, 'now' | 'namespace' | 'perPage'> {
  readonly host: string
  readonly port: number
  readonly basePath: string
  readonly timezone?: string
  readonly users: Users
  readonly allowHosts: readonly string[]
  readonly origins: ReadonlySet<string>
  /** Faults and delays that the server causes on purpose. */
  readonly conditions: Required<Pick<ConditionOptions, 'faults' | 'latency' | 'seed'>>
  /** The token that the routes below `/__calctl/` require. A random one is printed at the start. */
  readonly token: { readonly text: string; readonly isRandom: boolean }
}

/** Parses and checks the options; throws `usage` for invalid or contradictory ones. */
export async function readSettings(world: World, globals: Globals, options: ServeOptions): Promise<Settings> {
  const { host = '127.0.0.1', timezone } = options
  if (globals.demo && options.from !== undefined) throw excluding('--demo', '--from')
  checkTraffic(globals, options)
  const users = await readUsers(world, options)
  if (!isLoopback(host) && users.size === 0 && !options.open) throw unprotected(host)
  if (timezone !== undefined && !isZone(timezone))
    throw wrongValue('--timezone', phrase('a time zone'), timezone, 'Europe/Madrid')
  const perPage = options.perPage === undefined ? undefined : wholeNumber('--per-page', options.perPage, [1, 50], '10')
  return {
    host,
    port: wholeNumber('--port', options.port ?? '8787', [0, 65535], '8787'),
    basePath: readPath('--base-path', options.basePath ?? '', '/wp-json'),
    namespace: readPath('--namespace', globals.namespace ?? documentedNamespace, 'tribe/events/v1').slice(1),
    perPage,
    timezone,
    now: options.now === undefined ? world.now : stoppedClock(options.now),
    users,
    allowHosts: options.allowHost ?? [],
    origins: new Set(options.cors?.map(text => (openOrigins.has(text) ? text : readOrigin('--cors', text)))),
    conditions: readConditions(options),
    token: tokenFor(options.token ?? world.env.CALCTL_SERVE_TOKEN),
  }
}

const tokenFor = (text: string | undefined): Settings['token'] =>
  text ? { text, isRandom: false } : { text: randomBytes(9).toString('base64url'), isRandom: true }

const unprotected = (host: string) =>
  usage(
    phrase('with --host {host} other machines could write to this calendar without a password', { host }),
    phrase('add --user NAME:PASSWORD, or --open to allow it'),
  )

function wholeNumber(option: string, text: string, [least, most]: readonly [number, number], example: string): number {
  const number = Number(text)
  if (!/^\d{1,15}$/.test(text) || number < least || number > most)
    throw wrongValue(option, phrase('a whole number from {least} to {most}', { least, most }), text, example)
  return number
}

/** A path for URLs: with a leading slash and without a trailing one; empty for the root. */
function readPath(option: string, text: string, example: string): string {
  const path = text.replace(/^\/|\/$/g, '')
  if (path !== '' && !/^[\w.~-]+(\/[\w.~-]+)*$/.test(path)) throw wrongValue(option, phrase('a path'), text, example)
  return path === '' ? '' : `/${path}`
}

function stoppedClock(text: string): () => Date {
  const date = readDate(text)
  if (date?.offset === undefined)
    throw wrongValue('--now', phrase('a time with a UTC offset'), text, '2026-11-21T02:00:00Z')
  const instant = momentOf(date)
  return () => new Date(instant)
}

function readConditions({ latency: slow, fail = [], seed }: ServeOptions): Settings['conditions'] {
  const latency: Latency | undefined = slow === undefined ? { from: 0, to: 0 } : readLatency(slow)
  if (!latency) throw wrongValue('--latency', phrase('a duration or a range of durations'), slow ?? '', '50-400ms')
  const faults = fail.map(readFaultOption)
  const shares = faults.reduce((sum, { percent = 0, route }) => sum + (route === undefined ? percent : 0), 0)
  if (shares > 100)
    throw usage(phrase('--fail: the percentages add up to more than 100 %'), phrase('use smaller percentages'))
  const number = seed === undefined ? randomInt(2 ** 31) : wholeNumber('--seed', seed, [0, 2 ** 32 - 1], '7')
  return { latency, faults, seed: number }
}

function readFaultOption(text: string): Fault {
  const fault = readFault(text)
  if (!fault) throw wrongValue('--fail', phrase('a percentage or a route, and a fault'), text, '5%:503')
  const problem = fault.route === undefined ? undefined : routeProblem(fault.route)
  if (problem !== undefined)
    throw usage(
      phrase('--fail: there is no route "{route}"', { route: fault.route ?? '' }),
      forExample("--fail 'POST /events=503x2'"),
    )
  return fault
}

/** Users from the file, the environment and the options. Later ones replace earlier ones with the same name. */
async function readUsers(world: World, { user = [], usersFile }: ServeOptions): Promise<Users> {
  const inFile = usersFile === undefined ? [] : await readUsersFile(world, usersFile)
  const inEnvironment = world.env.CALCTL_SERVE_USERS?.split(/[,\n]/) ?? []
  return new Map([
    ...inFile,
    ...inEnvironment.flatMap(text => readUser('CALCTL_SERVE_USERS', text)),
    ...user.flatMap(text => readUser('--user', text || '-')),
  ])
}

/** Refuses --debug and --print-curl, except while a calendar is copied: nothing else sends requests. */
function checkTraffic({ debug, printCurl }: Globals, { from }: ServeOptions): void {
  const shown = { '--debug': debug, '--print-curl': printCurl }
  const [unused] = Object.entries(shown).find(([, value]) => value !== undefined) ?? []
  if (unused && from === undefined)
    throw usage(
      phrase('{unused} has no effect on serve, which sends no requests', { unused }),
      phrase('show the requests that it answers with: --log'),
    )
}

/** One user, or none on a blank line. The failure does not quote the text, which may contain a password. */
function readUser(from: string, text: string): [name: string, user: User & { readonly password: string }][] {
  if (text.trim() === '') return []
  const [, name, rest] = /^\s*([^:]+):(.+?)\s*$/.exec(text) ?? []
  if (!name || !rest)
    throw usage(
      phrase('{from}: expected NAME:PASSWORD or NAME:PASSWORD:ROLE', { from }),
      phrase('for example: --user joan:secret:author'),
    )
  const { password, role = 'administrator' } = readRole(from, rest)
  return [[name, { password, role }]]
}

/** Splits PASSWORD:ROLE. Other text after a colon belongs to the password, unless it looks like a misspelt role. */
function readRole(from: string, text: string): { readonly password: string; readonly role?: Role } {
  const [, password, last = ''] = /^(.+):([a-z]+)$/.exec(text) ?? []
  const role = roles.find(one => one === last)
  if (password && role) return { password, role }
  if (password && nearest(last, roles))
    throw usage(
      phrase('{from}: unknown role {last}', { from, last }),
      phrase('use one of {roles}', { roles: listOf(roles, 'or') }),
    )
  return { password: text }
}

/** The users in a file. Passwords in plain text are replaced by their hashes, and still work. */
async function readUsersFile({ cwd, stderr }: World, name: string): Promise<Users> {
  const path = resolve(cwd, name)
  const lines = readText(path).split('\n')
  const users = new Map<string, User>()
  const hashed: string[] = []
  let count = 0
  for (const [index, line] of lines.entries()) {
    const [user] = readUser(phrase('--users-file {name}, line {line}', { name, line: index + 1 }), line)
    if (!user) {
      hashed.push(line)
      continue
    }
    const [who, { password, role }] = user
    const hash = isHashed(password) ? password : await hashPassword(password)
    if (hash !== password) count += 1
    users.set(who, { password: { hashed: hash }, role })
    hashed.push(`${who}:${hash}${role === 'administrator' ? '' : `:${role}`}`)
  }
  if (count > 0 && statSync(path).isFile())
    await stderr.write(`${await replaceText(path, hashed.join('\n'), name, count)}\n`)
  return users
}

function readText(path: string): string {
  const unreadable = (why: string) =>
    badSettings(
      phrase('cannot read the users file {path}: {why}', { path, why }),
      phrase('pass a file with NAME:PASSWORD or NAME:PASSWORD:ROLE on each line'),
    )
  const problem = inputProblem(path)
  if (problem !== undefined) throw unreadable(problem)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(reason(error as Error, 'read'))
  }
}

/** Replaces the file as a whole; returns a sentence if that fails, because the server can do without. */
async function replaceText(path: string, text: string, name: string, count: number): Promise<string> {
  try {
    const file = realpathSync(path)
    await writeAtomically(file, text, statSync(file).mode & 0o777)
    return phrase('hashed {count, plural, one {# password} other {# passwords}} in {name}', { count, name })
  } catch (error) {
    return phrase(
      'warning: {count, plural, one {# password} other {# passwords}} in {name} cannot be replaced by hashes: {reason}',
      { count, name, reason: reason(error as Error) },
    )
  }
}
