import type { ResourceName } from './field.ts'
import { filter } from './filter.ts'
import { ids } from './kinds/link-kinds.ts'
import { boolean, integer } from './kinds/number-kinds.ts'
import { choice, slug, text } from './kinds/text-kinds.ts'
import { say } from './languages.ts'
import { textCannotBeCleared } from './site-field.ts'

/** The fields that categories and tags share. */
export const termFields = {
  name: text(say('Nom', 'Name', 'Nombre'), {
    nonEmpty: true,
    example: 'Jazz',
    acrossLanguages: 'text',
    site: { key: 'name' },
  }),
  description: text(say('Descripció', 'Description', 'Descripción'), {
    acrossLanguages: 'text',
    site: { key: 'description', cannot: textCannotBeCleared },
  }),
  slug: slug(say('Identificador a l’URL', 'Name in URLs', 'Identificador en la URL'), {
    acrossLanguages: 'text',
    site: { key: 'slug' },
  }),
}

/** The filters that categories and tags share. */
export const termFilters = (of: ResourceName) => ({
  search: filter(
    'search',
    text(
      say('Text al nom o a la descripció', 'Text in the name or description', 'Texto en el nombre o la descripción'),
      { nonEmpty: true },
    ),
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
    boolean(say('Amaga els termes sense actes', 'Hide terms without events', 'Ocultar los términos sin eventos'), {
      default: true,
    }),
  ),
  post: filter(
    'ofEvent',
    integer(say('Termes d’aquest acte', 'Terms of this event', 'Términos de este evento'), { of: 'events' }),
  ),
  event: filter(
    'ofEvent',
    integer(say('El mateix que post', 'The same as post', 'Lo mismo que post'), { of: 'events' }),
  ),
  slug: filter('equals', text(say('Termes amb aquest slug', 'Terms with this slug', 'Términos con este slug')), {
    target: 'slug',
  }),
})
