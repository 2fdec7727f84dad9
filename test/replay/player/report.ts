import { type Facet, facets } from './compare.ts'
import type { Outcome } from './play.ts'

/** How many answers of one family of requests are equal to the recorded ones, and how the others differ. */
export type ParityRow = Readonly<Record<Facet, number>> & {
  readonly family: string
  readonly exchanges: number
  readonly same: number
}

/** A row for each family, in alphabetical order. An answer that differs in its keys and in its values counts in both columns. */
export function parityRows(outcomes: readonly Outcome[]): ParityRow[] {
  const families = new Map<string, Outcome[]>()
  for (const outcome of outcomes) families.set(outcome.family, [...(families.get(outcome.family) ?? []), outcome])
  return [...families].toSorted(byName).map(([family, all]) => ({
    family,
    exchanges: all.length,
    same: all.filter(isSame).length,
    ...differing(all),
  }))
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => {
  const [left, right] = [one, other].map(name => name.split(' ').reverse().join(' '))
  return (left ?? '') < (right ?? '') ? -1 : 1
}

const differing = (outcomes: readonly Outcome[]): Record<Facet, number> => {
  const count = (facet: Facet) =>
    outcomes.filter(({ differences }) => differences.some(one => one.facet === facet)).length
  return Object.fromEntries(facets.map(facet => [facet, count(facet)])) as Record<Facet, number>
}

const isSame = ({ differences }: Outcome): boolean => differences.length === 0

/** All in one row. */
export const parityTotal = (outcomes: readonly Outcome[]): ParityRow => ({
  family: '',
  exchanges: outcomes.length,
  same: outcomes.filter(isSame).length,
  ...differing(outcomes),
})

/** The share of equal exchanges, in per cent with one decimal: 100 only if all are equal. */
export const percentSame = ({ exchanges, same }: Pick<ParityRow, 'exchanges' | 'same'>): string =>
  exchanges === 0 ? '0' : (Math.floor((1000 * same) / exchanges) / 10).toFixed(same === exchanges ? 0 : 1)
