import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { attack } from './soak/attack.ts'
import { attackFeeds } from './soak/attack-feeds.ts'
import { attackUndo } from './soak/attack-undo.ts'

/** `npm run soak` sets much more. */
const isSoak = process.env.SOAK_ROUNDS !== undefined
const seeds = isSoak ? [1, 2, 3, 4, 5, 6, 7, 8] : [1]
const size = isSoak
  ? { rounds: 25, size: 40, faults: 0.15, killsServer: true }
  : { rounds: 2, size: 6, faults: 0.2, killsServer: false }

test.each(seeds)(
  'two shells, an editor, kills and garbled answers lose and double nothing (seed %i)',
  {
    timeout: isSoak ? 3_600_000 : 600_000,
  },
  async seed => {
    const folder = mkdtempSync(join(tmpdir(), 'calctl-attack-'))
    const { problems, ...counts } = await attack({ folder, seed, ...size })
    console.log(JSON.stringify({ seed, ...counts }))
    expect(problems).toEqual([])
    expect(counts.succeeded).toBeGreaterThan(0)
  },
)

test.each(seeds)(
  'undo and redo bring back what was there, although they are killed and answers are garbled (seed %i)',
  { timeout: isSoak ? 3_600_000 : 600_000 },
  async seed => {
    const folder = mkdtempSync(join(tmpdir(), 'calctl-attack-'))
    const { problems, ...counts } = await attackUndo({ ...size, folder, seed })
    console.log(JSON.stringify({ seed, ...counts }))
    expect(problems).toEqual([])
    expect(counts.succeeded).toBeGreaterThan(0)
  },
)

const closings = ['itself', 'missing', 'forbidden', 'page'] as const

// It takes a minute, so that only `npm run soak` has it.
test.runIf(isSoak).each(seeds)(
  'two machines that follow a feed and edit other events lose and double nothing behind a proxy that mixes up answers (seed %i)',
  { timeout: 1_800_000 },
  async seed => {
    const folder = mkdtempSync(join(tmpdir(), 'calctl-attack-'))
    const wordpress = closings[(seed - 1) % closings.length] ?? 'itself'
    const { problems, ...counts } = await attackFeeds({ ...size, rounds: 6, size: 12, folder, seed, wordpress })
    console.log(JSON.stringify({ seed, wordpress, ...counts }))
    expect(problems).toEqual([])
    expect(counts.succeeded).toBeGreaterThan(0)
  },
)
