/**
 * One request to an implementation of the API, as plain data. `path` is below the base URL and begins with `/`
 * (`/calendar/events/v1/events`); `query` is the text after `?`; header names are lower case; `body` is what goes over the wire.
 */
export interface Request {
  readonly method: string
  readonly path: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Whether the answer is a file, whose charset its reader finds out: its body is bytes. */
  readonly wantsBytes?: true
  /** Whether it comes from a page of another site, whose user may not know of it. */
  readonly isForeign?: boolean
  /** The request to send instead after a wait: the record that it was built on may have changed. */
  readonly renew?: () => Promise<Request>
  /** Whether the client is known to have gone away, for servers that then leave work undone. */
  readonly isAbandoned?: () => boolean
}

/** The response to a request. Header names are lower case. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Whether credentials were sent with the request: if the answer is one for strangers, they got lost on the way. */
  readonly withCredentials?: true
  /** Whether they were in a separate header, because the password in front of the site was in `Authorization`. */
  readonly isBehindFront?: true
}

/** Answers requests: a service in this process, or a site over the network. */
export type Transport = (request: Request) => Promise<Response>
