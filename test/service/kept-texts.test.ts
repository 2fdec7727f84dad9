import { expect, test } from 'vitest'
import { compareWithNewServices } from './kept-texts.ts'

/** `npm run soak` sets many more, with other seeds. */
const rounds = Number(process.env.SOAK_ROUNDS ?? 0)
const seeds = rounds > 0 ? Array.from({ length: rounds * 20 }, () => Math.floor(Math.random() * 1e9)) : [1, 2]

test('what a calendar answers with texts that it has kept is what it answers without them', async () => {
  for (const seed of seeds) {
    const { compared, written } = await compareWithNewServices(seed, 120)
    expect(Math.min(compared / 200, written / 45)).toBeGreaterThan(0.8)
  }
})
