/** A request that the service says no to, in the API's own form. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** What is told beside the status; null for refusals without any data. */
    readonly data: Readonly<Record<string, unknown>> | null = {},
    /** What stands beside the data. */
    readonly beside: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.name = 'Refusal'
  }
}

/** Refuses an address, or a method on it, that the API does not have. */
export const noRoute = (): Refusal =>
  new Refusal(404, 'rest_no_route', 'No route was found matching the URL and request method.')
