import { lookup as lookUpHost } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'

/**
 * Addresses on a private network: of this machine, of its network, or of the cloud in which it runs. Others write the texts of a calendar,
 * and a link in one must not make a build server send requests to hosts that only it can reach.
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

/** Names that no public server has, so that proxies are not asked for them either. */
const privateName = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/

/** Whether the host of a URL is on a private network, judging by its name. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) === 0 ? privateName.test(host) : isPrivateAddress(host)
}

const isPrivateAddress = (address: string): boolean =>
  privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Looks up a host, and fails if any of its addresses is private: connections go to the addresses that were checked. */
export const lookUpPublic: LookupFunction = (host, options, done) =>
  lookUpHost(host, options, (error, address, family) => {
    const addresses = typeof address === 'string' ? [address] : (address ?? []).map(one => one.address)
    if (!error && addresses.some(isPrivateAddress)) done(new PrivateAddress(host), address, family)
    else done(error, address, family)
  })

/** Whether the site itself is on a private network: then its texts may link to that. */
export async function isPrivateSite(baseUrl: string | undefined): Promise<boolean> {
  if (baseUrl === undefined) return false
  const { hostname } = new URL(baseUrl)
  if (isPrivateHost(hostname)) return true
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return false
  return new Promise(done => lookUpPublic(hostname, { all: true }, error => done(error instanceof PrivateAddress)))
}
