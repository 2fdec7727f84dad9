import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { calendar } from '../support/calendar.ts'
import { productionSite } from '../support/production-site.ts'

export interface AppliedCounts {
  /** Feeds from which something was applied. */
  applied: number
  /** Feeds of which a second `apply` changes nothing. */
  idempotent: number
  /** What the second `apply` said of the others. */
  readonly changed: Record<string, string>
}

/** Applies feeds of a folder, each to an empty calendar of its own, twice. */
export async function applyPublicFeeds(
  folder: string,
  names: readonly string[],
  site: { readonly quirks: boolean; readonly wordpress?: boolean },
): Promise<AppliedCounts> {
  const counts: AppliedCounts = { applied: 0, idempotent: 0, changed: {} }
  for (const name of names) {
    const feed = readFileSync(join(folder, name))
    // A calendar file is never taken for a site with The Events Calendar, whatever its dialect.
    const { calctl } = site.quirks ? await productionSite(site) : { calctl: calendar() }
    const apply = () => calctl(`apply - --format ics --yes --create-missing ${extentOf(feed)}`, feed)
    if (!/ done[,;.]/.test((await apply()).err)) continue
    const { err } = await apply()
    counts.applied += 1
    if (/^(\d+ (unchanged|invalid)|nothing to do)\b/m.test(err)) counts.idempotent += 1
    else counts.changed[name] = err.trim()
  }
  return counts
}

/** Thousands of hours of a year say no more than those of a month. */
const extentOf = (feed: Buffer): string =>
  /(FREQ=(HOURLY|MINUTELY|SECONDLY)|BY(HOUR|MINUTE|SECOND)=)/i.test(feed.toString('latin1')) ? '--until 2026-12-21' : ''
