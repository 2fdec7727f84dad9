import type { Resource } from '../contract/resource.ts'
import type { Context } from './context.ts'
import type { Manner } from './manner.ts'
import { Refusal } from './refusal.ts'
import type { EventRow, OrganizerRow, VenueRow } from './store/rows.ts'

/** NAME → password. */
export type Users = ReadonlyMap<string, string>

/**
 * Who sends a request. Without users everyone is an editor; with them, whoever gives a name and its password. Wrong ones are
 * refused wherever they are given; what is no Basic authentication counts as nobody.
 */
export async function callerOf(
  authorization: string | undefined,
  users: Users | undefined,
  { wrongCredentials }: Pick<Manner, 'wrongCredentials'>,
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

/** Refuses what is not published to those who may not see it. */
export const notAccessible = (singular: string): Refusal =>
  new Refusal(403, `${singular}-not-accessible`, `The requested ${singular} is not accessible`)

/** Refuses what is trashed, and to the public what is not published or needs a password. */
export function checkMayRead(context: Context, { singular }: Resource, row: EventRow | VenueRow | OrganizerRow): void {
  if (row.status === 'trash')
    throw new Refusal(403, `${singular}-no-longer-available`, `This ${singular} is no longer available`)
  if (context.caller === 'editor') return
  if (row.status !== 'publish') throw notAccessible(singular)
  if ('post_password' in row && row.post_password !== '' && row.post_password !== context.values.password)
    throw new Refusal(
      403,
      `${singular}-password-protected`,
      `The requested ${singular} is not accessible without a password`,
    )
}
