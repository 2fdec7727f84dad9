import type { DateOrder } from './date-grammar.ts'

let order: DateOrder = 'dmy'

/** Says in which order the person at this terminal writes day and month: the month first only in American English. */
export function useDateOrderOf(env: Readonly<Record<string, string | undefined>>): void {
  order = /^en_US\b/.test(env.LC_ALL || env.LC_TIME || env.LANG || '') ? 'mdy' : 'dmy'
}

/** The order in which dates are typed. */
export const typedOrder = (): DateOrder => order
