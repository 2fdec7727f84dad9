import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { applyPublicFeeds } from '../soak/applied-feeds.ts'
import { namesOfFeeds, readPublicFeeds } from '../soak/public-feeds.ts'

const folder = process.env.CALCTL_PUBLIC_FEEDS ?? resolve(import.meta.dirname, '../../../shared/public-feeds')

/** Minutes on a slow machine: only as part of `npm run soak`. */
const isSoak = process.env.SOAK_ROUNDS !== undefined && existsSync(join(folder, 'expected.ndjson'))

const show = (rows: Record<string, unknown>): void => {
  for (const [name, value] of Object.entries(rows)) process.stdout.write(`${name.padEnd(24)}${value}\n`)
}

test.skipIf(!isSoak)(
  'public feeds are understood, and read as other implementations read them',
  async () => {
    const { different, explained, refused, ...counts } = await readPublicFeeds(folder)
    show({ ...counts, explained: explained.length, 'not explained': different.join(', ') || 'none' })
    show(Object.fromEntries(Object.entries(refused).map(([reason, files]) => [`refused (${files})`, reason])))
    expect(counts.understood).toBeGreaterThan(0.85 * counts.files)
    expect(counts.equal + explained.length).toBeGreaterThanOrEqual(0.99 * counts.witnessed)
  },
  1_800_000,
)

test.skipIf(!isSoak).each([
  ['The Events Calendar', { quirks: true }],
  ['The Events Calendar without wp/v2', { quirks: true, wordpress: false }],
  ['calctl serve', { quirks: false }],
])(
  'a public feed that is applied again to %s changes nothing',
  async (dialect, site) => {
    const { applied, idempotent, changed } = await applyPublicFeeds(folder, namesOfFeeds(folder), site)
    show({ dialect, applied, idempotent })
    expect(changed).toEqual({})
    // Nothing is said about a feed from which nothing was applied.
    expect(applied).toBeGreaterThan(0.6 * namesOfFeeds(folder).length)
  },
  1_800_000,
)
