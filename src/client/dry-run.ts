import type { Request, Transport } from '../contract/exchange.ts'
import type { Calendar } from './calendar.ts'

/** The write that a dry run did not send. */
export class Preview extends Error {
  constructor(
    readonly calendar: Calendar,
    readonly request: Request,
  ) {
    super('a dry run writes nothing')
    this.name = 'Preview'
  }

  /** The request as printed by `--dry-run`: method, URL, and the body as data. */
  asData(): Readonly<Record<string, unknown>> {
    const { method, path, query, body } = this.request
    const url = `${this.calendar.baseUrl ?? ''}${path}${query ? `?${query}` : ''}`
    return { method, url, ...(body !== undefined && { body: JSON.parse(String(body)) }) }
  }
}

/** Sends reads, and throws a `Preview` instead of the first write. */
export const dryRun =
  (transport: Transport, calendar: Calendar): Transport =>
  async request => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new Preview(calendar, request)
    return transport(request)
  }
