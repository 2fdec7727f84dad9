import type { Transport } from '../contract/exchange.ts'

/**
 * A transport whose reads no cache answers, as soon as they are to be fresh: what a write is built on must be what the site has now.
 * Many caches in front of a site heed no request header, and some do not say that an answer is theirs; but none answers for a URL
 * that nobody asked for before. Services ignore `_`.
 */
export function withFreshReads(transport: Transport, isFresh: () => boolean): Transport {
  return request => {
    const { method, query, headers } = request
    if (method !== 'GET' || !isFresh()) return transport(request)
    const once = `_=${Math.random().toString(36).slice(2)}`
    return transport({
      ...request,
      query: query ? `${query}&${once}` : once,
      headers: { ...headers, 'cache-control': 'no-cache' },
    })
  }
}
