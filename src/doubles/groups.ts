import type { Answer } from '../contract/resource.ts'
import type { Candidate } from './find-candidates.ts'
import { mostInDoubt } from './score.ts'

/** Records that are one thing, each by some pair. */
type Group = readonly [Answer, ...Answer[]]

/** Groups that hold together, and those that do not: some of their records are alike only by way of another. */
export interface Groups {
  readonly sure: readonly Group[]
  readonly doubtful: readonly Group[]
}

/**
 * Joins pairs of at least this score: if A is B and B is C, all three are one. A branch of a chain without an address looks like
 * each of the others, which are not alike: such groups are doubtful. `candidates` are all pairs that are worth a look.
 */
export function groupCandidates(candidates: readonly Candidate[], threshold: number): Groups {
  const groups = new Map<number, Group>()
  for (const { records, score } of candidates) {
    if (score < threshold) continue
    const [one, other] = records.map((record): Group => groups.get(record.id) ?? [record])
    if (!one || !other || one === other) continue
    const group: Group = [...one, ...other]
    for (const { id } of group) groups.set(id, group)
  }
  const undoubted = candidates.filter(({ score }) => score > Math.min(mostInDoubt, threshold - 0.001))
  const pairs = new Set(undoubted.map(({ records: [one, other] }) => pairKey(one.id, other.id)))
  const all = [...new Set(groups.values())]
  const holds = (group: Group) =>
    group.every((one, index) => group.slice(index + 1).every(other => pairs.has(pairKey(one.id, other.id))))
  return { sure: all.filter(holds), doubtful: all.filter(group => !holds(group)) }
}

/** Identifies a pair, whichever record is first. */
export const pairKey = (one: number, other: number): string => `${Math.min(one, other)} ${Math.max(one, other)}`
