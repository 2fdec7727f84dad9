import { say } from './languages.ts'
import { defineResource } from './resource.ts'
import { termFields, termFilters } from './terms.ts'

/** Words that events are marked with. */
export const tags = defineResource({
  name: 'tags',
  singular: 'tag',
  words: say('Etiquetes d’actes', 'Event tags', 'Etiquetas de eventos'),
  keys: ['id'],
  wordpress: 'tags',
  title: 'name',
  trashable: false,
  fields: termFields,
  required: ['name'],
  columns: ['id', 'name', 'slug', 'count'],
  filters: termFilters('tags'),
  examples: {
    list: ['calctl tags list --no-hide-empty'],
    get: ['calctl tags get 2'],
    create: ['calctl tags create --name "Open air"'],
    update: ['calctl tags update 2 --name "Outdoors"'],
    merge: ['calctl tags merge 5 11 --dry-run'],
    edit: ['calctl tags edit 2'],
    delete: ['calctl tags delete 2 --yes'],
  },
})
