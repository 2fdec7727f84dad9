import { statusFilter } from './common-filters.ts'
import { eventStatuses } from './event-status.ts'
import { after, before, filter, from, search, until } from './filter.ts'
import { mark } from './kinds/choice-kinds.ts'
import { cost } from './kinds/cost-kind.ts'
import { dateTime } from './kinds/date-kind.ts'
import { ids, posts, terms } from './kinds/link-kinds.ts'
import { boolean, integer, number } from './kinds/number-kinds.ts'
import { costAsShown } from './kinds/site-costs.ts'
import { slug, text, timeZone, url } from './kinds/text-kinds.ts'
import { say } from './languages.ts'
import { author, date, dateUtc, featuredImage, status } from './posts.ts'
import { defineResource } from './resource.ts'
import { notTaken, onlyForEditors, onlyInWordPress, textCannotBeCleared, venueCannotBeCleared } from './restrictions.ts'

export const events = defineResource({
  name: 'events',
  singular: 'event',
  words: say('Esdeveniments', 'Events', 'Eventos'),
  keys: ['id', 'slug'],
  wordpress: 'tribe_events',
  title: 'title',
  trashable: true,
  fields: {
    title: text(say('Títol', 'Title', 'Título'), { nonEmpty: 'name', acrossLanguages: 'text', site: { key: 'title' } }),
    start_date: dateTime(say('Data i hora d’inici', 'Start date and time', 'Fecha y hora de inicio'), {
      nonEmpty: true,
      site: { key: 'meta._EventStartDate', onlyBy: 'events', resets: true },
    }),
    end_date: dateTime(say('Data i hora de final', 'End date and time', 'Fecha y hora de fin'), {
      nonEmpty: true,
      site: { key: 'meta._EventEndDate', onlyBy: 'events', resets: true },
    }),
    author,
    date: { ...date, site: { ...date.site, resets: true } },
    date_utc: dateUtc,
    description: text(say('Descripció', 'Description', 'Descripción'), {
      acrossLanguages: 'text',
      site: { key: 'content', cannot: textCannotBeCleared },
    }),
    slug: slug({ key: 'slug' }),
    excerpt: text(say('Extracte', 'Excerpt', 'Extracto'), {
      acrossLanguages: 'text',
      site: { key: 'excerpt', cannot: textCannotBeCleared },
    }),
    status,
    timezone: timeZone(say('Zona horària de l’esdeveniment', 'Time zone of the event', 'Zona horaria del evento'), {
      site: { key: 'meta._EventTimezone', onlyBy: 'events', resets: true },
    }),
    all_day: boolean(say('Dura tot el dia', 'Lasts the whole day', 'Dura todo el día'), {
      default: false,
      affects: ['start_date', 'end_date'],
      site: { key: 'meta._EventAllDay', onlyBy: 'events', resets: true },
    }),
    image: featuredImage,
    cost: cost(say('Preu', 'Cost', 'Precio'), { site: { key: 'meta._EventCost', resets: true, cannot: costAsShown } }),
    website: url(say('Web de l’esdeveniment', 'Website of the event', 'Web del evento'), {
      default: null,
      site: { key: 'meta._EventURL', resets: true, emptyAs: 'url' },
    }),
    show_map: boolean(say('Mostra un mapa', 'Show a map', 'Muestra un mapa'), {
      site: { key: 'meta._EventShowMap', resets: true },
    }),
    show_map_link: boolean(say('Mostra un enllaç al mapa', 'Show a link to a map', 'Muestra un enlace al mapa'), {
      site: { key: 'meta._EventShowMapLink', resets: true },
    }),
    hide_from_listings: boolean(
      say('Amaga l’esdeveniment de les llistes', 'Hide the event from lists', 'Oculta el evento en las listas'),
      { site: { resets: true } },
    ),
    sticky: boolean(
      say('Fixa l’esdeveniment al calendari', 'Pin the event in the calendar', 'Fija el evento en el calendario'),
      { site: { resets: true } },
    ),
    featured: boolean(say('Destaca l’esdeveniment', 'Featured event', 'Destaca el evento'), { site: { resets: true } }),
    categories: terms(
      'categories',
      say('Categories: ID, slug o nom', 'Categories: IDs, slugs or names', 'Categorías: ID, slug o nombre'),
      { default: null, site: { key: 'tribe_events_cat' } },
    ),
    tags: terms('tags', say('Etiquetes: ID, slug o nom', 'Tags: IDs, slugs or names', 'Etiquetas: ID, slug o nombre'), {
      default: null,
      site: { key: 'tags' },
    }),
    venue: posts(
      'venues',
      say('Lloc: ID, nom o un de nou', 'Venue: an ID, a name or a new one', 'Lugar: ID, nombre o uno nuevo'),
      {
        default: null,
        multiple: false,
        site: {
          key: 'meta._EventVenueID',
          cannot: venueCannotBeCleared,
        },
      },
    ),
    organizer: posts(
      'organizers',
      say(
        'Organitzadors: ID, noms o de nous',
        'Organizers: IDs, names or new ones',
        'Organizadores: ID, nombres o nuevos',
      ),
      { default: null, site: { key: 'meta._EventOrganizerID', resets: true } },
    ),
    event_status: mark(say('Estat de l’esdeveniment', 'Event status', 'Estado del evento'), eventStatuses, {
      site: { key: 'meta._tribe_events_status', apart: true, cannot: onlyInWordPress },
    }),
    event_status_reason: text(say('Motiu de l’estat', 'Reason of the event status', 'Motivo del estado'), {
      acrossLanguages: 'words',
      site: { key: 'meta._tribe_events_status_reason', apart: true, cannot: onlyInWordPress },
    }),
    cost_description: text(say('Descripció del preu', 'Description of the cost', 'Descripción del precio'), {
      acrossLanguages: 'words',
      site: { key: 'meta._EventCostDescription', apart: true, cannot: onlyForEditors },
    }),
    date_time_separator: text(
      say('Separador entre data i hora', 'Separator of date and time', 'Separador entre fecha y hora'),
      {
        acrossLanguages: 'own',
        site: { key: 'meta._EventDateTimeSeparator', apart: true, cannot: onlyForEditors },
      },
    ),
    time_range_separator: text(say('Separador entre hores', 'Separator of times', 'Separador entre horas'), {
      acrossLanguages: 'own',
      site: { key: 'meta._EventTimeRangeSeparator', apart: true, cannot: onlyForEditors },
    }),
    password: text(
      say(
        'Contrasenya que obre l’esdeveniment',
        'Password needed to read a protected event',
        'Contraseña que abre el evento',
      ),
      { queryOnly: true, nonEmpty: true, inFiles: 'post_password', acrossLanguages: 'own' },
    ),
    post_password: text(
      say(
        'Contrasenya que protegeix l’esdeveniment',
        'Set the password of the event',
        'Contraseña que protege el evento',
      ),
      { secret: true, site: { key: 'password', onlyBy: 'patch', cannot: notTaken } },
    ),
  },
  required: ['title', 'start_date', 'end_date'],
  columns: ['id', 'start_date', 'title', 'venue', 'categories', 'status'],
  filters: {
    start_date: from(
      'start_date',
      'Comencen aquest dia o després; sense els que ja havien començat',
      'Start on this day or later; excludes events that began earlier',
      'Empiezan este día o después; sin los que ya habían empezado',
    ),
    end_date: until(
      'end_date',
      'Acaben aquest dia o abans; sense els que acaben més tard',
      'End on this day or earlier; excludes events that end later',
      'Terminan este día o antes; sin los que terminan más tarde',
    ),
    starts_before: before(
      'start_date',
      'Comencen abans del final d’aquest dia',
      'Start before the end of this day',
      'Empiezan antes del final de este día',
    ),
    starts_after: after(
      'start_date',
      'Comencen després del final d’aquest dia',
      'Start after the end of this day',
      'Empiezan después del final de este día',
    ),
    ends_before: before(
      'end_date',
      'Acaben abans del final d’aquest dia',
      'End before the end of this day',
      'Terminan antes del final de este día',
    ),
    ends_after: after(
      'end_date',
      'Acaben després del final d’aquest dia',
      'End after the end of this day',
      'Terminan después del final de este día',
    ),
    strict_dates: filter(
      'setting',
      boolean(
        say(
          'Als filtres de dates, compta l’hora exacta i no el dia sencer',
          'In date filters, compare with the time, not with the end of the day',
          'En los filtros de fechas, cuenta la hora exacta y no el día entero',
        ),
        { default: false },
      ),
    ),
    search: search(
      'Text al títol o a la descripció',
      'Text in the title or description',
      'Texto en el título o la descripción',
    ),
    categories: filter(
      'anyOf',
      terms(
        'categories',
        say('D’alguna d’aquestes categories', 'In any of these categories', 'De alguna de estas categorías'),
      ),
      { target: 'categories' },
    ),
    tags: filter(
      'anyOf',
      terms('tags', say('Amb alguna d’aquestes etiquetes', 'With any of these tags', 'Con alguna de estas etiquetas')),
      { target: 'tags' },
    ),
    venue: filter(
      'anyOf',
      ids(say('En algun d’aquests llocs', 'At any of these venues', 'En alguno de estos lugares'), { of: 'venues' }),
      { target: 'venue' },
    ),
    organizer: filter(
      'anyOf',
      ids(say('D’algun d’aquests organitzadors', 'By any of these organizers', 'De alguno de estos organizadores'), {
        of: 'organizers',
      }),
      { target: 'organizer' },
    ),
    featured: filter(
      'equals',
      boolean(
        say(
          'Només els destacats, o els que no ho són',
          'Only featured events (false: only others)',
          'Solo los destacados, o los que no lo son',
        ),
      ),
      { target: 'featured' },
    ),
    status: filter('status', statusFilter, { target: 'status' }),
    geoloc: filter(
      'located',
      boolean(
        say(
          'Amb coordenades del lloc, o sense',
          'With or without venue coordinates',
          'Con coordenadas del lugar, o sin ellas',
        ),
      ),
    ),
    geoloc_lat: filter('located', number(say('Latitud del lloc', 'Latitude of the venue', 'Latitud del lugar')), {
      requires: 'geoloc_lng',
    }),
    geoloc_lng: filter('located', number(say('Longitud del lloc', 'Longitude of the venue', 'Longitud del lugar')), {
      requires: 'geoloc_lat',
    }),
    include: filter(
      'include',
      ids(
        say(
          'Només aquests ID, sigui quina sigui la data',
          'Only these IDs, whatever their dates',
          'Solo estos ID, sea cual sea la fecha',
        ),
        { of: 'events' },
      ),
      { target: 'id' },
    ),
    post_parent: filter(
      'equals',
      integer(say('Esdeveniments que depenen d’aquest', 'Children of this event', 'Eventos que dependen de este'), {
        of: 'events',
      }),
    ),
    ticketed: filter(
      'ticketed',
      boolean(say('Amb entrades, o sense', 'With or without tickets', 'Con entradas, o sin ellas')),
    ),
  },
})
