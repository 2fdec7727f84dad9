import { placeFilters } from './common-filters.ts'
import { email, text, url } from './kinds/text-kinds.ts'
import { say } from './languages.ts'
import { featuredImage, nameOfPlace, placeFields } from './posts.ts'
import { defineResource } from './resource.ts'

export const organizers = defineResource({
  name: 'organizers',
  singular: 'organizer',
  words: say('Organitzadors', 'Organizers', 'Organizadores'),
  keys: ['id', 'slug'],
  wordpress: 'tribe_organizer',
  title: 'organizer',
  trashable: true,
  fields: {
    organizer: text(say('Nom de l’organitzador', 'Organizer name', 'Nombre del organizador'), {
      ...nameOfPlace,
      example: 'Ajuntament',
    }),
    ...placeFields,
    phone: text(say('Telèfon', 'Phone number', 'Teléfono'), { default: null, site: { key: 'meta._OrganizerPhone' } }),
    website: url(say('Web', 'Website', 'Web'), { default: null, site: { key: 'meta._OrganizerWebsite' } }),
    email: email(say('Adreça electrònica', 'E-mail address', 'Correo electrónico'), {
      default: null,
      site: { key: 'meta._OrganizerEmail' },
    }),
    image: { ...featuredImage, default: null },
  },
  required: ['organizer'],
  columns: ['id', 'organizer', 'email', 'phone', 'status'],
  filters: placeFilters(
    say('Organitzadors d’aquest esdeveniment', 'Organizers of this event', 'Organizadores de este evento'),
  ),
})
