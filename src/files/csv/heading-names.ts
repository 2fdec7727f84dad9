/**
 * The columns that headings stand for: fields by their names in calctl, headings of the importer, words of the contract, and what people
 * write. Headings are compared without case, accents, blanks, punctuation and articles.
 */

import { memoize } from '../../base/memoize.ts'
import { foldCase } from '../../base/text/folding.ts'
import { nearest, smallWords, typos } from '../../base/text/similarity.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { type Language, languages } from '../../contract/languages.ts'
import { writtenHeading } from '../../contract/posts.ts'
import { type Resource, writableFields } from '../../contract/resource.ts'
import { leafletHeadings } from './leaflet-headings.ts'

/** Columns that are about a record but are not fields. */
export const recordColumns: ReadonlySet<string> = new Set([
  'id',
  'resource',
  'lang_code',
  'action',
  'origin',
  'image_alt',
])

/** A heading in the form for comparing: `datainici` for both `Data d’inici` and `DATA_INICI:`. */
export const foldHeading = (heading: string): string => headingWords(heading).join('')

/** The same without the name of the resource: `Hide From Event Listings` is `hidefromlistings`. */
const foldWithout = (heading: string, { name, singular }: Resource): string =>
  headingWords(heading)
    .filter(word => word !== singular && !(name === 'events' && wordsForEvents.has(word)))
    .join('')

const wordsForEvents: ReadonlySet<string> = new Set(
  'acte activitat esdeveniment espectacle evento acto actividad espectaculo activity'.split(' '),
)

const headingWords = (heading: string): string[] =>
  foldCase(heading)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => !smallWords.has(word))

