/**
 * The demo: the calendar of a small town that does not exist, in three languages, around the week it is opened in. In: the time.
 * Out: rows for a store. `directory.ts` lists venues, organizers, categories and tags; `music.ts`, `stage.ts`, `town.ts` and
 * `weekly.ts` hold the events, as acts (`act.ts`) that are dated relative to the week.
 */

import { type Language, languages } from '../../contract/languages.ts'
import type { Status } from '../../contract/post-status.ts'
import { copySizes, readCopyName } from '../render/image-sizes.ts'
import {
  blanks,
  type CategoryRow,
  type OrganizerRow,
  type Rows,
  type Site,
  type TableName,
  type TermRow,
  type VenueRow,
} from '../store/rows.ts'
import type { ReadableFiles } from '../store/store.ts'
import {
  type Act,
  createRegister,
  datesOf,
  demoTimezone,
  eventRow,
  madridToUtc,
  pictureSize,
  type Register,
  wallIn,
  weekNumber,
} from './act.ts'
import { demoCategories, demoOrganizers, demoTags, demoVenues } from './directory.ts'
import { music, stage } from './shows.ts'
import { town } from './town.ts'

export interface Demo {
  readonly site: Site
  readonly rows: { readonly [T in TableName]: Rows[T][] }
  readonly files: ReadableFiles
}

/** Within a week, the calendar is always the same, IDs included; with each week, everything moves by a week. */
export function demoRows(now: Date): Demo {
  const thisWeek = weekNumber(now)
  const register = createRegister()
  const acts = actsOf(thisWeek)
  const planned = acts.map(act => ({ act, dates: datesOf(act, thisWeek) }))
  const inEach = <R>(build: (language: Language) => R[]): R[] => languages.flatMap(build)
  const rows = {
    categories: inEach(language => categoryRows(language, register)),
    tags: inEach(language => tagRows(language, register)),
    venues: inEach(language => venueRows(language, register, thisWeek)),
    organizers: inEach(language => organizerRows(language, register, thisWeek)),
    events: inEach(language => planned.flatMap(({ act, dates }) => eventRow(act, dates, language, register) ?? [])),
  }
  const { images } = register
  return {
    site: { language: 'ca', timezone: demoTimezone, quirks: false },
    rows: { ...rows, images },
    files: demoFiles(images.map(image => image.url)),
  }
}

/** The pictures of the demo, drawn when they are asked for, in all the sizes that WordPress makes. */
function demoFiles(paths: readonly string[]): ReadableFiles {
  const sizes = Object.values(copySizes(pictureSize))
  return {
    has: path => paths.includes(path),
    hasCopiesOf: path => paths.includes(path),
    async read(path) {
      const isFull = paths.includes(path)
      const { picture, size } = isFull ? { picture: path, size: pictureSize } : (readCopyName(path) ?? {})
      if (!picture || !paths.includes(picture)) return undefined
      if (!isFull && !sizes.some(({ width, height }) => width === size?.width && height === size.height))
        return undefined
      const { drawPicture } = await import('./pictures.ts')
      return drawPicture(picture, size ?? pictureSize)
    },
  }
}

const actsOf = (thisWeek: number): Act[] => [...music, ...stage, ...town, ...weeklyActs(thisWeek)]

/** An event that the demo does not have in all languages. */
export interface DemoGap {
  /** In the first language that it has. */
  readonly title: string
  readonly status: Status
  readonly missing: readonly Language[]
}

/** The gaps that the demo has, because no act has texts for them: venues, organizers and terms are there in all languages. */
export const demoGaps = (now: Date): DemoGap[] =>
  actsOf(weekNumber(now)).flatMap(({ status = 'publish', texts }) => {
    const missing = languages.filter(language => texts[language] === undefined)
    const [title = ''] = languages.flatMap(language => texts[language]?.[0] ?? [])
    return missing.length > 0 ? [{ title, status, missing }] : []
  })

const categoryRows = (lang_code: Language, register: Register): CategoryRow[] =>
  Object.entries(demoCategories).map(([slug, category]) => ({
    ...blanks.categories,
    id: register.term('categories', lang_code, slug),
    lang_code,
    slug,
    name: category.name[lang_code],
    parent: 'parent' in category ? register.term('categories', lang_code, category.parent) : null,
  }))

const tagRows = (lang_code: Language, register: Register): TermRow[] =>
  Object.entries(demoTags).map(([slug, { name }]) => ({
    ...blanks.tags,
    id: register.term('tags', lang_code, slug),
    lang_code,
    slug,
    name: name[lang_code],
  }))

