import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readPublicFeeds } from './soak/public-feeds.ts'

const folder = process.env.CALCTL_PUBLIC_FEEDS ?? resolve(import.meta.dirname, '../../shared/public-feeds')

/** Minutes on a slow machine: only as part of `npm run soak`. */
const isSoak = process.env.SOAK_ROUNDS !== undefined && existsSync(join(folder, 'expected.ndjson'))

test.skipIf(!isSoak)(
  'public feeds are understood, and read as other implementations read them',
  async () => {
    const { different, ...counts } = await readPublicFeeds(folder)
    process.stdout.write(`${JSON.stringify({ ...counts, different }, null, 1)}\n`)
    expect(counts.understood).toBeGreaterThan(0.85 * counts.files)
    expect(counts.equal).toBeGreaterThan(0.95 * counts.witnessed)
  },
  1_800_000,
)
