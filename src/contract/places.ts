import { boolean, integer, text } from './field.ts'
import { filter } from './filter.ts'
import { statusFilter } from './posts.ts'
import { say, type Words } from './words.ts'

/** The filters that venues and organizers share. */
export const placeFilters = (ofEvent: Words) => ({
  search: filter(
    'search',
    text(
      say(
        'Text al nom, la descripció o els altres camps',
        'Text in the name, description or other fields',
        'Texto en el nombre, la descripción u otros campos',
      ),
      { nonEmpty: true },
    ),
  ),
  event: filter('ofEvent', integer(ofEvent, { of: 'events' })),
  has_events: filter(
    'hasEvents',
    boolean(say('Amb actes, o sense', 'With events, or without', 'Con eventos, o sin ellos')),
  ),
  only_with_upcoming: filter(
    'hasUpcoming',
    boolean(say('Només amb actes futurs', 'Only with upcoming events', 'Solo con eventos futuros'), { default: false }),
  ),
  status: filter('status', statusFilter, { target: 'status' }),
})
