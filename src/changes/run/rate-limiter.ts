import { wrongValue } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'

/** Reads `5/s`, `100/m` or `2000/h` as calls per second. */
export function parseRate(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)\/(s|m|h)$/.exec(text) ?? []
  if (count === undefined || Number(count) === 0)
    throw wrongValue('--rate', phrase('a number of writes per second, minute or hour'), text, '5/s')
  return Number(count) / secondsIn[unit as keyof typeof secondsIn]
}

/** A rate limiter: at most `rate` calls a second, evenly spaced. Times in ms. */
export function createRateLimiter(
  rate: number,
  { now, sleep }: { now(): number; sleep(ms: number): Promise<void> },
): () => Promise<void> {
  let next = 0
  return async () => {
    const turn = Math.max(next, now())
    next = turn + 1000 / rate
    if (turn > now()) await sleep(turn - now())
  }
}

const secondsIn = { s: 1, m: 60, h: 3600 } as const
