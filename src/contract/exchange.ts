/**
 * A request to an implementation of the API, as plain data. `path` is below the base URL and begins with `/`
 * (`/calendar/events/v1/events`); `query` is the text after `?`; header names are lower case; `body` is sent as it is.
 */
export interface Request {
  readonly method: string
  readonly path: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Whether the answer is a file of unknown charset: its body is returned as bytes. */
  readonly wantsBytes?: true
  /** Whether it comes from a web page of another site, perhaps without the user's knowledge. */
  readonly isForeign?: boolean
  /** Rebuilds the request before a retry: the record on which it was built may have changed. */
  readonly renew?: () => Promise<Request>
  /** Whether the client has gone away, so that a server can drop the work. */
  readonly isAbandoned?: () => boolean
}

/** The response to a request. Header names are lower case. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Whether the request had credentials: if the answer is that for anonymous users, they were lost on the way. */
  readonly withCredentials?: true
  /** Whether they were in a separate header, because `Authorization` had the password of a server in front of the site. */
  readonly isBehindFront?: true
}

/** Answers requests: a service in this process, or a site over the network. */
export type Transport = (request: Request) => Promise<Response>

/** Whether an answer has all that was asked for. Any other 2xx means a part of it, nothing yet, or what a proxy made of it. */
export const isWholeAnswer = ({ status }: Pick<Response, 'status'>): boolean => status === 200 || status === 201
