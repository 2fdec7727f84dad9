import type { ResourceName } from './field.ts'
import { filter, search } from './filter.ts'
import { choice } from './kinds/choice-kinds.ts'
import { choices, ids } from './kinds/link-kinds.ts'
import { boolean, integer } from './kinds/number-kinds.ts'
import { text } from './kinds/text-kinds.ts'
import { say, type Words } from './languages.ts'
import { statuses } from './post-status.ts'

export const statusFilter = choices(
  say(
    'Només els registres amb aquests estats',
    'Only records with these statuses',
    'Solo los registros con estos estados',
  ),
  statuses,
)

export const placeFilters = (ofEvent: Words) => ({
  search: search(
    'Text al nom, a la descripció o als altres camps',
    'Text in the name, description or other fields',
    'Texto en el nombre, en la descripción o en los demás campos',
  ),
  event: filter('ofEvent', integer(ofEvent, { of: 'events' })),
  has_events: filter(
    'hasEvents',
    boolean(
      say(
        'Amb esdeveniments, o sense',
        'Only those with events (false: only those without)',
        'Con eventos, o sin ellos',
      ),
    ),
  ),
  only_with_upcoming: filter(
    'hasUpcoming',
    boolean(say('Només amb esdeveniments futurs', 'Only with upcoming events', 'Solo con eventos futuros'), {
      default: false,
    }),
  ),
  status: filter('status', statusFilter, { target: 'status' }),
})

export const termFilters = (of: ResourceName) => ({
  search: search(
    'Text al nom o a la descripció',
    'Text in the name or description',
    'Texto en el nombre o la descripción',
  ),
  exclude: filter('exclude', ids(say('Sense aquests ID', 'Without these IDs', 'Sin estos ID'), { of }), {
    target: 'id',
  }),
  include: filter('include', ids(say('Només aquests ID', 'Only these IDs', 'Solo estos ID'), { of }), { target: 'id' }),
  order: filter('setting', choice(say('Sentit de l’ordre', 'Sort direction', 'Sentido del orden'), ['asc', 'desc'])),
  orderby: filter(
    'setting',
    choice(say('Atribut pel qual s’ordena', 'Attribute to sort by', 'Atributo por el que se ordena'), [
      'id',
      'name',
      'slug',
      'count',
      'description',
    ]),
  ),
  hide_empty: filter(
    'hideEmpty',
    boolean(
      say('Amaga els termes sense esdeveniments', 'Hide terms without events', 'Oculta los términos sin eventos'),
      { default: true },
    ),
  ),
  post: filter(
    'ofEvent',
    integer(say('Termes d’aquest esdeveniment', 'Terms of this event', 'Términos de este evento'), { of: 'events' }),
  ),
  event: filter(
    'ofEvent',
    integer(say('El mateix que post', 'The same as post', 'Lo mismo que post'), { of: 'events' }),
  ),
  slug: filter('equals', text(say('Termes amb aquest slug', 'Terms with this slug', 'Términos con este slug')), {
    target: 'slug',
  }),
})
