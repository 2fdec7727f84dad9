import type { ResourceName } from './field.ts'
import { statuses } from './posts.ts'
import { languages, say, type Words } from './words.ts'

/** A JSON Schema, as plain data. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** What an answer holds: a schema for each of its keys, and the keys that are always there. */
export interface AnswerShape {
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
}

/** Where the OpenAPI document keeps a schema that others use. */
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const text = { type: 'string' }
const flag = { type: 'boolean' }
/** Null for those that may not see it. */
const veiledFlag = { type: ['boolean', 'null'] }
const id = { type: 'integer', minimum: 1 }
const count = { type: 'integer', minimum: 0 }
const unknownNumber = { type: ['integer', 'null'] }
const dateTime = { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$` }
const url = { type: 'string', format: 'uri' }
const list = (items: Schema): Schema => ({ type: 'array', items })
const language = { type: 'string', enum: languages }
const image = { oneOf: [{ const: false }, reference('Image')] }

const shape = (properties: Record<string, Schema>, optional: Record<string, Schema> = {}): AnswerShape => ({
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
})

const identity = { global_id: text, global_id_lineage: list(text) }

const post = {
  id,
  author: text,
  status: { type: 'string', enum: statuses },
  date: dateTime,
  date_utc: dateTime,
  modified: dateTime,
  modified_utc: dateTime,
  url,
}

const dates = Object.fromEntries(
  ['start_date', 'end_date', 'utc_start_date', 'utc_end_date'].flatMap(name => [
    [name, dateTime],
    [`${name}_details`, reference('DateDetails')],
  ]),
)

const event = shape({
  ...post,
  ...identity,
  rest_url: url,
  title: text,
  description: text,
  excerpt: text,
  slug: text,
  image,
  all_day: veiledFlag,
  ...dates,
  timezone: text,
  timezone_abbr: text,
  cost: text,
  cost_details: reference('CostDetails'),
  website: text,
  show_map: veiledFlag,
  show_map_link: veiledFlag,
  hide_from_listings: veiledFlag,
  sticky: veiledFlag,
  featured: veiledFlag,
  categories: list(reference('EmbeddedTerm')),
  tags: list(reference('EmbeddedTerm')),
  venue: { oneOf: [reference('Venue'), { type: 'array', maxItems: 0 }] },
  organizer: list(reference('Organizer')),
  custom_fields: { type: ['array', 'object'] },
  lang_code: language,
})

const venue = shape(
  { ...post, venue: text, slug: text, show_map: flag, show_map_link: flag, ...identity, lang_code: language },
  {
    ...Object.fromEntries(
      ['description', 'excerpt', 'address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website'].map(
        name => [name, text],
      ),
    ),
    stateprovince: text,
    image: reference('Image'),
    geo_lat: { type: 'number' },
    geo_lng: { type: 'number' },
  },
)

const organizer = shape(
  { ...post, organizer: text, slug: text, ...identity, lang_code: language },
  { description: text, excerpt: text, image: reference('Image'), phone: text, website: text, email: text },
)

const urls = {
  type: 'object',
  properties: { self: url, collection: url, up: url },
  required: ['self', 'collection'],
}

const tag = shape(
  {
    id,
    count,
    description: text,
    name: text,
    slug: text,
    taxonomy: text,
    meta: list({}),
    url,
    urls,
    lang_code: language,
  },
  { _links: { type: 'object' } },
)

const parent = { type: 'integer', minimum: 0 }

const category: AnswerShape = {
  properties: { ...tag.properties, parent },
  required: [...tag.required, 'parent'],
}

/** What a record of each resource is answered as. */
export const answers: Readonly<Record<ResourceName, AnswerShape>> = {
  events: event,
  venues: venue,
  organizers: organizer,
  categories: category,
  tags: tag,
}

/** What records hold, and how a refusal is answered. */
export const answerParts: Readonly<Record<string, AnswerShape>> = {
  Image: shape({
    url: { type: ['string', 'null'] },
    id,
    extension: { type: ['string', 'null'] },
    width: unknownNumber,
    height: unknownNumber,
    filesize: unknownNumber,
    sizes: { type: ['object', 'null'] },
  }),
  DateDetails: shape(
    Object.fromEntries(['year', 'month', 'day', 'hour', 'minutes', 'seconds'].map(name => [name, text])),
  ),
  CostDetails: shape({
    currency_symbol: text,
    currency_code: text,
    currency_position: { type: 'string', enum: ['', 'prefix', 'postfix'] },
    values: list(text),
  }),
  EmbeddedTerm: shape({
    name: text,
    slug: text,
    term_group: count,
    term_taxonomy_id: id,
    taxonomy: text,
    description: text,
    parent,
    count,
    filter: text,
    id,
    urls,
  }),
  Error: shape({
    code: text,
    message: text,
    data: {
      type: 'object',
      properties: {
        status: { type: 'integer' },
        params: { oneOf: [list(text), { type: 'object', additionalProperties: text }] },
      },
      required: ['status'],
    },
  }),
}

/** What keys of answers mean that are no fields. */
export const answerWords: Readonly<Record<string, Words>> = {
  id: say('Identificador', 'ID', 'Identificador'),
  global_id: say('Nom únic entre llocs', 'Name that is unique among sites', 'Nombre único entre sitios'),
  modified: say('Última modificació', 'Last change', 'Última modificación'),
  modified_utc: say('Última modificació en UTC', 'Last change in UTC', 'Última modificación en UTC'),
  url: say('Pàgina per a persones', 'Page for people', 'Página para personas'),
  rest_url: say('Adreça a l’API', 'Address in the API', 'Dirección en la API'),
  utc_start_date: say('Inici en UTC', 'Start in UTC', 'Inicio en UTC'),
  utc_end_date: say('Final en UTC', 'End in UTC', 'Fin en UTC'),
  timezone_abbr: say(
    'Abreviatura de la zona horària',
    'Abbreviation of the time zone',
    'Abreviatura de la zona horaria',
  ),
  cost_details: say('El preu desglossat', 'The cost in parts', 'El precio desglosado'),
  count: say(
    'Quants actes publicats el tenen',
    'How many published events have it',
    'Cuántos eventos publicados lo tienen',
  ),
  geo_lat: say('Latitud', 'Latitude', 'Latitud'),
  geo_lng: say('Longitud', 'Longitude', 'Longitud'),
  lang_code: say('Llengua del registre', 'Language of the record', 'Idioma del registro'),
}
