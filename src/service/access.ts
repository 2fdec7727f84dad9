import { resourceNamed } from '../contract/contract.ts'
import type { Request } from '../contract/exchange.ts'
import type { ResourceName } from '../contract/field.ts'
import { isUnpublished, type Status } from '../contract/post-status.ts'
import type { Dialect, RequestContext, Role } from './dialect.ts'
import { Refusal } from './refusal.ts'
import type { PostRow, Rows } from './store/rows.ts'

/** A password of which only a hash is known: `scrypt:SALT:HASH`, both in base64url. */
interface HashedPassword {
  readonly hashed: string
}

export interface User {
  readonly password: string | HashedPassword
  readonly role: Role
}

/** Users by name. */
export type Users = ReadonlyMap<string, User>

/** The sender of a request, and what that user may do. */
type Caller = Pick<RequestContext, 'caller' | 'user'>

const owner: Caller = { caller: 'administrator', user: { id: 1, name: 'admin' } }
const anyone: Caller = { caller: 'public', user: { id: 0, name: '' } }

/** What decides who the sender of a request is. */
interface Access {
  readonly users: Users | undefined
  readonly login: Login
  readonly dialect: Pick<Dialect, 'wrongCredentials'>
}

/**
 * Without users, every caller is an administrator, except for pages of other sites; with users, those who send a name and its password have
 * its role. Wrong credentials are refused on every route, even if none are needed; a header other than Basic counts as none.
 */
export async function authenticate(
  { headers, isForeign = false }: Pick<Request, 'headers' | 'isForeign'>,
  { users, login, dialect }: Access,
): Promise<Caller> {
  if (!users) return isForeign ? anyone : owner
  const credentials = readBasic(headers?.authorization)
  if (!credentials) return anyone
  const { name, password } = credentials
  const isRight = await login(name, password)
  const user = users.get(name)
  if (!user) throw dialect.wrongCredentials.name()
  if (!isRight) throw dialect.wrongCredentials.password()
  return { caller: user.role, user: { id: idOf(users, name), name } }
}

/** The first administrator is user 1, the author of the initial records; the others follow in their order. */
function idOf(users: Users, name: string): number {
  const names = [...users.keys()]
  const first = names.find(one => users.get(one)?.role === 'administrator')
  return first === name ? 1 : names.filter(one => one !== first).indexOf(name) + 2
}

function readBasic(authorization = ''): { name: string; password: string } | undefined {
  const [, encoded] = /^basic\s+([a-z0-9+/]+=*)\s*$/i.exec(authorization) ?? []
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 1 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}

type Asking = Pick<RequestContext, 'caller'>

/** Whether the caller may change everything, and read it. */
export const mayEditAll = ({ caller }: Asking): boolean => caller === 'administrator' || caller === 'editor'

export const mayPublish = (asking: Asking): boolean => mayEditAll(asking) || asking.caller === 'author'

/** Whether the caller may write posts of their own, and see which posts are not published. */
export const mayWritePosts = (asking: Asking): boolean => mayPublish(asking) || asking.caller === 'contributor'

/** Whether the caller may change terms; anyone who writes an event may name new ones in it. */
export const mayEditTerms = (asking: Asking, of: ResourceName): boolean =>
  of === 'tags' ? mayEditAll(asking) : mayPublish(asking)

/** Whether the caller may change a post: authors their own, contributors their own until it is published. */
export function mayEdit(asking: Pick<RequestContext, 'caller' | 'user'>, { author, status }: PostRow): boolean {
  if (mayEditAll(asking)) return true
  if (author !== asking.user.id) return false
  return mayPublish(asking) || (mayWritePosts(asking) && (status === 'trash' || isUnpublished(status)))
}

/** A refusal of WordPress: 401 for callers without a name, 403 for others. */
export const forbidden = ({ caller }: Asking, code: string, message: string): Refusal =>
  new Refusal(caller === 'public' ? 401 : 403, code, message)

/** Throws unless the caller may write. */
export function checkMayWrite({ caller, readOnly }: RequestContext): void {
  if (caller === 'public') throw new Refusal(401, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
  if (readOnly) throw new Refusal(403, 'read_only', 'This calendar is served read-only.')
}

/** Throws unless the caller may change a record, or create one. */
export function checkMayChange(context: RequestContext, of: ResourceName, row?: Rows[ResourceName]): void {
  if (!mayChange(context, of, row)) throw forbidden(context, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
}

function mayChange(context: RequestContext, of: ResourceName, row?: Rows[ResourceName]): boolean {
  if (!resourceNamed(of).trashable) return mayEditTerms(context, of)
  return row && 'status' in row ? mayEdit(context, row) : mayWritePosts(context)
}

/** The status of a post that the caller saves: contributors publish nothing. */
export function allowedStatus(asking: Asking, asked: Status | null | undefined, before: Status): Status {
  if (mayPublish(asking)) return asked === null ? 'publish' : (asked ?? before)
  if (asked === 'publish' || asked === 'future') return 'pending'
  return asked ?? 'draft'
}

/** Whether this is the password of the user. */
export type Login = (name: string, password: string) => Promise<boolean>

/** How many logins can wait. */
const longestQueue = 100

/** Compared with a wrong password if there is no hash, so that every failure takes the same time. */
const decoy = `scrypt:${'A'.repeat(22)}:${'A'.repeat(43)}`

/**
 * Logins are checked one after another, with a pause after each failure, so that guessing takes long even if many guesses are sent at once.
 * A user who has logged in before does not wait.
 */
export function createLogins(users: Users, pause: () => Promise<void> = async () => {}): Login {
  const verified = new Map<string, Uint8Array>()
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (name, password) => {
    const { createHash, timingSafeEqual } = await import('node:crypto')
    const digest = createHash('sha256').update(password).digest()
    const known = verified.get(name)
    if (known && timingSafeEqual(known, digest)) return true
    if (waiting >= longestQueue)
      throw new Refusal(429, 'too_many_logins', 'Too many logins have failed.').with({
        headers: { 'retry-after': '60' },
      })
    waiting += 1
    const attempt = last.then(async () => {
      const isRight = await matches(users.get(name)?.password, password)
      if (isRight) verified.set(name, digest)
      else await pause()
      return isRight
    })
    last = attempt.catch(() => {})
    return attempt.finally(() => {
      waiting -= 1
    })
  }
}

async function matches(stored: string | HashedPassword | undefined, password: string): Promise<boolean> {
  const { createHash, timingSafeEqual } = await import('node:crypto')
  if (typeof stored === 'string') {
    const digest = (text: string) => createHash('sha256').update(text).digest()
    if (timingSafeEqual(digest(stored), digest(password))) return true
  }
  const hashed = typeof stored === 'object' ? stored.hashed : decoy
  const [, salt = '', hash = ''] = hashed.split(':')
  const isSame = timingSafeEqual(Buffer.from(hash, 'base64url'), await derive(password, salt))
  return isSame && typeof stored === 'object'
}

/** Whether a text is a hash of `hashPassword`. */
export const isHashed = (text: string): boolean => /^scrypt:[\w-]{22}:[\w-]{43}$/.test(text)

/** The hash of a password, with a new salt. */
export async function hashPassword(password: string): Promise<string> {
  const { randomBytes } = await import('node:crypto')
  const salt = randomBytes(16).toString('base64url')
  return `scrypt:${salt}:${(await derive(password, salt)).toString('base64url')}`
}

async function derive(password: string, salt: string): Promise<Buffer> {
  const { scrypt } = await import('node:crypto')
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
