import { filter } from './filter.ts'
import { integer } from './kinds/number-kinds.ts'
import { say } from './languages.ts'
import { defineResource } from './resource.ts'
import { notCleared } from './site-field.ts'
import { termFields, termFilters } from './terms.ts'

/** What events are about; a category can stand below another one. */
export const categories = defineResource({
  name: 'categories',
  singular: 'category',
  words: say('Categories d’actes', 'Event categories', 'Categorías de eventos'),
  keys: ['id'],
  wordpress: 'tribe_events_cat',
  title: 'name',
  trashable: false,
  fields: {
    ...termFields,
    parent: integer(say('ID de la categoria mare', 'ID of the parent category', 'ID de la categoría madre'), {
      of: 'categories',
      site: { key: 'parent', cannot: notCleared('choose another parent, or take it off in WordPress') },
    }),
  },
  required: ['name'],
  columns: ['id', 'name', 'slug', 'parent', 'count'],
  filters: {
    ...termFilters('categories'),
    parent: filter(
      'equals',
      integer(say('Filles d’aquesta categoria', 'Children of this category', 'Hijas de esta categoría'), {
        of: 'categories',
      }),
      { target: 'parent' },
    ),
  },
  examples: {
    list: ['calctl categories list --no-hide-empty --orderby count --order desc'],
    get: ['calctl categories get 3'],
    create: ['calctl categories create --name "Música"', 'calctl categories create --name "Jazz" --parent 1'],
    update: ['calctl categories update 3 --description "Concerts i recitals"'],
    merge: ['calctl categories merge 3 8'],
    edit: ['calctl categories edit 3'],
    delete: ['calctl categories delete 3 --yes'],
  },
})
