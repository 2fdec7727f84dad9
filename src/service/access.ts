import type { Context, Dialect } from './dialect.ts'
import { Refusal } from './refusal.ts'

/** NAME → password. */
export type Users = ReadonlyMap<string, string>

/**
 * Who sends a request. Without users everyone is an editor; with them, whoever gives a name and its password. Wrong ones are
 * refused wherever they are given; what is no Basic authentication counts as nobody.
 */
export async function callerOf(
  authorization: string | undefined,
  users: Users | undefined,
  { wrongCredentials }: Pick<Dialect, 'wrongCredentials'>,
): Promise<Context['caller']> {
  if (!users || users.size === 0) return 'editor'
  const given = readBasic(authorization)
  if (!given) return 'public'
  const password = users.get(given.name)
  if (password === undefined) throw new Refusal(401, 'invalid_username', wrongCredentials.name(given.name))
  if (!(await isSame(password, given.password))) throw new Refusal(401, 'incorrect_password', wrongCredentials.password)
  return 'editor'
}

function readBasic(authorization = ''): { name: string; password: string } | undefined {
  const [, encoded] = /^basic\s+([a-z0-9+/]+=*)\s*$/i.exec(authorization) ?? []
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 1 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** Takes as long for a password that begins well as for one that does not. */
async function isSame(one: string, other: string): Promise<boolean> {
  const { createHash, timingSafeEqual } = await import('node:crypto')
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/** Refuses a write by those who may not. */
export function checkMayWrite(caller: Context['caller'], readOnly: boolean): void {
  if (caller === 'public') throw new Refusal(401, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
  if (readOnly) throw new Refusal(403, 'read_only', 'This calendar is served read-only.')
}
