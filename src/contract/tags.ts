import { text } from './field.ts'
import { defineResource } from './resource.ts'
import { termFilters } from './terms.ts'
import { say } from './words.ts'

export const tags = defineResource({
  name: 'tags',
  singular: 'tag',
  words: say('Etiquetes d’actes', 'Event tags', 'Etiquetas de eventos'),
  keys: ['id'],
  title: 'name',
  trashable: false,
  fields: {
    name: text(say('Nom', 'Name', 'Nombre'), { filled: true }),
    description: text(say('Descripció', 'Description', 'Descripción')),
    slug: text(say('Identificador a l’URL', 'Name in URLs', 'Identificador en la URL')),
  },
  required: ['name'],
  columns: ['id', 'name', 'slug', 'count'],
  filters: termFilters('tags'),
  examples: {
    list: ['calctl tags list --no-hide-empty'],
    get: ['calctl tags get 2'],
    create: ['calctl tags create --name "Open air"'],
    update: ['calctl tags update 2 --name "Outdoors"'],
    edit: ['calctl tags edit 2'],
    delete: ['calctl tags delete 2 --yes'],
  },
})
