import { networkInterfaces } from 'node:os'

/** A host as it is written in a URL: IPv6 addresses in brackets. */
export const inUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

/** Whether a host or a remote address is this machine, as seen from itself. */
export const isLoopback = (host: string): boolean => /^(localhost|(::ffff:)?127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(host)

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '[::]'

/** An address that clients on this machine can use, also if the server listens on all addresses. */
export function reachable(host: string): string {
  if (!isAnyAddress(host)) return host
  return host === '0.0.0.0' ? '127.0.0.1' : '::1'
}

/**
 * Tells the `Host` headers that name this server from others. A foreign name that resolves to this machine is how a web page
 * reaches a server on the reader's machine (DNS rebinding). Allowed names without a port are valid for every port.
 */
export function createHostCheck(host: string, port: number, allowed: readonly string[]): (header: string) => boolean {
  const interfaces = Object.values(networkInterfaces()).flatMap(
    addresses => addresses?.map(({ address }) => address) ?? [],
  )
  const own = ['localhost', '127.0.0.1', '::1', host, ...(isAnyAddress(host) ? interfaces : [])].map(inUrl)
  const exact = new Set([...own.map(name => `${name}:${port}`), ...(port === 80 ? own : []), ...allowed].map(toLower))
  const names = new Set(allowed.map(toLower))
  return header => exact.has(toLower(header)) || names.has(toLower(header).replace(/:\d+$/, ''))
}

const toLower = (text: string) => text.toLowerCase()
