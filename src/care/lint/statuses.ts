import { phrase } from '../../base/words/phrase.ts'
import { textAt } from './brief.ts'
import type { Rule, RuleProblem } from './rule.ts'
import { isComing } from './times.ts'

const pastDraft: Rule = {
  id: 'past-draft',
  level: 'warning',
  finds: () => phrase('an event was never published, and is over'),
  why: () => phrase('someone forgot to publish or remove it'),
  remedy: () => phrase('trash it, or publish it for the record'),
  resources: ['events'],
  *check(record, resource, context): Generator<RuleProblem> {
    if ((record.status === 'draft' || record.status === 'pending') && !isComing(record, context))
      yield {
        message:
          record.status === 'draft'
            ? phrase('is a draft and over since {day}', { day: textAt(record, 'end_date').slice(0, 10) })
            : phrase('is pending and over since {day}', { day: textAt(record, 'end_date').slice(0, 10) }),
        field: 'status',
        command: `${resource.name} delete ${record.id}`,
      }
  },
}

const pastFeatured: Rule = {
  id: 'past-featured',
  level: 'warning',
  finds: () => phrase('an event is over, and still featured or pinned'),
  why: () => phrase('it takes space from upcoming events'),
  remedy: () => phrase('unset it; --fix does that'),
  resources: ['events'],
  fixes: true,
  *check(record, _, context): Generator<RuleProblem> {
    const flags = (['featured', 'sticky'] as const).filter(name => record[name] === true)
    if (flags.length === 0 || isComing(record, context)) return
    yield {
      message: overAndStill(flags),
      field: flags[0] ?? 'featured',
      values: Object.fromEntries(flags.map(name => [name, false])),
    }
  },
}

function overAndStill([flag, other]: readonly ('featured' | 'sticky')[]): string {
  if (other !== undefined) return phrase('is over and still featured and sticky')
  return flag === 'sticky' ? phrase('is over and still sticky') : phrase('is over and still featured')
}

const publishedTooLate: Rule = {
  id: 'scheduled-too-late',
  level: 'warning',
  finds: () => phrase('an event is scheduled to be published after it has begun'),
  why: () => phrase('people find out too late'),
  remedy: () => phrase('publish it now, or schedule it earlier'),
  resources: ['events'],
  *check(record): Generator<RuleProblem> {
    if (record.status !== 'future' || textAt(record, 'date_utc') <= textAt(record, 'utc_start_date')) return
    yield {
      message: phrase('will be published on {date}, after it has begun', { date: textAt(record, 'date').slice(0, 16) }),
      field: 'date',
      update: '--status publish',
    }
  },
}

export const statusRules: readonly Rule[] = [pastDraft, pastFeatured, publishedTooLate]
