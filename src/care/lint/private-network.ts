import { lookup as lookUpHost } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'

/**
 * Which addresses are on a private network: of this machine, of the network it is in, or of the cloud it runs in. Texts of a calendar are
 * written by others, and a link in one must not make a build server send requests to what only it can reach.
 */

/** Why no connection was opened. */
export class PrivateAddress extends Failure {
  constructor(host: string) {
    super('refused', phrase('{host} is on a private network', { host }))
  }
}

const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  // Addresses of groups, and those that are reserved.
  ['224.0.0.0', 3],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6')

/** Names that no public server has, so that a proxy is not asked for them either. */
const privateName = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/

/** Whether the host of a URL is on a private network, as far as its name says. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) === 0 ? privateName.test(host) : isPrivateAddress(host)
}

const isPrivateAddress = (address: string): boolean =>
  privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Looks a host up, and fails if any of its addresses is private: the addresses that are checked are those that are connected to. */
export const lookUpPublic: LookupFunction = (host, options, done) =>
  lookUpHost(host, options, (error, address, family) => {
    const addresses = typeof address === 'string' ? [address] : (address ?? []).map(one => one.address)
    if (!error && addresses.some(isPrivateAddress)) done(new PrivateAddress(host), address, family)
    else done(error, address, family)
  })

/** Whether a site is on a private network itself: then its texts may lead there. */
export async function isPrivateSite(baseUrl: string | undefined): Promise<boolean> {
  if (baseUrl === undefined) return false
  const { hostname } = new URL(baseUrl)
  if (isPrivateHost(hostname)) return true
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return false
  return new Promise(done => lookUpPublic(hostname, { all: true }, error => done(error instanceof PrivateAddress)))
}
