/** The orders of day, month and year in a date such as `05/12/2026`. */
export const dateOrders = ['mdy', 'dmy', 'ymd'] as const

export type DateOrder = (typeof dateOrders)[number]

let order: DateOrder = 'dmy'

type Env = Readonly<Record<string, string | undefined>>

/** Whether the locale writes the month first: `LC_TIME=en_US.UTF-8`. */
export const isAmerican = ({ LC_ALL, LC_TIME, LANG }: Env): boolean => /^en_US\b/.test(LC_ALL || LC_TIME || LANG || '')

/** Sets the order of day and month on this terminal: the month comes first only in American English. */
export function useDateOrderOf(env: Env, language = 'en'): void {
  order = isAmerican(env) && !['ca', 'es'].includes(language) ? 'mdy' : 'dmy'
}

export const typedOrder = (): DateOrder => order
