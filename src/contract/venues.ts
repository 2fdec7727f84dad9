import { placeFilters } from './common-filters.ts'
import { boolean } from './kinds/number-kinds.ts'
import { text, url } from './kinds/text-kinds.ts'
import { say } from './languages.ts'
import { featuredImage, nameOfPlace, placeFields } from './posts.ts'
import { defineResource } from './resource.ts'

export const venues = defineResource({
  name: 'venues',
  singular: 'venue',
  words: say('Llocs', 'Venues', 'Lugares'),
  keys: ['id', 'slug'],
  wordpress: 'tribe_venue',
  title: 'venue',
  trashable: true,
  fields: {
    venue: text(say('Nom del lloc', 'Venue name', 'Nombre del lugar'), { ...nameOfPlace, example: 'Teatre Principal' }),
    ...placeFields,
    show_map: boolean(
      say('Mostra un mapa als seus esdeveniments', 'Its events show a map', 'Muestra un mapa en sus eventos'),
      {
        asText: true,
        default: null,
        initial: true,
        site: { key: 'meta._VenueShowMap', resets: true },
      },
    ),
    show_map_link: boolean(
      say(
        'Mostra un enllaç al mapa als seus esdeveniments',
        'Its events show a link to a map',
        'Muestra un enlace al mapa en sus eventos',
      ),
      { asText: true, default: null, initial: true, site: { key: 'meta._VenueShowMapLink', resets: true } },
    ),
    address: text(say('Adreça', 'Street address', 'Dirección'), { default: null, site: { key: 'meta._VenueAddress' } }),
    city: text(say('Població', 'City', 'Población'), { default: null, site: { key: 'meta._VenueCity' } }),
    country: text(say('País', 'Country', 'País'), {
      default: null,
      acrossLanguages: 'text',
      site: { key: 'meta._VenueCountry' },
    }),
    province: text(say('Província', 'Province', 'Provincia'), {
      default: null,
      affects: ['stateprovince'],
      site: { key: 'meta._VenueProvince' },
    }),
    state: text(say('Estat', 'State', 'Estado'), {
      default: null,
      affects: ['stateprovince'],
      site: { key: 'meta._VenueState' },
    }),
    zip: text(say('Codi postal', 'Postal code', 'Código postal'), { default: null, site: { key: 'meta._VenueZip' } }),
    phone: text(say('Telèfon', 'Phone number', 'Teléfono'), { default: null, site: { key: 'meta._VenuePhone' } }),
    stateprovince: text(say('Estat o província', 'State or province', 'Estado o provincia'), {
      default: null,
      affects: ['state', 'province'],
      site: { key: 'meta._VenueStateProvince', resets: true },
    }),
    website: url(say('Web', 'Website', 'Web'), { default: null, site: { key: 'meta._VenueURL' } }),
    image: { ...featuredImage, default: null },
  },
  required: ['venue'],
  columns: ['id', 'venue', 'address', 'city', 'status'],
  filters: placeFilters(say('Llocs d’aquest esdeveniment', 'Venues of this event', 'Lugares de este evento')),
})
