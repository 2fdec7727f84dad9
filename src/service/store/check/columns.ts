import { badSettings } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { events } from '../../../contract/events.ts'
import type { Field, Fields } from '../../../contract/field.ts'
import { choice } from '../../../contract/kinds/choice-kinds.ts'
import { ids } from '../../../contract/kinds/link-kinds.ts'
import { boolean, integer, number } from '../../../contract/kinds/number-kinds.ts'
import { text } from '../../../contract/kinds/text-kinds.ts'
import { languages, say } from '../../../contract/languages.ts'
import { organizers } from '../../../contract/organizers.ts'
import { wordpressStatuses } from '../../../contract/post-status.ts'
import { author, date, dateUtc, status } from '../../../contract/posts.ts'
import { categories, tags } from '../../../contract/terms.ts'
import { venues } from '../../../contract/venues.ts'
import type { ColumnsOf, Rows, TableName } from '../rows.ts'

/** What every column of a table may contain: as the contract says, with links as plain ids. */
type Columns = { readonly [T in TableName]: Readonly<Record<keyof Rows[T], Field>> }

const id = integer(say('Identificador', 'ID', 'Identificador'))
const coordinate = number(say('Coordenada', 'Coordinate', 'Coordenada'))
const size = integer(say('Mida', 'Size', 'Tamaño'))
const plain = text(say('Text', 'Text', 'Texto'))
const flag = boolean(say('Sí o no', 'Yes or no', 'Sí o no'))
const list = ids(say('Identificadors', 'IDs', 'Identificadores'))

const row = {
  id,
  lang_code: choice(say('Llengua', 'Language', 'Idioma'), languages),
  slug: plain,
  description: plain,
}

/** Including what a service that follows production accepts. */
const state: Field = { ...status, choices: wordpressStatuses }

const dates = { date, date_utc: dateUtc, modified: date, modified_utc: dateUtc }

const post = {
  ...row,
  author,
  status: state,
  trashed_from: state,
  ...dates,
  image: id,
}

/** The columns of a resource's fields: as the contract says, with links as IDs, and texts that production stores unchecked. */
const columnsOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries<Field>(fields)
      .filter(([, { queryOnly }]) => !queryOnly)
      .map(([name, field]) => [name, columnOf(field)]),
  ) as { [N in keyof ColumnsOf<F>]: Field }

function columnOf(field: Field): Field {
  const { shape } = field.kind
  if (shape === 'links') return { ...field, kind: field.multiple === false ? id.kind : list.kind }
  if (shape === 'picture') return id
  return shape === 'amount' ? plain : field
}

/** The columns of every table. */
export const columns: Columns = {
  events: {
    ...columnsOf(events.fields),
    ...post,
    utc_start_date: dateUtc,
    utc_end_date: dateUtc,
    post_parent: { ...id, of: 'events' },
    event_status: plain,
    unlinked: flag,
    currency: plain,
  },
  venues: { ...columnsOf(venues.fields), ...post, geo_lat: coordinate, geo_lng: coordinate },
  organizers: { ...columnsOf(organizers.fields), ...post },
  categories: { ...columnsOf(categories.fields), ...row },
  tags: { ...columnsOf(tags.fields), ...row },
  images: {
    id,
    url: { ...plain, nonEmpty: true },
    title: plain,
    alt_text: plain,
    caption: plain,
    author,
    ...dates,
    mime_type: plain,
    width: size,
    height: size,
    filesize: size,
  },
}

/** The mistakes that were found in a calendar file, each with its path: `events[3].start_date`. */
export interface Mistakes {
  add(path: string, what: string): void
  readonly count: number
  /** Throws if there are any; names the first. */
  throwIfAny(): void
}

/** Collects the mistakes of a file. */
export function createMistakes(file: string): Mistakes {
  const found: string[] = []
  return {
    add: (path, what) => void found.push(`${path}: ${what}`),
    get count() {
      return found.length
    },
    throwIfAny() {
      const [first, ...others] = found
      if (first === undefined) return
      const message =
        others.length > 0
          ? phrase('{file}: {mistake} (and {count} more)', { file, mistake: first, count: others.length })
          : `${file}: ${first}`
      throw badSettings(message, phrase('fix it, then try again; nothing was changed'))
    },
  }
}

/** A value in quotes for a sentence. */
export function quotedKey(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
