import { wrongValue } from '../failure.ts'
import type { Clock } from './clock.ts'

const perSecond = { s: 1, m: 60, h: 3600 } as const

/** Reads `5/s`, `100/m`, `2000/h`: how many a second. */
export function readRate(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)\/(s|m|h)$/.exec(text) ?? []
  if (count === undefined || Number(count) === 0)
    throw wrongValue('--rate', 'a number of writes in a time', text, '5/s')
  return Number(count) / perSecond[unit as keyof typeof perSecond]
}

/** Makes what lets through so many a second, evenly. */
export function createPace(rate: number, { now, sleep }: Pick<Clock, 'now' | 'sleep'>): () => Promise<void> {
  let next = 0
  return async () => {
    const turn = Math.max(next, now())
    next = turn + 1000 / rate
    if (turn > now()) await sleep(turn - now())
  }
}
