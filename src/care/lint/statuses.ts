import { wallMs } from '../../base/time/dates.ts'
import { textAt } from './brief.ts'
import type { Problem, Rule } from './rule.ts'
import { isComing } from './texts.ts'

const pastDraft: Rule = {
  id: 'past-draft',
  level: 'warning',
  finds: 'an event was never published, and is over',
  why: 'somebody forgot to publish it, or to remove it',
  remedy: 'trash it, or publish it for the record',
  resources: ['events'],
  *check(record, resource, context): Generator<Problem> {
    if ((record.status === 'draft' || record.status === 'pending') && !isComing(record, context))
      yield {
        message: `is ${record.status === 'draft' ? 'a draft' : 'pending'} and over since ${textAt(record, 'end_date').slice(0, 10)}`,
        field: 'status',
        suggestion: context.command(`${resource.name} delete ${record.id}`),
      }
  },
}

const pastFeatured: Rule = {
  id: 'past-featured',
  level: 'warning',
  finds: 'an event is over, and still featured or pinned',
  why: 'it takes the place of an upcoming one',
  remedy: 'unset it; --fix does that',
  resources: ['events'],
  fixes: true,
  *check(record, _, context): Generator<Problem> {
    const flags = (['featured', 'sticky'] as const).filter(name => record[name] === true)
    if (flags.length === 0 || isComing(record, context)) return
    yield {
      message: `is over and still ${flags.join(' and ')}`,
      field: flags[0] ?? 'featured',
      values: Object.fromEntries(flags.map(name => [name, false])),
    }
  },
}

const publishedTooLate: Rule = {
  id: 'scheduled-too-late',
  level: 'warning',
  finds: 'an event is scheduled to be published after it has begun',
  why: 'people learn of it too late',
  remedy: 'publish it now, or schedule it earlier',
  resources: ['events'],
  *check(record, resource, context): Generator<Problem> {
    if (record.status !== 'future' || textAt(record, 'date_utc') <= textAt(record, 'utc_start_date')) return
    yield {
      message: `will be published on ${textAt(record, 'date').slice(0, 16)}, after it has begun`,
      field: 'date',
      suggestion: context.updateOf(resource, record, '--status publish'),
    }
  },
}

const day = 86_400_000

const old: Rule = {
  id: 'old-event',
  level: 'off',
  finds: 'an event that ended long ago is still published',
  why: 'search engines lead people to it; where an archive is not wanted, it only makes lists long',
  remedy: 'trash it; the threshold is the number of days, and --older-than sets it and turns the rule on',
  resources: ['events'],
  limits: { days: 5 * 365 },
  *check(record, resource, context): Generator<Problem> {
    const end = wallMs(textAt(record, 'utc_end_date'))
    if (record.status !== 'publish' || !(end < context.now - (context.limitsOf(this).days ?? 0) * day)) return
    yield {
      message: `ended on ${textAt(record, 'end_date').slice(0, 10)} and is still published`,
      field: 'status',
      suggestion: context.command(`${resource.name} delete ${record.id}`),
    }
  },
}

export const statuses: readonly Rule[] = [pastDraft, pastFeatured, publishedTooLate, old]
