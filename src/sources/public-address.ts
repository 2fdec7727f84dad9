import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Addresses of this machine and of networks that only their users reach. IPv4 within IPv6 counts as what it is. */
const ownNetworks = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  ownNetworks.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  ownNetworks.addSubnet(network, bits, 'ipv6')

const isPublic = (address: string): boolean => !ownNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether the name of a host alone shows that it is on this machine or in a network of its users. */
export function isOwnHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) > 0 ? !isPublic(host) : /(^|\.)localhost\.?$/.test(host)
}

/** Looks a host up, and fails if one of its addresses is not public: a name may lead to this machine, too. */
export const publicLookup: LookupFunction = (host, options, callback) =>
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    const failure = error ?? (addresses.every(({ address }) => isPublic(address)) ? null : privateAddress(host))
    if (failure || !first) callback(failure, '', 0)
    else if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })

const privateAddress = (host: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${host} is not public`), { code: 'ENOTFOUND' })
