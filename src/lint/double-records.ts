import type { Answer, Resource } from '../contract/resource.ts'
import { createCandidateIndex } from '../doubles/find-candidates.ts'
import { trimRecord } from '../plan/record-state.ts'
import { decodeEntities } from '../text/normalize.ts'
import { similarName } from '../text/similar-names.ts'
import { textAt } from './brief.ts'
import type { LintContext, Problem, Rule } from './rule.ts'

/** Records that were entered twice, as `calctl dedupe` finds them. */
export const doubleRecords: Rule = {
  id: 'double',
  level: 'warning',
  finds: 'two records are one thing: an event, a venue, an organizer, a category or a tag that was entered twice',
  why: 'events are divided between two venues or tags, people see one event twice, and only one of two is kept up to date',
  remedy: 'merge them, or correct the one that is something else; the threshold is how sure it must be, up to 1',
  resources: ['events', 'venues', 'organizers', 'categories', 'tags'],
  limits: { score: 0.9 },
  watch(resource, context) {
    const index = createCandidateIndex(resource, context.limitsOf(this).score)
    return function* (record) {
      if (record.status === 'trash') return
      // The likeliest is enough: of three that are one, each is named once.
      const candidate = index
        .add(comparable(resource, record))
        .find(({ records: [other] }) => isNews(resource, record, other))
      if (candidate) yield problem(resource, record, candidate.records[0], candidate.reasons, context)
    }
  },
}

/** What is compared of a record: without its texts, which may be long. */
function comparable(resource: Resource, record: Answer): Answer {
  const { description, excerpt, raw, image, ...others } = trimRecord(resource, record)
  return others
}

/** Terms that differ by a letter have a rule of their own. */
const isNews = ({ trashable, title }: Resource, record: Answer, other: Answer): boolean =>
  trashable || similarName(textAt(record, title), [textAt(other, title)]) === undefined

function problem(
  { name, title }: Resource,
  record: Answer,
  other: Answer,
  reasons: readonly string[],
  context: LintContext,
): Problem {
  return {
    message: `may be the same as ${JSON.stringify(decodeEntities(textAt(other, title)))} (${other.id}): ${reasons.join(', ')}`,
    field: title,
    suggestion: context.command(`${name} merge ${other.id} ${record.id}`),
  }
}
