import { choice } from './kinds/choice-kinds.ts'
import { dateTime } from './kinds/date-kind.ts'
import { image } from './kinds/image-kind.ts'
import { integer } from './kinds/number-kinds.ts'
import { slug, text } from './kinds/text-kinds.ts'
import { say } from './languages.ts'
import { statuses } from './post-status.ts'
import { floatingDate, slugIsMade } from './restrictions.ts'

/** Fields that events, venues and organizers have in common. */
export const author = integer(say('Identificador de l’autor', 'Author ID', 'Identificador del autor'), {
  acrossLanguages: 'own',
  site: { key: 'author' },
})
export const date = dateTime(say('Data de publicació', 'Publication date', 'Fecha de publicación'), {
  affects: ['date_utc', 'status'],
  acrossLanguages: 'own',
  site: { key: 'date', sameAs: 'date_utc', floats: true, cannot: floatingDate },
})
/** The heading of a field in sheets that calctl writes. `Date` is what people call the day of an event. */
export const writtenHeading = (name: string): string => (name === 'date' ? 'publication_date' : name)

export const dateUtc = dateTime(
  say('Data de publicació en UTC', 'Publication date in UTC', 'Fecha de publicación en UTC'),
  {
    affects: ['date', 'status'],
    acrossLanguages: 'own',
    site: { key: 'date_gmt', floats: true, cannot: floatingDate },
  },
)
export const status = choice(say('Estat de publicació', 'Publication status', 'Estado de publicación'), statuses, {
  affects: ['slug', 'date', 'date_utc'],
  site: { key: 'status', resets: true },
})
export const featuredImage = image(say('Imatge destacada', 'Featured image', 'Imagen destacada'), {
  site: { key: 'featured_media', resets: true },
})

/** What the names of venues and organizers have in common. */
export const nameOfPlace = { nonEmpty: 'name', acrossLanguages: 'text', site: { key: 'title' } } as const

/** Fields that venues and organizers have in common. For events and terms, the events API can write the slug. */
export const placeFields = {
  slug: slug({ key: 'slug', onlyBy: 'patch', cannot: slugIsMade }),
  author,
  date,
  date_utc: dateUtc,
  description: text(say('Descripció', 'Description', 'Descripción'), {
    default: null,
    acrossLanguages: 'text',
    site: { key: 'content' },
  }),
  status,
} as const
