import { lookup } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { connectionProblem } from '../../../client/http/problems/connection-problems.ts'
import { problemFailure } from '../../../client/http/problems/unavailable.ts'
import { proxyFor } from '../../../client/http/sender.ts'
import { type CheckFinding, type DoctorCheck, done, type Examination, failed, failedAs, skipped } from './finding.ts'

/** How long connecting to one address may take, in ms. */
const longestConnect = 10_000

const siteOf = ({ facts }: Examination): URL => new URL(facts.baseUrl)

const proxied = (examination: Examination): CheckFinding | undefined => {
  const proxy = proxyFor(siteOf(examination).origin, examination.proxies)
  return proxy && skipped(phrase('requests go through the proxy {origin}', { origin: proxy.origin }))
}

/** A check that is not made where requests go through a proxy. */
const direct =
  (check: (url: URL, examination: Examination) => Promise<CheckFinding>): DoctorCheck['run'] =>
  async examination =>
    proxied(examination) ?? check(siteOf(examination), examination)

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80)

const addressesOf = (url: URL) => lookup(hostOf(url), { all: true })

export const connectionChecks: readonly DoctorCheck[] = [
  {
    name: 'name',
    async run(examination) {
      const url = siteOf(examination)
      if (isIP(hostOf(url))) return done(phrase('{host} is an address', { host: hostOf(url) }))
      const proxy = proxied(examination)
      if (proxy) return proxy
      const found = await addressesOf(url).catch((error: Error) => error)
      if (found instanceof Error) return failedAs(problemFailure(connectionProblem(found, url, examination.timeout)))
      const addresses = listOf(found.map(({ address }) => address))
      return done(phrase('{host} is {addresses}', { host: url.hostname, addresses }))
    },
  },
  {
    name: 'port',
    needs: 'name',
    run: direct(async (url, { timeout }) => {
      const error = await firstError(await addressesOf(url), url, timeout)
      if (error) return failedAs(problemFailure(connectionProblem(error, url, timeout)))
      return done(phrase('{port} is open', { port: portOf(url) }))
    }),
  },
  {
    name: 'IPv6',
    needs: 'port',
    run: direct(async (url, { timeout }) =>
      judgeFamilies(await addressesOf(url), address => connectTo(address, url, timeout)),
    ),
  },
  { name: 'TLS', needs: 'port', run: checkTls },
]

interface Address {
  readonly address: string
  readonly family: number
}

/** Whether both families of addresses of a name answer. Programs try IPv6 first, and lose time if it does not. */
export async function judgeFamilies(
  addresses: readonly Address[],
  tryAddress: (address: string) => Promise<Error | undefined>,
): Promise<CheckFinding> {
  const [six] = addresses.filter(({ family }) => family === 6)
  const [four] = addresses.filter(({ family }) => family === 4)
  if (!six) return skipped(phrase('the name has no IPv6 address'))
  const error = await tryAddress(six.address)
  if (!error) return done(phrase('{address} answers', { address: six.address }))
  if (/ENETUNREACH|EADDRNOTAVAIL/.test(codeOf(error)) || !four) return skipped(phrase('this network has no IPv6'))
  return failed(
    phrase('{six} does not answer, {four} does: each connection takes longer, and some programs fail', {
      six: six.address,
      four: four.address,
    }),
    phrase('ask whoever runs the site to make its server answer over IPv6, or to remove the AAAA record of its name'),
    'connection-refused',
  )
}

/** The error of the first address if none can be connected to. */
async function firstError(addresses: readonly Address[], url: URL, timeout: number): Promise<Error | undefined> {
  const errors = await Promise.all(addresses.map(({ address }) => connectTo(address, url, timeout)))
  return errors.includes(undefined) ? undefined : errors[0]
}

function connectTo(host: string, url: URL, timeout: number): Promise<Error | undefined> {
  return new Promise(resolve => {
    const socket = connect({ host, port: portOf(url) })
    const end = (error?: Error) => {
      socket.destroy()
      resolve(error)
    }
    socket.setTimeout(Math.min(timeout, longestConnect), () => end(noAnswer()))
    socket.once('connect', () => end())
    socket.once('error', end)
  })
}

const noAnswer = (): Error => Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

async function checkTls(examination: Examination): Promise<CheckFinding> {
  const url = siteOf(examination)
  if (url.protocol === 'http:') return skipped(phrase('the address begins with http://: nothing is encrypted'))
  const proxy = proxied(examination)
  if (proxy) return proxy
  const { connect: connectTls } = await import('node:tls')
  const host = hostOf(url)
  const { timeout, trusted } = examination
  return new Promise(resolve => {
    const socket = connectTls({
      host,
      port: portOf(url),
      ...(!isIP(host) && { servername: host }),
      ...(trusted && { ca: [...trusted] }),
    })
    const end = (finding: CheckFinding) => {
      socket.destroy()
      resolve(finding)
    }
    const fail = (error: Error) => end(failedAs(problemFailure(connectionProblem(error, url, timeout))))
    socket.setTimeout(Math.min(timeout, longestConnect), () => fail(noAnswer()))
    socket.once('error', fail)
    socket.once('secureConnect', () => {
      const { valid_to: until, issuer } = socket.getPeerCertificate()
      const by = String(issuer?.O ?? issuer?.CN ?? phrase('an unnamed authority'))
      end(
        done(phrase('certificate of {by}, valid until {day}', { by, day: new Date(until).toISOString().slice(0, 10) })),
      )
    })
  })
}
