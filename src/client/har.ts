import type { Exchange } from './traffic.ts'

/** Exchanges as an HTTP Archive 1.2, which the network panels of browsers open. */
export function harOf(exchanges: readonly Exchange[], version: string): object {
  return { log: { version: '1.2', creator: { name: creator, version }, entries: exchanges.map(entryOf) } }
}

const creator = 'calctl'

/** Whether a text begins like an archive of calctl. */
export const isOwnArchive = (firstLine: string): boolean =>
  firstLine.startsWith(`{"log":{"version":"1.2","creator":{"name":"${creator}"`)

function entryOf({ method, url, headers, body, answer, problem, started, duration, size }: Exchange): object {
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  return {
    startedDateTime: new Date(started).toISOString(),
    time: duration,
    request: {
      ...common,
      method,
      url,
      headers: pairs(headers),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      bodySize: body === undefined ? 0 : Buffer.byteLength(body),
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      ...common,
      status: answer?.status ?? 0,
      statusText: problem ?? '',
      headers: pairs(answer?.headers ?? {}),
      content: { size, mimeType: answer?.headers['content-type'] ?? '', text: answer?.body ?? '' },
      redirectURL: answer?.headers.location ?? '',
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
  }
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))
