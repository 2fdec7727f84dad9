import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { attack } from '../soak/attack.ts'
import { attackFeeds } from '../soak/attack-feeds.ts'
import { attackUndo } from '../soak/attack-undo.ts'
import { onlyInSoak, skipped } from '../support/skipped.ts'

/** `npm run soak` sets much more. */
const isSoak = process.env.SOAK_ROUNDS !== undefined
const seeds = isSoak ? [1, 2, 3, 4, 5, 6, 7, 8] : [1]
const size = isSoak
  ? { rounds: 25, size: 40, faults: 0.15, killsServer: true }
  : { rounds: 1, size: 4, faults: 0.2, killsServer: false }

/** What answers in place of WordPress's own API: an undo of what only `wp/v2` writes needs it. */
const answers = {
  writes: ['itself', 'missing', 'forbidden', 'odd'],
  undo: ['itself', 'missing', 'forbidden'],
  feeds: ['itself', 'missing', 'forbidden', 'page', 'odd'],
} as const

/** How the site of a seed differs from one that is as it should be: that of the first not at all. */
function siteOf(kind: keyof typeof answers, seed: number) {
  const own = answers[kind]
  return {
    wordpress: own[(seed - 1) % own.length] ?? 'itself',
    clock: [0, 3_600_000, -3_600_000][(seed - 1) % 3] ?? 0,
  }
}

const attacks = [
  ['two shells, a contributor, an editor, kills and garbled answers lose and double nothing', 'writes', attack],
  ['undo and redo bring back what was there, although they are killed and answers are garbled', 'undo', attackUndo],
] as const

describe.each(attacks)('%s', (_, kind, play) => {
  test.each(seeds)('seed %i', { timeout: isSoak ? 3_600_000 : 600_000 }, async seed => {
    const folder = mkdtempSync(join(tmpdir(), 'calctl-attack-'))
    const { problems, ...counts } = await play({ ...size, ...siteOf(kind, seed), folder, seed })
    console.log(JSON.stringify({ seed, ...siteOf(kind, seed), ...counts, problems }))
    expect(problems).toEqual([])
    expect(counts.succeeded).toBeGreaterThan(0)
  })
})

// It takes a minute, so that only `npm run soak` has it.
test.runIf(isSoak).each(seeds)(
  `two machines that follow a feed and change other events, some of them protected, lose and double nothing behind a proxy that mixes up answers (seed %i)${skipped(!isSoak, onlyInSoak)}`,
  { timeout: 1_800_000 },
  async seed => {
    const folder = mkdtempSync(join(tmpdir(), 'calctl-attack-'))
    const { problems, ...counts } = await attackFeeds({
      ...size,
      rounds: 6,
      size: 12,
      ...siteOf('feeds', seed),
      folder,
      seed,
    })
    console.log(JSON.stringify({ seed, ...siteOf('feeds', seed), ...counts, problems }))
    expect(problems).toEqual([])
    expect(counts.succeeded).toBeGreaterThan(0)
  },
)
