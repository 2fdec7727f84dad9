/** No response came within the timeout. */
export class RequestTimeout extends Error {}

/** The proxy answered a request for a tunnel with this status. */
export class ProxyRefused extends Error {
  constructor(readonly status: number) {
    super(`the proxy answered ${status}`)
  }
}

/** Why no response came, and whether any part of the request had been sent. */
export class NoResponse extends Error {
  constructor(
    readonly reason: unknown,
    readonly wasSent: boolean,
  ) {
    super('no response', { cause: reason })
  }
}
