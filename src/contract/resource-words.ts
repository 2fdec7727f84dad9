import { phrase } from '../base/words/phrase.ts'
import type { ResourceName } from './field.ts'

/** What the five kinds of record and their fields are called in sentences, in the language of the interface. */

/** A count of records: `1 venue`, `3 venues`. */
export function recordCount(count: number, resource: ResourceName): string {
  if (resource === 'events') return phrase('{count, plural, one {# event} other {# events}}', { count })
  if (resource === 'venues') return phrase('{count, plural, one {# venue} other {# venues}}', { count })
  if (resource === 'organizers') return phrase('{count, plural, one {# organizer} other {# organizers}}', { count })
  if (resource === 'categories') return phrase('{count, plural, one {# category} other {# categories}}', { count })
  return phrase('{count, plural, one {# tag} other {# tags}}', { count })
}

/** The noun for a record: `venue`. */
export function recordNoun(resource: ResourceName): string {
  if (resource === 'events') return phrase('event')
  if (resource === 'venues') return phrase('venue')
  if (resource === 'organizers') return phrase('organizer')
  if (resource === 'categories') return phrase('category')
  return phrase('tag')
}
