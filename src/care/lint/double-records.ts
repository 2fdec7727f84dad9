import { groupedWithKey } from '../../base/groups.ts'
import { decodeEntities } from '../../base/text/escaping.ts'
import { foldCase } from '../../base/text/folding.ts'
import { similarName } from '../../base/text/similarity.ts'
import { msWall, wallMs } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { type Candidate, createCandidateIndex, pairKey } from '../doubles/find-candidates.ts'
import { comparedPart } from '../doubles/score.ts'
import { type EventBrief, textAt } from './brief.ts'
import type { ComparedProblem, LintContext, Rule, RuleProblem } from './rule.ts'

/** Records that were entered twice, found in the same way as by `calctl dedupe`. */
export const doubleRecords: Rule = {
  id: 'double',
  level: 'warning',
  finds: () => phrase('the same event, venue, organizer, category or tag was entered twice'),
  why: () =>
    phrase(
      'events are divided between two venues or tags, people see one event twice, and only one of the two is kept up to date',
    ),
  remedy: () =>
    phrase(
      'merge them, or correct the one that is not a duplicate; the threshold is the lowest score that is reported, up to 1',
    ),
  resources: ['events', 'venues', 'organizers', 'categories', 'tags'],
  limits: { score: 0.9 },
  watch(resource, context) {
    if (resource.name === 'events') return () => []
    const index = createCandidateIndex(resource, context.limitsOf(this).score, record => comparedPart(resource, record))
    const isDistinct = distinctIn(resource, context)
    return function* (record) {
      if (record.status === 'trash') return
      // The most likely pair is enough: of three records for the same thing, each is reported once.
      const candidate = index
        .add(record)
        .find(({ records: [other] }) => !isSimilarTerm(resource, record, other) && !isDistinct(record.id, other.id))
      if (candidate) yield problem(resource, candidate)
    }
  },
  /** There are many events, so only those that start at the same moment are compared. */
  *compare({ events }, context): Generator<ComparedProblem> {
    const resource = resourceNamed('events')
    const isDistinct = distinctIn(resource, context)
    for (const group of groupedWithKey(events, ({ start, status }) =>
      status === 'trash' ? undefined : start,
    ).values()) {
      const alike = group.length === 1 ? [] : withSharedWords(group)
      if (alike.length === 0) continue
      const index = createCandidateIndex(resource, context.limitsOf(this).score)
      for (const event of alike) {
        const candidate = index.add(asRecord(event)).find(({ records: [other] }) => !isDistinct(event.id, other.id))
        if (candidate) yield { of: event, ...problem(resource, candidate) }
      }
    }
  },
}

/** Those whose names share a word with another one, or the beginning of one, because comparing names takes much longer. */
function withSharedWords(events: readonly EventBrief[]): EventBrief[] {
  const beginnings = events.map(({ name }) =>
    foldCase(name)
      .split(/[^\p{L}\p{N}]+/u)
      .map(word => word.slice(0, 3)),
  )
  const counts = new Map<string, number>()
  for (const own of beginnings)
    for (const beginning of new Set(own)) counts.set(beginning, (counts.get(beginning) ?? 0) + 1)
  return events.filter((_, index) =>
    beginnings[index]?.some(beginning => beginning.length === 3 && (counts.get(beginning) ?? 0) > 1),
  )
}

const asRecord = ({ id, preference, name, start, from, until, isWholeDay, venue, venueName }: EventBrief): Answer => ({
  id,
  preference,
  title: name,
  start_date: start,
  end_date: Number.isFinite(until - from) ? msWall(wallMs(start) + until - from) : start,
  all_day: isWholeDay,
  venue: venue > 0 ? { id: venue, venue: venueName } : [],
})

/** Whether somebody said in `calctl dedupe --review` that two records are not the same. */
function distinctIn({ name }: Resource, context: LintContext): (one: number, other: number) => boolean {
  const pairs = new Set(context.distinct(name).map(([one, other]) => pairKey(one, other)))
  return (one, other) => pairs.has(pairKey(one, other))
}

/** Another rule is for terms that differ by a letter. */
const isSimilarTerm = ({ trashable, title }: Resource, record: Answer, other: Answer): boolean =>
  !trashable && similarName(textAt(record, title), [textAt(other, title)]) !== undefined

/** The record that `calctl dedupe` would keep comes first. */
const byPreference = (one: Answer, other: Answer): number =>
  Number(other.preference) - Number(one.preference) || one.id - other.id

function problem(resource: Resource, { records, reasons }: Candidate): RuleProblem {
  const { name, title } = resource
  const [other] = records
  const [survivor, duplicate] = records.toSorted(byPreference)
  return {
    message: phrase('may be the same as {record}: {reasons}', {
      record: `${JSON.stringify(decodeEntities(textAt(other, title)))} (${other.id})`,
      reasons: reasons.join(', '),
    }),
    field: title,
    command: `${name} merge ${survivor?.id} ${duplicate?.id}`,
  }
}
