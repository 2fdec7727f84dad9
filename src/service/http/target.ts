import type { IncomingMessage } from 'node:http'
import type { Response } from '../../contract/exchange.ts'
import { errorResponse } from '../refusal.ts'

/** The target of a request: the host that it names, and a path with its query. */
export interface RequestTarget {
  readonly host: string
  readonly path: string
  readonly query: string
}

/** The target of a request to this server; a refusal if the request is for another host, or not clearly for this one. */
export function readTarget(
  { url = '', headers, rawHeaders }: IncomingMessage,
  isOwnHost: (host: string) => boolean,
): RequestTarget | Response {
  // Proxies send a whole URL.
  const [, named, path = '', query = ''] = targetPattern.exec(url) ?? []
  const host = named ?? headers.host ?? ''
  if (hasTwoHosts(rawHeaders)) return twoHosts
  return isOwnHost(host) ? { host, path: path || '/', query } : unknownHost(host)
}

const targetPattern = /^(?:https?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/i

/** If a header is repeated, Node takes the first one, but something in front of it may have taken another. */
const hasTwoHosts = (headers: readonly string[]): boolean =>
  headers.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1

const twoHosts = errorResponse(400, 'rest_two_hosts', 'There is more than one Host header.')

const unknownHost = (host: string): Response =>
  host === ''
    ? errorResponse(400, 'rest_missing_host', 'The Host header is missing.')
    : errorResponse(
        421,
        'rest_unknown_host',
        `Unknown host "${host}". To allow it, start the server with --allow-host ${host}.`,
      )
