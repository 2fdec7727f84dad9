import { networkInterfaces } from 'node:os'

/** The host as it stands in a URL: IPv6 addresses between brackets. */
export const inUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

/** Whether only this machine can reach a server that listens there, or is the one that asks. */
export const isLoopback = (host: string): boolean => /^(localhost|(::ffff:)?127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(host)

const isEvery = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '[::]'

/** The address to give to people: one that can be asked, also where the server listens everywhere. */
export const reachable = (host: string): string => (isEvery(host) ? (host === '0.0.0.0' ? '127.0.0.1' : '::1') : host)

/**
 * Tells the `Host` headers that are the server's own addresses from others. A name that someone else's DNS points here is
 * how a web page gets at a server on the reader's machine (DNS rebinding). Allowed names without a port hold for every port.
 */
export function hostCheck(host: string, port: number, allowed: readonly string[]): (header: string) => boolean {
  const everywhere = Object.values(networkInterfaces()).flatMap(
    addresses => addresses?.map(({ address }) => address) ?? [],
  )
  const own = ['localhost', '127.0.0.1', '::1', host, ...(isEvery(host) ? everywhere : [])].map(inUrl)
  const exact = new Set([...own.map(name => `${name}:${port}`), ...(port === 80 ? own : []), ...allowed].map(lower))
  const names = new Set(allowed.map(lower))
  return header => exact.has(lower(header)) || names.has(lower(header).replace(/:\d+$/, ''))
}

const lower = (text: string) => text.toLowerCase()
