import type { Response } from '../contract/exchange.ts'

/** A request that the service refuses, in the form of the API. */
export class Refusal extends Error {
  headers: Readonly<Record<string, string>> = {}
  /** More keys for the answer, besides `data`. */
  extra: Readonly<Record<string, unknown>> = {}

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Answered as `data`, with the status; null for `data: null`. */
    readonly data: Readonly<Record<string, unknown>> | null = {},
  ) {
    super(message)
    this.name = 'Refusal'
  }

  /** Adds headers, or keys of the answer. */
  with(more: Partial<Pick<Refusal, 'headers' | 'extra'>>): this {
    return Object.assign(this, more)
  }
}

/** The same form as a response, for requests that never reach the service. */
export const errorResponse = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: JSON.stringify({ code, message, data: { status } }),
})

/** Refuses a path, or a method on a path, that the API does not have. */
export const noRoute = (): Refusal =>
  new Refusal(404, 'rest_no_route', 'No route was found matching the URL and request method.')
