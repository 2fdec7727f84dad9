/** How long a server asks to wait, and how a wait is written. Input: a response without success. Output: a time in ms. */

import { writtenNumber } from '../../base/text/sentence-parts.ts'
import type { Response } from '../../contract/exchange.ts'

/** How long a response asks to wait, in ms; undefined if it does not. If it gives a date, the clock of the site counts. */
export function retryAfter({ headers }: Response, now: number): number | undefined {
  const value = headers['retry-after']?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(date - siteTime(headers, now), 0)
}

/** The time on the clock of the site, in ms; `now` if it does not say. */
function siteTime(headers: Response['headers'], now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? now : date
}

/** The longest time that a command waits because a server asks for it, in ms. */
export const longestWait = 60_000

/** `0.3 s`, `1 s`, `12 s` */
export function seconds(ms: number): string {
  if (ms >= 9950) return `${Math.round(ms / 1000)} s`
  const tenths = Math.max(Math.round(ms / 100), 1)
  return `${writtenNumber(tenths / 10, 1, 0)} s`
}