const venueRows = (lang_code: Language, register: Register, thisWeek: number): VenueRow[] =>
  Object.entries(demoVenues).map(([slug, { venue, description, ...others }], index) => {
    const { picture, ...place } = { picture: undefined, ...others }
    return {
      ...blanks.venues,
      ...place,
      ...entryDates(thisWeek, index),
      id: register.post('venues', lang_code, slug),
      lang_code,
      slug,
      venue: venue[lang_code],
      description: description[lang_code],
      city: 'Riumajor',
      zip: '17555',
      province: 'Girona',
      stateprovince: 'Girona',
      country: { ca: 'Espanya', en: 'Spain', es: 'España' }[lang_code],
      image: register.image(picture),
    }
  })

const organizerRows = (lang_code: Language, register: Register, thisWeek: number): OrganizerRow[] =>
  Object.entries(demoOrganizers).map(([slug, { organizer, description, ...others }], index) => ({
    ...blanks.organizers,
    ...others,
    ...entryDates(thisWeek, index),
    id: register.post('organizers', lang_code, slug),
    lang_code,
    slug,
    organizer: organizer[lang_code],
    description: description[lang_code],
  }))

/** Venues and organizers were entered one after another on a morning about a year ago. */
function entryDates(thisWeek: number, index: number) {
  const date = wallIn(thisWeek - 50, 1, 10 + index / 4)
  return { date, date_utc: madridToUtc(date), modified: date, modified_utc: madridToUtc(date) }
}

type Texts = Readonly<Record<Language, readonly [title: string, description: string]>>

/** An act that repeats every so many weeks. Its programme depends on the week's number, so that a week never changes. */
interface Series extends Omit<Act, 'week' | 'texts'> {
  readonly every: number
  /** The first and the last week, relative to the current one. */
  readonly weeks: readonly [from: number, until: number]
  readonly programme: readonly Texts[]
}

/** The acts of all series in the weeks before and after a week, by its number. */
const weeklyActs = (thisWeek: number): Act[] => series.flatMap(each => occurrencesOf(each, thisWeek))

function occurrencesOf({ every, weeks: [from, until], programme, ...act }: Series, thisWeek: number): Act[] {
  return Array.from({ length: until - from + 1 }, (_, index) => from + index)
    .filter(week => (thisWeek + week) % every === 0)
    .map(week => {
      const number = thisWeek + week
      const slug = `${act.slug}-${wallIn(number, act.day).slice(0, 10)}`
      return { ...act, week, slug, texts: programme[(number / every) % programme.length] ?? {} }
    })
}

const film = (ca: string, en: string, es: string, by: string): Texts => ({
  ca: [`Cineclub: ${ca}`, `${by}. Versió original subtitulada, amb col·loqui en acabar.`],
  en: [`Film club: ${en}`, `${by}. In the original language with subtitles, and a talk afterwards.`],
  es: [`Cineclub: ${es}`, `${by}. Versión original subtitulada, con coloquio al terminar.`],
})

const story = (ca: string, en: string, es: string): Texts => ({
  ca: [`Hora del conte: ${ca}`, 'Amb la rondallaire Laia Figueres. Entrada lliure fins a omplir la sala.'],
  en: [`Story time: ${en}`, 'With the storyteller Laia Figueres, in Catalan. Free until the room is full.'],
  es: [
    `La hora del cuento: ${es}`,
    'Con la cuentacuentos Laia Figueres, en catalán. Entrada libre hasta llenar la sala.',
  ],
})

const novel = (ca: string, en: string, es: string, by: string): Texts => ({
  ca: [`Club de lectura: ${ca}`, `Comentem el llibre de ${by}. N’hi ha exemplars en préstec.`],
  en: [`Book club: ${en}`, `We talk about the book by ${by}. Copies can be borrowed.`],
  es: [`Club de lectura: ${es}`, `Comentamos el libro de ${by}. Hay ejemplares en préstamo.`],
})

