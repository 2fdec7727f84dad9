import type { Response } from '../contract/exchange.ts'

/** How long an answer asks to be left alone, in ms; undefined where it does not. A date is told by the site's own clock. */
export function retryAfter({ headers }: Response, now: number): number | undefined {
  const asked = headers['retry-after']?.trim()
  if (!asked) return undefined
  if (/^\d+$/.test(asked)) return Number(asked) * 1000
  const date = Date.parse(asked)
  return Number.isNaN(date) ? undefined : Math.max(date - siteTime(headers, now), 0)
}

/** What the site's clock shows, in ms; ours where it does not say. */
function siteTime(headers: Response['headers'], now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? now : date
}

/** The longest that anybody is kept waiting, in ms. */
export const longestWait = 60_000
