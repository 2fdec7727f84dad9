import { setImmediate } from 'node:timers/promises'

/** How long a loop may keep everything else waiting, in ms. */
const longestTurn = 50

/**
 * Lets signals, timers and requests have their turn in a long loop that waits for nothing itself: call the function in each round,
 * and wait for what it returns.
 */
export function createTurns(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < longestTurn) return undefined
    return setImmediate().then(() => {
      began = performance.now()
    })
  }
}

/** The same for what is read by a loop. */
export async function* withTurns<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const turn = createTurns()
  for await (const item of items) {
    await turn()
    yield item
  }
}
