import { resourceNamed } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { isUnpublished, type Status } from '../contract/posts.ts'
import type { Dialect } from './dialect.ts'
import { Refusal } from './refusal.ts'
import type { RequestContext } from './request-context.ts'
import type { PostRow, Rows } from './store/rows.ts'

/** Passwords by user name. */
export type Users = ReadonlyMap<string, string>

/** Who sends a request, and what they may do. */
type Caller = Pick<RequestContext, 'caller' | 'user'>

const editor: Caller = { caller: 'editor', user: { id: 1, name: 'admin' } }
const anyone: Caller = { caller: 'public', user: { id: 0, name: '' } }

/**
 * Without users, every caller is an editor; with users, those who send a name and its password are, or contributors. Wrong credentials are refused
 * on every route, even if none are needed; a header other than Basic counts as none.
 */
export async function authenticate(
  authorization: string | undefined,
  users: Users | undefined,
  contributors: readonly string[],
  { wrongCredentials }: Pick<Dialect, 'wrongCredentials'>,
): Promise<Caller> {
  if (!users || users.size === 0) return editor
  const credentials = readBasic(authorization)
  if (!credentials) return anyone
  const password = users.get(credentials.name)
  if (password === undefined) throw new Refusal(401, 'invalid_username', wrongCredentials.name(credentials.name))
  if (!(await isSame(password, credentials.password)))
    throw new Refusal(401, 'incorrect_password', wrongCredentials.password)
  const { name } = credentials
  const index = contributors.indexOf(name)
  if (index >= 0) return { caller: 'contributor', user: { id: index + 2, name } }
  return { ...editor, user: { id: 1, name } }
}

function readBasic(authorization = ''): { name: string; password: string } | undefined {
  const [, encoded] = /^basic\s+([a-z0-9+/]+=*)\s*$/i.exec(authorization) ?? []
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 1 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** Compares in constant time. */
async function isSame(a: string, b: string): Promise<boolean> {
  const { createHash, timingSafeEqual } = await import('node:crypto')
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** Throws unless the caller may write. */
export function checkMayWrite({ caller, readOnly }: RequestContext): void {
  if (caller === 'public') throw new Refusal(401, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
  if (readOnly) throw new Refusal(403, 'read_only', 'This calendar is served read-only.')
}

/** Throws unless the caller may change a record, or create one: contributors create no terms of their own. */
export function checkMayChange(context: RequestContext, of: ResourceName, row?: Rows[ResourceName]): void {
  const isAllowed = row && 'status' in row ? mayEdit(context, row) : resourceNamed(of).trashable
  if (context.caller !== 'editor' && !isAllowed)
    throw new Refusal(403, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
}

/** Whether the caller may change a post: editors any, contributors their own until it is published. */
export function mayEdit({ caller, user }: RequestContext, { author, status }: PostRow): boolean {
  if (caller !== 'contributor') return caller === 'editor'
  return author === user.id && (status === 'trash' || isUnpublished(status))
}

/** The status of a post that the caller saves: contributors publish nothing. */
export function allowedStatus({ caller }: RequestContext, asked: Status | null | undefined, before: Status): Status {
  if (caller !== 'contributor') return asked === null ? 'publish' : (asked ?? before)
  if (asked === 'publish' || asked === 'future') return 'pending'
  return asked ?? 'draft'
}
