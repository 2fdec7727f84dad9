import { termFilters } from './common-filters.ts'
import { filter } from './filter.ts'
import { integer } from './kinds/number-kinds.ts'
import { slug, text } from './kinds/text-kinds.ts'
import { say } from './languages.ts'
import { defineResource } from './resource.ts'
import { parentCannotBeCleared, textCannotBeCleared } from './restrictions.ts'

const termFields = {
  name: text(say('Nom', 'Name', 'Nombre'), {
    nonEmpty: 'name',
    example: 'Jazz',
    acrossLanguages: 'text',
    site: { key: 'name' },
  }),
  description: text(say('Descripció', 'Description', 'Descripción'), {
    acrossLanguages: 'text',
    site: { key: 'description', cannot: textCannotBeCleared },
  }),
  slug: slug({ key: 'slug' }),
}

export const tags = defineResource({
  name: 'tags',
  singular: 'tag',
  words: say('Etiquetes d’esdeveniments', 'Event tags', 'Etiquetas de eventos'),
  keys: ['id'],
  wordpress: 'tags',
  title: 'name',
  trashable: false,
  fields: termFields,
  required: ['name'],
  columns: ['id', 'name', 'slug', 'count'],
  filters: termFilters('tags'),
})

/** Categories form a tree. */
export const categories = defineResource({
  name: 'categories',
  singular: 'category',
  words: say('Categories d’esdeveniments', 'Event categories', 'Categorías de eventos'),
  keys: ['id'],
  wordpress: 'tribe_events_cat',
  title: 'name',
  trashable: false,
  fields: {
    ...termFields,
    parent: integer(say('ID de la categoria superior', 'ID of the parent category', 'ID de la categoría superior'), {
      of: 'categories',
      site: { key: 'parent', cannot: parentCannotBeCleared },
    }),
  },
  required: ['name'],
  columns: ['id', 'name', 'slug', 'parent', 'count'],
  filters: {
    ...termFilters('categories'),
    parent: filter(
      'equals',
      integer(
        say('Subcategories d’aquesta categoria', 'Children of this category', 'Subcategorías de esta categoría'),
        { of: 'categories' },
      ),
      { target: 'parent' },
    ),
  },
})
