import { hidePassword, hideSecrets } from '../base/text/escaping.ts'
import { phrase } from '../base/words/phrase.ts'
import type { Request, Transport } from '../contract/exchange.ts'
import { isWrite } from '../contract/received-request.ts'
import type { Calendar } from './calendar.ts'
import { addressOf } from './http/request.ts'

/** The writes that a dry run would have sent. */
export class Preview extends Error {
  constructor(
    readonly calendar: Calendar,
    readonly requests: readonly Request[],
  ) {
    super('a dry run writes nothing')
    this.name = 'Preview'
  }

  /** The requests as `--dry-run` prints them: method, URL, and the body as data, without secrets. */
  asData(): Readonly<Record<string, unknown>>[] {
    return this.requests.map(request => ({
      method: request.method,
      url: hidePassword(addressOf(this.calendar.baseUrl ?? '', request)),
      ...(request.body !== undefined && { body: bodyOf(request.body) }),
    }))
  }
}

/** The size of an upload stands for its bytes. */
const bodyOf = (body: string | Uint8Array): unknown =>
  typeof body === 'string'
    ? hideSecrets(JSON.parse(body))
    : `(${phrase('{count, plural, one {# byte} other {# bytes}}', { count: body.length })})`

/** Sends the first of two writes. A dry run sends neither, and its `Preview` has both. */
export async function firstOfTwo<T>(sendFirst: () => Promise<T>, sendSecond: () => Promise<unknown>): Promise<T> {
  try {
    return await sendFirst()
  } catch (first) {
    if (!(first instanceof Preview)) throw first
    await sendSecond().catch(second => {
      throw second instanceof Preview ? new Preview(first.calendar, [...first.requests, ...second.requests]) : second
    })
    throw first
  }
}

/** Sends reads, and throws a `Preview` instead of the first write. */
export const dryRun =
  (transport: Transport, calendar: Calendar): Transport =>
  async request => {
    if (isWrite(request)) throw new Preview(calendar, [request])
    return transport(request)
  }
