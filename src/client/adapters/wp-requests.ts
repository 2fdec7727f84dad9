import { Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Request, Response } from '../../contract/exchange.ts'
import type { Resource } from '../../contract/resource.ts'
import type { ConnectionToClient, EditorAccess, SiteUser } from '../client.ts'
import { apiErrorIn } from '../http/api-error.ts'

export interface WordPressOptions extends Required<Pick<ConnectionToClient, 'transport' | 'calendar' | 'notice'>> {
  readonly access: EditorAccess
  readonly user: () => Promise<SiteUser>
}

/** What a site has answered so far. */
export interface WordPressSite extends WordPressOptions {
  readonly open: Set<Resource>
  /** The resources that this user may not edit, and what the site answered; it is not asked about them again. */
  readonly closed: Map<Resource, Failure>
  hasNoticed: boolean
}

export const pathTo = ({ wordpress }: Resource, id?: number) => `/wp/v2/${wordpress}${id === undefined ? '' : `/${id}`}`

export async function answerTo({ transport, access }: WordPressSite, request: Request): Promise<Response> {
  const response = await transport(request)
  if (isWithoutRoutes(response)) await access.rememberNoWordPress()
  return response
}

/** Whether an answer says that the site has no `wp/v2`, or that this user may not edit through it. */
export const isRefusal = ({ details: { status } }: Failure): boolean => refusals.includes(status)

const refusals: readonly (number | undefined)[] = [401, 403, 404, 405, 410, 501]

/**
 * A failure of `wp/v2` whose hint says how to do without it, unless the problem is that of the whole site or of something in front of it.
 */
export const withoutWordPress = ({ kind, message, details }: Failure): Failure =>
  new Failure(kind, message, {
    ...details,
    hint:
      kind === 'settings' || details.status === 500
        ? phrase('try again later, or leave wp/v2 out with: --via events')
        : details.hint,
  })

/** WordPress's own codes for a record that does not exist, or that this user may not edit. */
const ownCodes =
  /^rest_(post_invalid_id|term_invalid|cannot_\w+|forbidden\w*|invalid_\w+|user_cannot_view|post_invalid_page_number)$/

/** Whether the routes do not exist, or a plugin has closed them to everybody. */
function isWithoutRoutes(response: Response): boolean {
  if (!refusals.includes(response.status)) return false
  const code = apiErrorIn(response)?.code
  // A page with 401 or 403 comes from a firewall, which may dislike only this request.
  if (code === undefined) return response.status !== 401 && response.status !== 403
  return !ownCodes.test(code)
}
