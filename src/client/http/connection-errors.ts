/** Why a request got no response: the errors of connections, before `problems/` explains them. */

import type { Dispatcher } from 'undici'

/** In bytes, compressed or not. */
export const maxResponseSize = 64 * 1024 * 1024

/** No response came within the timeout. */
export class RequestTimeout extends Error {}

/** The proxy answered a request for a tunnel with this status. */
export class ProxyRefused extends Error {
  constructor(readonly status: number) {
    super(`the proxy answered ${status}`)
  }
}

/** Turns a refused tunnel into an error with the status of the proxy, which undici only mentions in a message. */
export function rejectRefusedTunnels(proxy: Dispatcher): Dispatcher {
  const open = proxy.connect.bind(proxy)
  const connect = async (options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const tunnel = await open(options)
    if (tunnel.statusCode === 200) return tunnel
    tunnel.socket.on('error', () => {}).destroy()
    throw new ProxyRefused(tunnel.statusCode)
  }
  return Object.assign(proxy, { connect })
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