const series: readonly Series[] = [
  {
    slug: 'cineclub',
    every: 1,
    weeks: [-1, 6],
    day: 3,
    at: '21:00',
    lasts: 2.5,
    venue: 'cinema-modern',
    organizers: ['cineclub'],
    categories: ['cinema'],
    tags: ['cicle'],
    euros: 5,
    website: 'https://elllanterner.example/',
    programme: [
      film('Metròpolis', 'Metropolis', 'Metrópolis', 'Fritz Lang, 1927'),
      film('El maquinista de La General', 'The General', 'El maquinista de La General', 'Buster Keaton, 1926'),
      film('Contes de Tòquio', 'Tokyo Story', 'Cuentos de Tokio', 'Yasujirō Ozu, 1953'),
      film('Els quatre-cents cops', 'The 400 Blows', 'Los cuatrocientos golpes', 'François Truffaut, 1959'),
      film('El setè segell', 'The Seventh Seal', 'El séptimo sello', 'Ingmar Bergman, 1957'),
      film('Cléo de 5 a 7', 'Cléo from 5 to 7', 'Cleo de 5 a 7', 'Agnès Varda, 1962'),
      film('La quimera de l’or', 'The Gold Rush', 'La quimera del oro', 'Charles Chaplin, 1925'),
      film('Casablanca', 'Casablanca', 'Casablanca', 'Michael Curtiz, 1942'),
      film('Vacances a Roma', 'Roman Holiday', 'Vacaciones en Roma', 'William Wyler, 1953'),
    ],
  },
  {
    slug: 'hora-del-conte',
    every: 1,
    weeks: [-1, 5],
    day: 5,
    at: '11:30',
    lasts: 0.75,
    venue: 'biblioteca-carme-fontsere',
    organizers: ['biblioteca'],
    categories: ['familiar', 'lletres'],
    tags: ['a-partir-de-3', 'gratuit'],
    euros: 0,
    programme: [
      story('La sopa de pedres', 'Stone Soup', 'La sopa de piedras'),
      story('La rateta que escombrava l’escaleta', 'The Little Mouse with a Broom', 'La ratita presumida'),
      story('En Patufet', 'Patufet', 'Garbancito'),
      story('Els músics de Bremen', 'The Bremen Town Musicians', 'Los músicos de Bremen'),
      story('La lletera', 'The Milkmaid', 'La lechera'),
    ],
  },
  {
    slug: 'mercat',
    every: 1,
    weeks: [-1, 4],
    day: 5,
    at: '08:00',
    lasts: 6,
    venue: 'placa-major',
    organizers: ['comerciants'],
    categories: ['fires'],
    tags: ['aire-lliure'],
    programme: [
      {
        ca: ['Mercat de pagès', 'Fruita, verdura i formatge de l’horta i de les masies del voltant.'],
        en: ['Farmers’ market', 'Fruit, vegetables and cheese from the gardens and farms nearby.'],
        es: ['Mercado de productores', 'Fruta, verdura y queso de la huerta y de las masías de los alrededores.'],
      },
    ],
  },
  {
    slug: 'sardanes',
    every: 2,
    weeks: [0, 8],
    day: 6,
    at: '12:00',
    lasts: 1.5,
    venue: 'placa-major',
    organizers: ['sardanistes'],
    categories: ['tradicio', 'dansa'],
    tags: ['aire-lliure', 'gratuit'],
    euros: 0,
    programme: ['Cobla Vila de Riumajor', 'Cobla Els Rossinyols'].map(cobla => ({
      ca: ['Ballada de sardanes', `Amb la ${cobla}. Rotllana oberta: qui no en sap, n’aprèn.`],
      en: ['Sardana dancing', `With the ${cobla}. An open circle: if you cannot dance it, you will learn.`],
      es: ['Baile de sardanas', `Con la ${cobla}. Corro abierto: quien no sabe, aprende.`],
    })),
  },
  {
    slug: 'jam',
    every: 2,
    weeks: [-1, 9],
    day: 2,
    at: '22:00',
    lasts: 2.5,
    venue: 'la-farinera',
    organizers: ['ateneu-popular'],
    categories: ['jazz'],
    tags: ['cicle', 'gratuit'],
    euros: 0,
    programme: [
      {
        ca: ['Jam session a La Farinera', 'Bateria, piano i contrabaix a punt; la resta, la porteu vosaltres.'],
        en: ['Jam session at La Farinera', 'Drums, piano and double bass are ready; you bring the rest.'],
        es: ['Jam session en La Farinera', 'Batería, piano y contrabajo a punto; lo demás, lo traéis vosotros.'],
      },
    ],
  },
  {
    slug: 'tai-txi',
    every: 1,
    weeks: [-1, 3],
    day: 1,
    at: '09:30',
    lasts: 1,
    venue: 'parc-de-la-riba',
    organizers: ['ateneu-popular'],
    categories: ['tallers'],
    tags: ['aire-lliure', 'accessible', 'gratuit'],
    euros: 0,
    programme: [
      {
        ca: ['Tai-txi al parc', 'Una hora de moviment lent sota els pollancres. No cal experiència.'],
        en: ['Tai chi in the park', 'An hour of slow movement under the poplars. No experience needed.'],
        es: ['Taichí en el parque', 'Una hora de movimiento lento bajo los chopos. No hace falta experiencia.'],
      },
    ],
  },
  {
    slug: 'club-de-lectura',
    every: 4,
    weeks: [-1, 11],
    day: 0,
    at: '18:30',
    lasts: 1.5,
    venue: 'biblioteca-carme-fontsere',
    organizers: ['biblioteca'],
    categories: ['lletres'],
    tags: ['inscripcio', 'gratuit'],
    euros: 0,
    programme: [
      novel('La plaça del Diamant', 'In Diamond Square', 'La plaza del Diamante', 'Mercè Rodoreda'),
      novel('Solitud', 'Solitude', 'Soledad', 'Víctor Català'),
      novel('Frankenstein', 'Frankenstein', 'Frankenstein', 'Mary Shelley'),
      novel('Bearn', 'The Dolls’ Room', 'Bearn', 'Llorenç Villalonga'),
    ],
  },
]
