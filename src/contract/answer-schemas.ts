import { events } from './events.ts'
import type { Fields, ResourceName, Schema, ValueShape } from './field.ts'
import { languages, say, type Words } from './languages.ts'
import { organizers } from './organizers.ts'
import { statuses } from './post-status.ts'
import type { Resource } from './resource.ts'
import { categories, tags } from './terms.ts'
import { venues } from './venues.ts'

/** The schema of an object in answers, by key, and the keys that are always present. */
export interface AnswerShape {
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
}

export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const text = { type: 'string' }
/** Null for users who may not see it. */
const hiddenFlag = { type: ['boolean', 'null'] }
const id = { type: 'integer', minimum: 1 }
const count = { type: 'integer', minimum: 0 }
const unknownNumber = { type: ['integer', 'null'] }
const dateTime = { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$` }
const url = { type: 'string', format: 'uri' }
const list = (items: Schema): Schema => ({ type: 'array', items })
const language = { type: 'string', enum: languages }

/** The schemas of a resource's fields; `special` overrides those of shapes that the resource answers in another form. */
const schemasOf = ({ fields }: { readonly fields: Fields }, special: Partial<Record<ValueShape, Schema>> = {}) =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { queryOnly, secret }]) => !queryOnly && !secret)
      .map(([name, field]) => [name, special[field.kind.shape] ?? field.kind.answerSchema(field)]),
  )

/** An answer has all properties except the optional ones. */
const shape = (properties: Record<string, Schema>, optional: readonly string[] = []): AnswerShape => ({
  properties,
  required: Object.keys(properties).filter(name => !optional.includes(name)),
})

const identity = { global_id: text, global_id_lineage: list(text) }

/** The keys of posts that do not follow from their fields. */
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
  ...schemasOf(events, { flag: hiddenFlag }),
  ...post,
  ...identity,
  rest_url: url,
  ...dates,
  timezone_abbr: text,
  cost_details: reference('CostDetails'),
  custom_fields: { type: ['array', 'object'] },
  lang_code: language,
})

/** A venue or organizer always has its flags and what every record has; its other fields may be missing. */
function place(of: Resource, computed: Record<string, Schema> = {}): AnswerShape {
  const common = { ...post, [of.title]: text, slug: text, ...identity, lang_code: language }
  const fields = {
    ...schemasOf(of, { picture: reference('Image') }),
    excerpt: text,
    ...computed,
  }
  const optional = Object.keys(fields).filter(name => !(name in common) && of.fields[name]?.kind.shape !== 'flag')
  return shape({ ...fields, ...common }, optional)
}

const urls = {
  type: 'object',
  properties: { self: url, collection: url, up: url },
  required: ['self', 'collection'],
}

const parent = { type: 'integer', minimum: 0 }

const term = (of: Resource, more: Record<string, Schema> = {}): AnswerShape =>
  shape(
    {
      id,
      count,
      ...schemasOf(of),
      ...more,
      taxonomy: text,
      meta: list({}),
      url,
      urls,
      lang_code: language,
      _links: { type: 'object' },
    },
    ['_links'],
  )

export const answerSchemas: Readonly<Record<ResourceName, AnswerShape>> = {
  events: event,
  venues: place(venues, { geo_lat: { type: 'number' }, geo_lng: { type: 'number' } }),
  organizers: place(organizers),
  categories: term(categories, { parent }),
  tags: term(tags),
}

/** The schemas of values inside records, and of errors. */
export const sharedSchemas: Readonly<Record<string, AnswerShape>> = {
  Image: shape({
    url: { type: ['string', 'null'] },
    id,
    extension: { type: ['string', 'null'] },
    width: unknownNumber,
    height: unknownNumber,
    filesize: unknownNumber,
    sizes: {
      type: ['object', 'null'],
      additionalProperties: {
        type: 'object',
        properties: { url: text, width: unknownNumber, height: unknownNumber },
        required: ['url', 'width', 'height'],
      },
    },
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

/** Descriptions of the keys of answers that are not fields. */
export const answerDescriptions: Readonly<Record<string, Words>> = {
  id: say('Identificador', 'ID', 'Identificador'),
  global_id: say('Nom únic entre llocs web', 'Name that is unique among sites', 'Nombre único entre sitios web'),
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
    'Quants esdeveniments publicats el tenen',
    'How many published events have it',
    'Cuántos eventos publicados lo tienen',
  ),
  geo_lat: say('Latitud', 'Latitude', 'Latitud'),
  geo_lng: say('Longitud', 'Longitude', 'Longitud'),
  lang_code: say('Llengua del registre', 'Language of the record', 'Idioma del registro'),
}
