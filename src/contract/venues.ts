import { boolean, text, url } from './field.ts'
import { say } from './languages.ts'
import { author, date, dateUtc, featuredImage, placeFilters, status } from './posts.ts'
import { defineResource } from './resource.ts'

/** Where events are. */
export const venues = defineResource({
  name: 'venues',
  singular: 'venue',
  words: say('Espais', 'Venues', 'Lugares'),
  keys: ['id', 'slug'],
  title: 'venue',
  trashable: true,
  fields: {
    venue: text(say('Nom de l’espai', 'Venue name', 'Nombre del lugar'), {
      nonEmpty: true,
      example: 'Teatre Principal',
    }),
    author,
    date,
    date_utc: dateUtc,
    description: text(say('Descripció', 'Description', 'Descripción'), { default: null }),
    status: { ...status, preserved: true },
    show_map: boolean(say('Els seus actes mostren un mapa', 'Its events show a map', 'Sus eventos muestran un mapa'), {
      asText: true,
      default: null,
      initial: true,
      preserved: true,
    }),
    show_map_link: boolean(
      say(
        'Els seus actes mostren un enllaç al mapa',
        'Its events show a link to a map',
        'Sus eventos muestran un enlace al mapa',
      ),
      {
        asText: true,
        default: null,
        initial: true,
        preserved: true,
      },
    ),
    address: text(say('Adreça', 'Street address', 'Dirección'), { default: null }),
    city: text(say('Població', 'City', 'Población'), { default: null }),
    country: text(say('País', 'Country', 'País'), { default: null }),
    province: text(say('Província', 'Province', 'Provincia'), { default: null, affects: ['stateprovince'] }),
    state: text(say('Estat', 'State', 'Estado'), { default: null, affects: ['stateprovince'] }),
    zip: text(say('Codi postal', 'Postal code', 'Código postal'), { default: null }),
    phone: text(say('Telèfon', 'Phone number', 'Teléfono'), { default: null }),
    stateprovince: text(say('Estat o província', 'State or province', 'Estado o provincia'), {
      default: null,
      preserved: true,
      affects: ['state', 'province'],
    }),
    website: url(say('Web', 'Website', 'Web'), { default: null }),
    image: { ...featuredImage, default: null, preserved: true },
  },
  required: ['venue'],
  columns: ['id', 'venue', 'address', 'city', 'status'],
  filters: placeFilters(say('Espais d’aquest acte', 'Venues of this event', 'Lugares de este evento')),
  examples: {
    list: ['calctl venues list --search Girona', 'calctl venues list --only-with-upcoming'],
    get: ['calctl venues get teatre-principal'],
    create: ['calctl venues create --venue "Teatre Principal" --city Girona'],
    update: ['calctl venues update 7 --phone "+34 972 000 000"'],
    edit: ['calctl venues edit 7'],
    restore: ['calctl venues restore 7', 'calctl venues restore 7 --status publish'],
    delete: ['calctl venues delete 7 --yes'],
  },
})
