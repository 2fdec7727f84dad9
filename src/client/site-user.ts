import { isObject } from '../base/text/json.ts'
import { phrase } from '../base/words/phrase.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Request, Response } from '../contract/exchange.ts'
import { recordList } from '../contract/resource-words.ts'
import type { Session } from './answers.ts'
import type { SiteUser } from './client.ts'
import { withOwnStatus } from './http/api-error.ts'
import { pathOf, queryRequest } from './http/request.ts'
import { parseBody } from './http/response.ts'

/** The request for the user of the credentials, which only WordPress answers. */
export const userRequest = queryRequest('GET', '/wp/v2/users/me', {
  context: 'edit',
  _fields: 'id,name,slug,roles,capabilities',
})

/**
 * Finds out who the user is: WordPress says it with capabilities; for any other implementation the allowed methods tell. Writes nothing.
 */
export async function siteUser({ transport, calendar, namespace }: Session): Promise<SiteUser> {
  const response = await transport(userRequest)
  const user = response.status === 200 ? parseBody(response) : undefined
  if (isObject(user) && isObject(user.capabilities)) return userOf(user, user.capabilities)
  const refusal = async (request: Request, response: Response, expected: string) => {
    const { responseFailure } = await import('./http/problems/response-failure.ts')
    return responseFailure({ request, calendar }, withOwnStatus(response), expected)
  }
  if (response.status !== 404) throw await refusal(userRequest, response, phrase('a user'))
  const list = queryRequest('GET', pathOf(namespace, resourceNamed('events')), { per_page: 1 })
  const answer = await transport(list)
  if (answer.status !== 200 || !isObject(parseBody(answer))) throw await refusal(list, answer, recordList('events'))
  const mayWrite = /\bPOST\b/.test(answer.headers.allow ?? '')
  return {
    name: undefined,
    roles: [],
    may: { write: mayWrite, publish: mayWrite, editOthers: mayWrite, upload: false },
  }
}

function userOf(user: Readonly<Record<string, unknown>>, capabilities: Readonly<Record<string, unknown>>): SiteUser {
  const can = (name: string) => capabilities[name] === true
  return {
    id: Number(user.id),
    name: String(user.slug ?? user.name),
    roles: Array.isArray(user.roles) ? user.roles.map(String) : [],
    may: {
      write: can('edit_tribe_events'),
      publish: can('publish_tribe_events'),
      editOthers: can('edit_others_tribe_events'),
      upload: can('upload_files'),
    },
  }
}
