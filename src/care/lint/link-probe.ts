import { Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { createSender, type SenderOptions } from '../../client/http/sender.ts'
import { redirectOf } from '../../client/http/transport.ts'
import type { Response } from '../../contract/exchange.ts'
import { isPrivateHost, lookUpPublic, PrivateAddress } from './private-network.ts'

/** Checks addresses on the web, each once, without credentials. */
export interface LinkProbe {
  inspect(address: string): Promise<Inspection>
  close(): Promise<void>
}

interface Inspection {
  /** What is wrong with an address, as a clause: `answers 404`; undefined if it answers. */
  readonly problem?: string | undefined
  /** Whether it was not requested, because it is on a private network or redirects there. */
  readonly isPrivate?: true
}

export interface ProbeOptions extends SenderOptions {
  /** Whether addresses on private networks may be requested. */
  readonly reachesPrivate: boolean
}

const mostRedirects = 5

/** The largest part of a body that is read: a server that ignores `Range` may send a whole video. */
const mostBytes = 64 * 1024

/** At most two requests at once for each host: a calendar may have hundreds of links to one small site. */
const mostPerHost = 2

/** Statuses that do not tell whether a page exists: it needs a login, or refuses programs. */
const guarded = new Set([401, 403, 405, 406, 429, 451, 501, 999])

export function openLinkProbe({ reachesPrivate, ...options }: ProbeOptions): LinkProbe {
  const sender = createSender({ ...options, ...(!reachesPrivate && { lookup: lookUpPublic }) })
  const inspections = new Map<string, Promise<Inspection>>()
  const inTurn = createTurns(mostPerHost)

  const ask = async (method: string, { origin, hostname, pathname, search }: URL): Promise<Response> => {
    if (!reachesPrivate && isPrivateHost(hostname)) throw new PrivateAddress(hostname)
    const path = pathname + search
    // The first byte is enough if a page does not answer HEAD.
    const headers = { accept: '*/*', 'user-agent': 'calctl', ...(method === 'GET' && { range: 'bytes=0-0' }) }
    return inTurn(hostname, () => sender.send({ origin, method, path, headers, mostBytes }))
  }

  const follow = async (start: string): Promise<string | undefined> => {
    let url = new URL(start)
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      let answer = await ask('HEAD', url)
      if (answer.status >= 400) answer = await ask('GET', url)
      const { status } = answer
      const next = redirectOf(answer, url.href)
      if (!next)
        return status >= 400 && status !== 416 && !guarded.has(status)
          ? phrase('answers {status}', { status })
          : undefined
      url = next
    }
    return phrase('redirects again and again')
  }

  const inspectOnce = async (address: string): Promise<Inspection> => {
    try {
      return { problem: await follow(address) }
    } catch (error) {
      if (error instanceof PrivateAddress) return { isPrivate: true }
      if (error instanceof Failure && error.kind !== 'interrupted')
        return { problem: phrase('does not answer ({reason})', { reason: error.message }) }
      throw error
    }
  }

  return {
    inspect(address) {
      const { href } = new URL(address)
      const inspection = inspections.get(href) ?? inspectOnce(href)
      inspections.set(href, inspection)
      return inspection
    },
    close: sender.close,
  }
}

/** Runs at most `most` tasks with the same key at once; the others wait. */
function createTurns(most: number): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const active = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()
  return async (key, task) => {
    const count = active.get(key) ?? 0
    if (count < most) active.set(key, count + 1)
    else await new Promise<void>(start => waiting.set(key, [...(waiting.get(key) ?? []), start]))
    try {
      return await task()
    } finally {
      // The turn goes on to the next one, if there is one.
      const next = waiting.get(key)?.shift()
      if (next) next()
      else active.set(key, (active.get(key) ?? 1) - 1)
    }
  }
}
