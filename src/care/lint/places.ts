import { groupedWithKey } from '../../base/groups.ts'
import { phrase } from '../../base/words/phrase.ts'
import { collide, leastHoursShared, takesPlace } from '../../changes/plan/bookings.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { type Brief, type EventBrief, textAt } from './brief.ts'
import type { ComparedProblem, Rule, RuleProblem } from './rule.ts'

const conflict: Rule = {
  id: 'venue-conflict',
  level: 'warning',
  finds: () => phrase('two events are in the same venue at the same time'),
  why: () =>
    phrase(
      'one of them has a wrong time or a wrong venue, or the venue has several rooms, which should be separate venues',
    ),
  remedy: () =>
    phrase(
      'correct the time or the venue of one; events that last at least as many hours as the threshold, such as exhibitions, may share a venue',
    ),
  resources: ['events'],
  limits: { hours: leastHoursShared },
  *compare({ events }, context): Generator<ComparedProblem> {
    const { hours = 0 } = context.limitsOf(this)
    const isShown = ({ status, isCancelled }: EventBrief) => status !== 'draft' && status !== 'trash' && !isCancelled
    const shown = events.filter(event => isShown(event) && takesPlace(event, event.isWholeDay, hours))
    for (const group of groupedWithKey(shown, ({ venue }) => venue || undefined).values()) {
      group.sort((one, other) => one.from - other.from)
      let last: EventBrief | undefined
      for (const event of group) {
        if (last && collide(last, event))
          yield {
            of: event,
            message: phrase('is at {venue} while {event} is', {
              venue: event.venueName,
              event: `${JSON.stringify(last.name)} (${last.id})`,
            }),
            field: 'venue',
            command: `agenda --on ${event.start.slice(0, 10)} --venue ${event.venue}`,
          }
        if (!last || event.until > last.until) last = event
      }
    }
  },
}

const withoutAddress: Rule = {
  id: 'venue-without-address',
  level: 'warning',
  finds: () => phrase('a venue has no city or no address'),
  why: () => phrase('people do not find it, maps cannot show it, and search engines leave out its events'),
  remedy: () => phrase('add them'),
  resources: ['venues'],
  *check(record): Generator<RuleProblem> {
    const missing = ['address', 'city'].filter(name => textAt(record, name).trim() === '')
    if (missing.length > 0)
      yield {
        message: withoutSentence(missing),
        field: missing[0] ?? 'address',
        update: missing.map(name => `--${name} ${name.toUpperCase()}`).join(' '),
      }
  },
}

function withoutSentence([first, second]: readonly string[]): string {
  if (second !== undefined) return phrase('has no address and no city')
  return first === 'city' ? phrase('has no city') : phrase('has no address')
}

const unused = (name: 'venues' | 'organizers'): Rule => {
  const { singular } = resourceNamed(name)
  return {
    id: `unused-${singular}`,
    level: 'info',
    finds: () =>
      name === 'venues'
        ? phrase('no event, of any date and status, is linked to a venue')
        : phrase('no event, of any date and status, is linked to an organizer'),
    why: () => phrase('long lists lead to wrong choices'),
    remedy: () => phrase('trash it, if it will not be needed again'),
    resources: [name],
    readsAllEvents: true,
    *compare(briefs): Generator<ComparedProblem> {
      const list: readonly Brief[] = briefs[name]
      for (const place of list)
        if (briefs.uses && !briefs.uses[name].has(place.id))
          yield { of: place, message: phrase('has no events'), command: `${name} delete ${place.id}` }
    },
  }
}

export const places: readonly Rule[] = [conflict, withoutAddress, unused('venues'), unused('organizers')]
