import { events } from '../../../contract/events.ts'
import { choice, type Field, integer, number, text } from '../../../contract/field.ts'
import { organizers } from '../../../contract/organizers.ts'
import { author, date, dateUtc, status, wordpressStatuses } from '../../../contract/posts.ts'
import { venues } from '../../../contract/venues.ts'
import { languages, say } from '../../../contract/words.ts'
import type { Rows, TableName } from '../rows.ts'

/** What every column of a table holds: as the contract says, with links as plain ids. */
type Columns = { readonly [T in TableName]: Readonly<Record<keyof Rows[T], Field>> }

const id = integer(say('Identificador', 'ID', 'Identificador'))
const name = text(say('Nom', 'Name', 'Nombre'), { nonEmpty: true })
const coordinate = number(say('Coordenada', 'Coordinate', 'Coordenada'))
const plain = text(say('Text', 'Text', 'Texto'))

const row = {
  id,
  lang_code: choice(say('Llengua', 'Language', 'Lengua'), languages),
  slug: plain,
  description: plain,
}

/** With what a service that follows production also takes. */
const state: Field = { ...status, choices: wordpressStatuses }

const post = {
  ...row,
  author,
  status: state,
  trashed_from: state,
  date,
  date_utc: dateUtc,
  modified: date,
  modified_utc: dateUtc,
  image: id,
}

const { password, ...eventFields } = events.fields

/** The columns of every table. */
export const columns: Columns = {
  events: {
    ...eventFields,
    ...post,
    cost: plain,
    utc_start_date: dateUtc,
    utc_end_date: dateUtc,
    categories: { ...eventFields.categories, kind: 'ids' },
    tags: { ...eventFields.tags, kind: 'ids' },
    venue: { ...eventFields.venue, kind: 'integer' },
    organizer: { ...eventFields.organizer, kind: 'ids' },
    post_parent: { ...id, of: 'events' },
    post_password: password,
  },
  venues: { ...venues.fields, ...post, geo_lat: coordinate, geo_lng: coordinate },
  organizers: { ...organizers.fields, ...post, email: plain },
  categories: { ...row, name, parent: { ...id, of: 'categories' } },
  tags: { ...row, name },
  images: { id, url: { ...venues.fields.website, nonEmpty: true } },
}
