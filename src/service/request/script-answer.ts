import { receivedParameters } from '../../base/text/received-parameters.ts'
import type { Request, Response, Transport } from '../../contract/exchange.ts'

/**
 * Answers as WordPress does to `_jsonp=NAME`: with a script that calls this function, which a page of any site can load. A name that is none
 * is refused before anything is done.
 */
export async function asScript(request: Request, respond: Transport): Promise<Response> {
  const { _jsonp: name } = receivedParameters(request.query ?? '')
  if (name === undefined) return respond(request)
  if (typeof name !== 'string' || /[^\w.]/.test(name)) return invalidName
  const response = await respond(request)
  const { headers, body } = response
  if (!headers['content-type']?.startsWith('application/json')) return response
  const isCalled = name !== '' && body.length > 0
  return {
    ...response,
    headers: { ...headers, 'content-type': scriptType },
    body: isCalled ? `/**/${name}(${Buffer.from(body)})` : body,
  }
}

const scriptType = 'application/javascript; charset=UTF-8'

const invalidName: Response = {
  status: 400,
  headers: { 'content-type': scriptType },
  body: JSON.stringify({ code: 'rest_callback_invalid', message: 'Invalid JSONP callback function.' }),
}
