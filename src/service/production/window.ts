import type { Context, Values } from '../context.ts'
import { utcNow } from '../write/write.ts'

/** The parameters that bound a list of events without a window. */
export const bounds = ['starts_before', 'starts_after', 'ends_before', 'ends_after'] as const

/**
 * Ids do not lift the window: with them the default one is taken by the second, whatever dates are asked for. A date before or
 * after which to look lifts it, and `starts_after` wins over `start_date`.
 */
export function dates(context: Context): Values {
  const { start_date, end_date, ...others } = context.values
  const isBounded = bounds.some(name => others[name] !== undefined)
  if (others.include !== undefined) return isBounded ? others : { ...others, ...usual(context), strict_dates: true }
  if (!isBounded) return { ...usual(context), ...context.values }
  return others.starts_after === undefined ? context.values : { ...others, ...(end_date !== undefined && { end_date }) }
}

/** From a minute before today until in two years. `Yesterday` is that of UTC, so that east of it the window can begin today. */
const usual = ({ now }: Context): Values => {
  const yesterday = utcNow({ now: new Date(now.getTime() - 86_400_000) })
  return { start_date: `${yesterday.slice(0, 10)}T23:59:00Z`, end_date: '+24 months' }
}
