import { setTimeout as pause } from 'node:timers/promises'
import type { Request, Response } from '../../contract/exchange.ts'
import { readDuration } from '../../time/typed-dates.ts'
import { errorResponse } from '../refusal.ts'
import type { Service } from '../service.ts'

/** What a client gets: an answer, or a connection that is reset or never answered. */
export type ServerOutcome = Response | 'reset' | 'timeout'

/** A share of requests that fail in one way; a number is the status they are answered with. */
export interface Fault {
  readonly percent: number
  readonly with: number | 'reset' | 'timeout'
}

/** How long answers are delayed, in ms. */
export interface Latency {
  readonly from: number
  readonly to: number
}

/** The failures and delays of a server that simulates a bad network. */
export interface FaultOptions {
  readonly faults: readonly Fault[]
  readonly latency: Latency
  /** The same seed makes the same requests fail. */
  readonly seed: number
}

/** Parses `5%:503`, `2%:reset`, `0.5%:timeout`; undefined for anything else. */
export function readFault(text: string): Fault | undefined {
  const [, percent, kind] = /^(\d+(?:\.\d+)?)%:([45]\d\d|reset|timeout)$/.exec(text) ?? []
  if (percent === undefined || Number(percent) > 100) return undefined
  return { percent: Number(percent), with: kind === 'reset' || kind === 'timeout' ? kind : Number(kind) }
}

/** Parses `200ms`, `1s`, `50-400ms`, `1s-2s`; undefined for anything else. */
export function readLatency(text: string): Latency | undefined {
  const [, first = '', unit = '', last, lastUnit] = /^([\d.]+)(ms|s)?(?:-([\d.]+)(ms|s))?$/.exec(text) ?? []
  const from = readDuration(first + (unit || lastUnit || ''))
  const to = last === undefined ? from : readDuration(`${last}${lastUnit}`)
  return from !== undefined && to !== undefined && from <= to && (unit || lastUnit) ? { from, to } : undefined
}

/** Delays a service and makes it fail now and then, as a network does. */
export function withFaults(
  service: Service,
  { faults, latency, seed }: FaultOptions,
): (request: Request) => Promise<ServerOutcome> {
  const random = randomFrom(seed)
  return async request => {
    // Every request draws three numbers, so that its fate depends only on its place in the order.
    const [delay, luck, moment] = [random(), random(), random()]
    if (latency.to > 0) await pause(latency.from + delay * (latency.to - latency.from))
    const fault = pickFault(faults, luck)
    if (fault === undefined) return service(request)
    if (typeof fault === 'number') return failure(fault)
    if (moment < 0.5) await service(request)
    return fault
  }
}

function pickFault(faults: readonly Fault[], luck: number): Fault['with'] | undefined {
  let below = 0
  for (const fault of faults) {
    below += fault.percent
    if (luck * 100 < below) return fault.with
  }
  return undefined
}

const failure = (status: number): Response =>
  errorResponse(
    status,
    'calctl_fail',
    'This request failed on purpose: the server was started with --fail.',
    status === 503 || status === 429 ? { 'retry-after': '1' } : {},
  )

/** Mulberry32: small, and good enough to spread failures evenly. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}
