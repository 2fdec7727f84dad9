import { type ConnectionOptions, createPools } from '../client/pools.ts'
import { sendRequest } from '../client/send.ts'
import type { Exchange } from '../client/traffic.ts'
import { unreachable } from '../client/unreachable.ts'
import { observed, redirectOf } from '../client/web-page.ts'
import type { Response } from '../contract/exchange.ts'
import { Failure } from '../failure.ts'

/** Looks at addresses on the web, each of them once, without credentials. */
export interface LinkProbe {
  /** What is wrong with an address, as a clause: `answers 404`; undefined if it answers. */
  problemOf(address: string): Promise<string | undefined>
  close(): Promise<void>
}

export interface ProbeOptions extends ConnectionOptions {
  /** Is shown every request that is sent, with its answer. */
  readonly observe?: ((exchange: Exchange) => Promise<void>) | undefined
}

const mostRedirects = 5

/** Statuses that say nothing about whether a page is there: it asks for a login, or does not let programs in. */
const guarded = new Set([401, 403, 405, 406, 429, 451, 501, 999])

export function openLinkProbe(options: ProbeOptions): LinkProbe {
  const pools = createPools(options)
  const { timeout, observe } = options
  const known = new Map<string, Promise<string | undefined>>()

  const ask = async (method: string, { origin, pathname, search }: URL): Promise<Response> => {
    const path = pathname + search
    // Of a page that does not answer HEAD, its first byte is enough.
    const headers = { accept: '*/*', 'user-agent': 'calctl', ...(method === 'GET' && { range: 'bytes=0-0' }) }
    const send = async () =>
      sendRequest(await pools.of(origin), { origin, method, path, headers, wantsBytes: true }, timeout)
    try {
      return await observed(send, { origin, path, headers }, observe)
    } catch (error) {
      throw unreachable(error, { method, url: origin + path, timeout })
    }
  }

  const look = async (start: string): Promise<string | undefined> => {
    let url = new URL(start)
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      let answer = await ask('HEAD', url)
      if (answer.status >= 400) answer = await ask('GET', url)
      const { status } = answer
      const next = redirectOf(answer, url.href)
      if (!next) return status >= 400 && status !== 416 && !guarded.has(status) ? `answers ${status}` : undefined
      url = next
    }
    return 'redirects again and again'
  }

  const lookSafely = async (address: string): Promise<string | undefined> => {
    try {
      return await look(address)
    } catch (error) {
      if (error instanceof Failure && error.kind !== 'interrupted') return `does not answer (${error.message})`
      throw error
    }
  }

  return {
    problemOf(address) {
      const { href } = new URL(address)
      const problem = known.get(href) ?? lookSafely(href)
      known.set(href, problem)
      return problem
    },
    close: () => pools.destroy(),
  }
}
