import { resourceNamed } from '../contract/contract.ts'
import type { Request } from '../contract/exchange.ts'
import type { ResourceName } from '../contract/field.ts'
import { isUnpublished, type Status } from '../contract/post-status.ts'
import type { Dialect } from './dialect.ts'
import type { Login, Users } from './logins.ts'
import { Refusal } from './refusal.ts'
import type { RequestContext } from './request-context.ts'
import type { PostRow, Rows } from './store/rows.ts'

/** Who sends a request, and what they may do. */
type Caller = Pick<RequestContext, 'caller' | 'user'>

const editor: Caller = { caller: 'editor', user: { id: 1, name: 'admin' } }
const anyone: Caller = { caller: 'public', user: { id: 0, name: '' } }

/** What decides who sends a request. */
interface Access {
  readonly users: Users | undefined
  readonly contributors: readonly string[]
  readonly login: Login
  readonly dialect: Pick<Dialect, 'wrongCredentials'>
}

/**
 * Without users, every caller is an editor, but for pages of other sites; with users, those who send a name and its password are,
 * or contributors. Wrong credentials are refused on every route, even if none are needed; a header other than Basic counts as none.
 */
export async function authenticate(
  { headers, isForeign = false }: Pick<Request, 'headers' | 'isForeign'>,
  { users, contributors, login, dialect }: Access,
): Promise<Caller> {
  if (!users || users.size === 0) return isForeign ? anyone : editor
  const credentials = readBasic(headers?.authorization)
  if (!credentials) return anyone
  const { name, password } = credentials
  const isRight = await login(name, password)
  if (!users.has(name)) throw dialect.wrongCredentials.name()
  if (!isRight) throw dialect.wrongCredentials.password()
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
