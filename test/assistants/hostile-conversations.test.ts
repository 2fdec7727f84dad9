import { expect, test } from 'vitest'
import { holdConversation } from './hostile.ts'

const rounds = Math.max(30, Number(process.env.SOAK_ROUNDS ?? 0) * 5)

test(
  `${rounds} hostile conversations: nothing is written without a press, and every write is undone exactly`,
  async () => {
    const totals = { presses: 0, writes: 0, turns: 0 }
    for (let seed = 1; seed <= rounds; seed++) {
      const { said, presses, writes } = await holdConversation(seed).catch(error => {
        throw new Error(`conversation ${seed}: ${error.message}`, { cause: error })
      })
      totals.presses += presses
      totals.writes += writes
      totals.turns += said.length
    }
    expect(totals.presses).toBeGreaterThan(0)
    if (process.env.SOAK_ROUNDS) process.stderr.write(`${rounds} conversations: ${JSON.stringify(totals)}\n`)
  },
  30_000 + rounds * 5_000,
)
