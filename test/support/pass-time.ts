import { vi } from 'vitest'

/** Lets a timeout of `ms` pass at the moment when something is due, however slow the machine is. */
export async function passTime<T>(ms: number, isDue: () => boolean, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let isOver = false
    const outcome = work().finally(() => {
      isOver = true
    })
    outcome.catch(() => {})
    while (!isDue() && !isOver) await new Promise(setImmediate)
    vi.advanceTimersByTime(ms)
    return await outcome
  } finally {
    vi.useRealTimers()
  }
}
