import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { applyFeeds, doors } from '../soak/applied-feeds.ts'
import { namesOfFeeds, readPublicFeeds } from '../soak/public-feeds.ts'
import { onlyInSoak, skipped } from '../support/skipped.ts'

const folder = process.env.CALCTL_PUBLIC_FEEDS ?? resolve(import.meta.dirname, '../../../shared/public-feeds')

/** Minutes on a slow machine: only as part of `npm run soak`. */
const isSoak = process.env.SOAK_ROUNDS !== undefined

const hasFeeds = existsSync(join(folder, 'expected.ndjson'))

const why = skipped(!isSoak || !hasFeeds, isSoak ? 'no feeds in CALCTL_PUBLIC_FEEDS' : onlyInSoak)

const show = (rows: Record<string, unknown>): void => {
  for (const [name, value] of Object.entries(rows)) process.stdout.write(`${name.padEnd(24)}${value}\n`)
}

test.skipIf(why !== '')(
  `public feeds are understood, and read as other implementations read them${why}`,
  async () => {
    const { different, explained, refused, ...counts } = await readPublicFeeds(folder)
    show({ ...counts, explained: explained.length, 'not explained': different.join(', ') || 'none' })
    show(Object.fromEntries(Object.entries(refused).map(([reason, files]) => [`refused (${files})`, reason])))
    expect(counts.understood).toBeGreaterThan(0.85 * counts.files)
    expect(counts.equal + explained.length).toBeGreaterThanOrEqual(0.99 * counts.witnessed)
  },
  1_800_000,
)

const hardFiles = join(import.meta.dirname, 'hard-files')

/** A feed in Windows-1252, and one with backslashes. */
const sample = ['01-http-latin1.ics', '15-backslash.ics']

test.each(doors)('feeds that are applied again to $name change nothing', { timeout: 120_000 }, async door => {
  const { applied, changed } = await applyFeeds(hardFiles, sample, door)
  expect({ applied, changed }).toEqual({ applied: sample, changed: {} })
})

test.skipIf(why !== '').each(doors)(
  `each public feed that is applied again to $name changes nothing${why}`,
  { timeout: 7_200_000 },
  async door => {
    const { applied, refused, changed } = await applyFeeds(folder, namesOfFeeds(folder), door)
    show({ door: door.name, applied: applied.length, refused: Object.keys(refused).length })
    expect(changed).toEqual({})
    // What a feed holds does not depend on where it is applied.
    alsoApplied ??= applied
    expect(applied).toEqual(alsoApplied)
  },
)

let alsoApplied: readonly string[] | undefined
