import type { Dialect } from './dialect.ts'
import { Refusal } from './refusal.ts'
import type { RequestContext } from './request-context.ts'

/** Passwords by user name. */
export type Users = ReadonlyMap<string, string>

type Caller = RequestContext['caller']

/**
 * Without users, every caller is an editor; with users, those who send a name and its password are. Wrong credentials are refused
 * on every route, even if none are needed; a header other than Basic counts as none.
 */
export async function authenticate(
  authorization: string | undefined,
  users: Users | undefined,
  { wrongCredentials }: Pick<Dialect, 'wrongCredentials'>,
): Promise<Caller> {
  if (!users || users.size === 0) return 'editor'
  const credentials = readBasic(authorization)
  if (!credentials) return 'public'
  const password = users.get(credentials.name)
  if (password === undefined) throw new Refusal(401, 'invalid_username', wrongCredentials.name(credentials.name))
  if (!(await isSame(password, credentials.password)))
    throw new Refusal(401, 'incorrect_password', wrongCredentials.password)
  return 'editor'
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