/** `Start date` as `start_date` */
export const headingAsName = (heading: string): string =>
  heading
    .replace(/^\uFEFF/, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(/[ -]/g, '_')

/** Whether a heading is a path into a linked record, as lists print it: `venue.city`. Such columns are not fields. */
const isPath = (heading: string): boolean => /^\s*\w+(\.\w+)+\s*$/.test(heading)

/** A column with a heading that stands for it. */
interface KnownHeading {
  readonly heading: string
  readonly column: string
}

/** Headings and their columns; the meaning that comes first counts. */
function* meaningsOf(resource: Resource): Generator<readonly [heading: string, column: string]> {
  const names = Object.keys(resource.fields)
  for (const name of recordColumns) yield [name, name]
  for (const name of names) yield [writtenHeading(name), name]
  // Only events have another date than that of their publication.
  if (resource.name !== 'events') for (const name of names) yield [name, name]
  yield* Object.entries(importerColumns(resource))
  for (const [column, headings] of Object.entries(headingAliases[resource.name]))
    for (const heading of headings.split(',')) yield [heading.trim(), column]
  // `Categories: ID, slug o nom`
  for (const [name, { words }] of writableFields(resource))
    for (const text of Object.values(words)) yield [text.split(':')[0] ?? '', name]
}

const importerColumns = ({ name }: Resource): Readonly<Record<string, string>> =>
  importerSheets.find(({ resource }) => resource === name)?.columns ?? {}

/** The columns of a resource's sheets. */
const headingsOf = memoize(name => {
  const resource = resourceNamed(name as ResourceName)
  const columns = new Map<string, KnownHeading>()
  const add = (heading: string, column: string, folded = foldHeading(heading)) => {
    if (folded !== '' && !columns.has(folded)) columns.set(folded, { heading, column })
  }
  for (const [heading, column] of meaningsOf(resource)) add(heading, column)
  const bare = Object.entries(name === 'events' ? importerColumns(resource) : {})
  for (const [heading, column] of bare) add(heading, column, foldWithout(heading, resource))
  // By folded headings; those of the importer in the form of `foldWithout`.
  return { columns, importer: new Set(bare.map(([heading]) => foldWithout(heading, resource))) }
})

/** The column for a heading in a sheet of this resource: a field, a part of one such as `start_date.day`, or `id`. */
export function columnNamed(heading: string, resource: Resource): string | undefined {
  if (isPath(heading)) return undefined
  const { columns, importer } = headingsOf(resource.name)
  const found = columns.get(foldHeading(heading))
  if (found || importer.size === 0) return found?.column
  const bare = foldWithout(heading, resource)
  const hasWordForEvents = headingWords(heading).some(word => wordsForEvents.has(word))
  return importer.has(bare) || hasWordForEvents ? columns.get(bare)?.column : undefined
}

/** A known heading that this one was probably meant to be, and its column. */
export function nearHeading(heading: string, resource: Resource): KnownHeading | undefined {
  const folded = foldHeading(heading)
  if (isPath(heading) || folded.length < 4) return undefined
  const { columns } = headingsOf(resource.name)
  // The number may be that of the venue or of somebody else.
  if (resource.name === 'events' && isPhoneHeading(heading)) return { heading: 'Venue phone', column: 'place.phone' }
  const isLong = folded.length > 7
  const isMisspelt = (known: string, wrong: number) =>
    Math.abs(known.length - folded.length) <= wrong && known.length > 3 && typos(folded, known) === wrong
  for (const wrong of isLong ? [1, 2] : [1]) {
    const meant = [...columns].find(([known]) => isMisspelt(known, wrong))
    if (meant) return meant[1]
  }
  const bare = columns.get(foldWithout(heading, resource))
  // An ID under `Event ID` belongs to another calendar.
  if (bare && !recordColumns.has(bare.column)) return bare
  const field = isLong ? nearest(headingAsName(heading), Object.keys(resource.fields)) : undefined
  if (field !== undefined) return { heading: field, column: field }
  const mayHide = resource.fields.status !== undefined && hidingHeading.test(folded)
  return mayHide ? { heading: 'Private', column: 'status.private' } : undefined
}

/** Whether a heading means a phone number of anybody. */
export const isPhoneHeading = (heading: string): boolean =>
  phone.split(',').some(word => foldHeading(word) === foldHeading(heading))

/** Whether a column holds a part of a field, such as `start_date.day`. */
export const isFieldPart = (name: string): boolean => parts.has(name)

/** The column of a sheet for translators that tells which text a row has. */
export const textIdHeading = 'text_id'

/** Whether a sheet has texts for translators, not records. */
export const isTextSheet = (headings: readonly string[]): boolean =>
  headings.some(heading => headingAsName(heading) === textIdHeading)

/** Whether a text is a heading of the sheets of any resource, or of sheets for translators. */
export const isKnownHeading = (text: string): boolean =>
  resources.some(resource => columnNamed(text, resource) !== undefined) || isTextSheet([text])

/**
 * What people call the columns of their sheets in Catalan, Spanish and English, besides the words of the contract and the headings of the
 * importer. Case, accents, blanks, punctuation and articles are ignored: `Data d’inici` is `data inici`. `start_date.at` is a column that
 * may contain a day, a time or both.
 */
type Aliases = Readonly<Record<string, string>>

const description = `descripció, text, contingut, detalls, sinopsi,
    descripción, texto, contenido, detalles, sinopsis,
    de què va, de qué va, details, content, body, synopsis, about, what is it about`

const phone = 'telèfon, teléfono, tel, phone, telephone'

const ofPosts = {
  description,
  website: 'web, pàgina web, lloc web, enllaç, página web, sitio web, enlace, web page, web site, link',
  image: 'imatge, foto, fotografia, cartell, imagen, fotografía, cartel, picture, photo, poster',
  image_alt: 'text alternatiu, texto alternativo, alt, alt text, alternative text',
  // Marks that hide a record, and `public` ones that do not.
  'status.private': `privat, privada, ocult, oculta, amagat, intern, secret,
    privado, oculto, interno, secreto, private, is private, hidden, internal`,
  'status.sensitivity': `confidencialitat, visibilitat, confidencialidad, visibilidad,
    sensitivity, visibility, confidentiality`,
  'status.draft': `no publicar, no publicat, no publicada, no publiqueu, esborrany, no publicado, borrador,
    do not publish, don’t publish, not published, unpublished, draft`,
  'status.public': `publicar, publicat, publicada, és públic, visible, publicado, es público,
    publish, published, is public, mostrar, es mostra, se muestra, shown, actiu, activa, activo, active, is active`,
  // A mark only if it says yes or no: it may be an audience.
  'status.audience': 'públic, pública, público, public',
} satisfies Aliases

/** A heading that may be about such a mark. */
const hidingHeading = /privad|privat|ocult|amaga|hidden|hide|secret[ao]?$|confiden|n[to]*publi|unpubli|intern[ao]?l?$/

const events: Aliases = {
  ...ofPosts,
  title: `títol, títol acte, nom, nom acte, acte, activitat, esdeveniment, espectacle,
    título evento, nombre, nombre evento, evento, acto, actividad, espectáculo,
    name, event, event title, activity, subject`,
  'start_date.day': `data, data inici, data acte, data i hora, dia, dies, dates, dia inici,
    fecha, fechas, fecha inicio, fecha evento, fecha y hora, día, días, día inicio,
    date, day, days, start day, event date, date and time`,
  'start_date.time': `hora, hora inici, hora acte, horari, hora inicio, hora evento, horario, time, start time, hour`,
  'start_date.at': 'inici, comença, començament, inicio, comienzo, empieza, start, starts, begins',
  'end_date.day': `data fi, data final, data finalització, data acabament, dia fi, dia final,
    fecha fin, fecha final, fecha finalización, día fin, día final, end day`,
  'end_date.time': `hora fi, hora final, hora finalització, hora acabament, hora fin, hora finalización,
    end time, finish time`,
  'end_date.at': 'fi, final, acaba, acabament, fin, termina, acaba, end, ends, finish',
  'end_date.length': 'durada, duració, duración, duration, length',
  timezone: 'fus horari, zona horària, huso horario, zona horaria, time zone',
  all_day: 'tot el dia, dia sencer, todo el día, día completo, all day',
  'venue.name': `lloc, lloc acte, on, on es fa, on té lloc, espai, sala, recinte, ubicació, localització,
    lugar, lugar evento, dónde, dónde se hace, espacio, recinto, ubicación, localización,
    on serà, dónde es, dónde será, place, location, venue name, where, where is it`,
  'place.address': `adreça, adreça lloc, carrer, dirección, dirección lugar, calle,
    address, venue address, street, street address`,
  'place.city': `població, ciutat, municipi, localitat, ciudad, población, municipio, localidad,
    city, town, venue city`,
  'place.zip': 'codi postal, cp, código postal, zip, zip code, postcode, venue zip, venue postal code',
  'place.phone': 'telèfon lloc, teléfono lugar, venue phone',
  'organizer.names': `organitza, organitzador, organitzadora, organitzadors, organització, entitat,
    organiza, organizador, organizadora, organizadores, organización, entidad,
    organizers, organiser, organisers, organized by, organised by, host, hosts`,
  'categories.names': `categoria, tipus, tipus acte, categoría, categorías, tipo, tipo evento, category, event type`,
  'tags.names': 'etiquetes, etiqueta, paraules clau, etiquetas, palabras clave, tag, keywords, labels',
  cost: `preu, preus, tarifa, tarifes, entrada, import, precio, precios, coste, tarifas, importe,
    price, prices, fee, admission`,
  excerpt: 'extracte, resum, entradeta, extracto, resumen, entradilla, abstract',
  // Other calendars’ exports have the page of an event there; `URL` alone may be our own.
  website: `${ofPosts.website}, event url, url acte, url evento`,
  status: 'estat, estat acte, situació, estado, estado evento, situación, state',
  // A mark in such a column says that the event does not take place as announced.
  'status.canceled': `cancel·lat, cancel·lada, cancelat, anul·lat, suspès,
    cancelado, cancelada, anulado, suspendido, cancelled, canceled`,
  'status.postponed': 'ajornat, ajornada, aplazado, aplazada, postponed',
  featured: 'destacat, destacada, destacado',
}

const venues: Aliases = {
  ...ofPosts,
  venue: `nom, nom lloc, espai, lloc, sala, recinte, nombre, nombre espacio, espacio, lugar, recinto, name, place`,
  address: 'adreça, carrer, domicili, dirección, calle, domicilio, street',
  city: 'població, ciutat, municipi, localitat, ciudad, población, municipio, localidad, town',
  zip: 'codi postal, cp, código postal, postcode, zip code',
  phone,
}

const organizers: Aliases = {
  ...ofPosts,
  organizer: `nom, entitat, organitzador, organitza, organització,
    nombre, entidad, organizador, organiza, organización, name, organiser`,
  email: 'correu, correu electrònic, correo, correo electrónico, e-mail, mail',
  phone,
}

const terms: Aliases = { name: 'nom, nombre', description }

const headingAliases: Readonly<Record<ResourceName, Aliases>> = {
  events,
  venues,
  organizers,
  categories: { ...terms, parent: 'categoria mare, categoría madre, parent category' },
  tags: terms,
}

/**
 * The columns of The Events Calendar's importer by their headings. Its manual also has them in capitals, and some without `Event`.
 * `start_date.day` is a part of a field that has several columns; `.name` and `.names` are records by name, never by ID.
 */
const eventColumns = {
  'Event Name': 'title',
  'Event Description': 'description',
  'Event Excerpt': 'excerpt',
  'Event Start Date': 'start_date.day',
  'Event Start Time': 'start_date.time',
  'Event End Date': 'end_date.day',
  'Event End Time': 'end_date.time',
  'Event Timezone': 'timezone',
  'All Day Event': 'all_day',
  'Hide Event From Event Listings': 'hide_from_listings',
  'Event Hide From Upcoming Listings': 'hide_from_listings',
  'Event Sticky in Month View': 'sticky',
  'Feature Event': 'featured',
  'Featured Event': 'featured',
  'Event Venue Name': 'venue.name',
  'Event Organizer Name': 'organizer.names',
  // A heading that allows IDs.
  'Event Organizer Name(s) or ID(s)': 'organizer',
  'Event Show Map Link': 'show_map_link',
  'Event Show Map': 'show_map',
  'Event Cost': 'cost.amount',
  'Event Currency Symbol': 'cost.symbol',
  'Event Currency Position': 'cost.position',
  'Event ISO Currency Code': 'cost.code',
  'Event Category': 'categories.names',
  'Event Categories': 'categories.names',
  'Event Tags': 'tags.names',
  'Event Website': 'website',
  'Event Featured Image': 'image',
}

const venueColumns = {
  'Venue Name': 'venue',
  'Venue Description': 'description',
  'Venue Country': 'country',
  'Venue Address': 'address',
  'Venue Address 2': 'address.more',
  'Venue City': 'city',
  'Venue State/Province': 'stateprovince',
  'Venue Zip': 'zip',
  'Venue Phone': 'phone',
  'Venue Website': 'website',
  'Venue Featured Image': 'image',
}

const organizerColumns = {
  'Organizer Name': 'organizer',
  'Organizer Description': 'description',
  'Organizer Email': 'email',
  'Organizer Website': 'website',
  'Organizer Phone': 'phone',
  'Organizer Featured Image': 'image',
}

/** A kind of sheet for The Events Calendar's importer. */
interface ImporterSheet {
  readonly resource: ResourceName
  readonly columns: Readonly<Record<string, string>>
  /** The heading that every sheet of this kind has. */
  readonly title: string
  /** The fields by which the importer identifies existing records. */
  readonly match: readonly string[]
}

export const importerSheets: readonly ImporterSheet[] = [
  { resource: 'events', columns: eventColumns, title: 'Event Name', match: ['title', 'start_date', 'end_date'] },
  { resource: 'venues', columns: venueColumns, title: 'Venue Name', match: ['venue'] },
  { resource: 'organizers', columns: organizerColumns, title: 'Organizer Name', match: ['organizer'] },
]

const parts: ReadonlySet<string> = new Set(
  [...importerSheets.map(({ columns }) => columns), ...Object.values(headingAliases)]
    .flatMap(columns => [...Object.keys(columns), ...Object.values(columns)])
    .filter(name => /^[a-z_]+\.[a-z]+$/.test(name)),
)

/** The language of most headings in a sheet; undefined if no language has the most, and for calctl's own names. */
export function languageOfHeadings(headings: readonly string[]): Language | undefined {
  const written = headings.filter(heading => !isOwnName(heading)).map(foldHeading)
  const counts = languages.map(language => {
    const words = wordsOf(language)
    return { language, count: written.filter(heading => words.has(heading)).length }
  })
  const [most, second] = counts.toSorted((one, other) => other.count - one.count)
  return most && second && most.count > second.count ? most.language : undefined
}

const isOwnName = (heading: string): boolean =>
  heading === headingAsName(heading) &&
  (recordColumns.has(heading) ||
    resources.some(({ fields }) => Object.keys(fields).some(name => writtenHeading(name) === heading)))

/** The usual headings of a language, and its words for fields: `Categories: ID, slug o nom`. */
const wordsOf = (language: Language): Set<string> => {
  const fields = resources.flatMap(resource => Object.values(resource.fields))
  return new Set(
    [...leafletHeadings(language), ...fields.map(({ words }) => words[language].split(':')[0] ?? '')].map(foldHeading),
  )
}
