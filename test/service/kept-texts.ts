import { expect } from 'vitest'
import type { Request } from '../../src/contract/exchange.ts'
import { createService, type Service } from '../../src/service/service.ts'
import { memoryStore, storeOf } from '../../src/service/store/memory-store.ts'
import type { Rows, Site, TableName } from '../../src/service/store/rows.ts'
import type { Snapshot, Store } from '../../src/service/store/store.ts'
import { createTables, emptySnapshot } from '../../src/service/store/tables.ts'
import { mulberry32 } from '../soak/random.ts'
import { usersOf } from '../support/users.ts'

const namespace = 'calendar/events/v1'
const options = { now: () => new Date('2026-11-21T02:00:00Z'), namespace }
const users = usersOf('admin', 'editor:editor', 'author:author', 'guest:contributor', 'reader:subscriber')

/** The services of one calendar: both dialects, two addresses, with users and without. */
const modes = [
  { baseUrl: 'http://one.test' },
  { baseUrl: 'http://one.test', users },
  { baseUrl: 'http://two.test/wp-json', quirks: true },
  { baseUrl: 'http://one.test', quirks: true, users },
]

/**
 * Writes at random to a calendar and reads from it at random: what it answers with the texts that it has kept is what a new service answers
 * that has kept nothing.
 */
export async function compareWithNewServices(
  seed: number,
  writes: number,
): Promise<{ compared: number; written: number }> {
  const random = randomFrom(seed)
  const calendar = changingCalendar()
  const over = modes.map(mode => (store: typeof calendar.store) => createService({ store, ...options, ...mode }))
  const services = over.map(serviceOver => serviceOver(calendar.store))
  const snapshots: Snapshot[] = []
  let [compared, written] = [0, 0]
  for (let step = 0; step < writes; step++) {
    const before = calendar.store.version
    await change(random, calendar, services, snapshots)
    if (calendar.store.version > before) written++
    for (let read = 0; read < 4; read++) {
      const request = readingOf(random)
      const at = random.below(modes.length)
      const fresh = memoryStore(calendar.store.site, calendar.store.snapshot().rows, calendar.store.files)
      const anew = await over[at]?.(fresh)(request)
      const kept = await services[at]?.(request)
      const shown = (answer: typeof kept) => ({ ...answer, body: String(answer?.body) })
      expect(shown(kept), `seed ${seed}, step ${step}: ${JSON.stringify(request)}`).toEqual(shown(anew))
      if (anew?.status === 200) compared++
    }
  }
  return { compared, written }
}

interface Random {
  below(limit: number): number
  of<T>(values: readonly T[]): T
  /** Some of these, or none. */
  some<T>(values: readonly T[]): T[]
}

function randomFrom(seed: number): Random {
  const next = mulberry32(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    of: <T>(values: readonly T[]) => values[below(values.length)] as T,
    some: values => values.filter(() => next() < 0.4),
  }
}

interface ChangingCalendar {
  readonly store: Store
  set(site: Partial<Site>): void
}

/** A calendar whose settings can change, as those of a file that somebody edits. */
function changingCalendar(): ChangingCalendar {
  let site: Site = { language: 'ca', timezone: 'Europe/Madrid', quirks: false }
  const tables = createTables(emptySnapshot)
  const { files } = memoryStore(site)
  const store = storeOf(() => site, tables, {
    files,
    write: async work => tables.commit(work).result,
    close: async () => {},
  })
  return {
    store,
    set(settings) {
      site = { ...site, ...settings }
    },
  }
}

const titles = [
  'Concert',
  'Ball "gran"',
  'Música & dansa',
  'Fira 2 -- 3',
  '15 € o més',
  'Òpera',
  '<b>Cinema</b>',
] as const
const languages = ['ca', 'en', 'es'] as const
const statuses = ['publish', 'publish', 'publish', 'draft', 'pending', 'private', 'future', 'trash'] as const
const pictures = ['https://pictures.test/a.jpg', 'https://pictures.test/b.png', ''] as const
const days = ['2026-11-20', '2026-12-05', '2027-01-06', '2027-03-01'] as const

async function change(
  random: Random,
  { store, set }: ChangingCalendar,
  services: readonly Service[],
  snapshots: Snapshot[],
): Promise<void> {
  const kind = random.below(20)
  if (kind === 0) set({ language: random.of(languages), timezone: random.of(['Europe/Madrid', 'UTC', 'America/Lima']) })
  else if (kind === 1) snapshots.push(store.snapshot())
  else if (kind === 2 && snapshots.length > 0) await store.restore(random.of(snapshots))
  else if (kind === 3 || kind === 5) await rewriteImages(random, store)
  else if (kind === 4) await undoneWrite(random, store)
  else await random.of(services.slice(0, 3))(writingOf(random, store))
}

/** As another program that edits the calendar file. */
async function rewriteImages(random: Random, store: Store): Promise<void> {
  const url = random.of(['2026/11/a.png', 'https://pictures.test/c.jpg'])
  await store.write(writing => {
    for (const image of [...store.table('images').values()])
      writing.put('images', { ...image, url, width: 1 + random.below(900), height: 300 })
  })
}

/** A write that fails after it has changed something. */
async function undoneWrite(random: Random, store: Store): Promise<void> {
  const venue = pick(random, store, 'venues')
  await store
    .write(writing => {
      if (venue) writing.put('venues', { ...venue, slug: 'never' } as Rows['venues'])
      throw new Error('the disk is full')
    })
    .catch(() => {})
}

const pick = (random: Random, store: Store, table: TableName) => random.of([...store.table(table).values()])

function writingOf(random: Random, store: Store): Request {
  const wordpress = random.below(4) === 0
  const of = random.of(['events', 'events', 'events', 'venues', 'organizers', 'categories', 'tags', 'images'] as const)
  if (of === 'images') return imageWriting(random, store)
  const row = pick(random, store, of)
  const isNew = row === undefined || random.below(3) === 0
  const prefix = `/${random.of(languages)}`
  if (!isNew && random.below(8) === 0)
    return wordpress
      ? write('DELETE', `/wp/v2/${routes[of]}/${row.id}`, {}, 'force=true')
      : write('DELETE', `/${'lang_code' in row ? row.lang_code : 'ca'}/${namespace}/${of}/${row.id}`, {})
  if (wordpress && !isNew) return write('POST', `/wp/v2/${routes[of]}/${row.id}`, patchOf(random, store, of))
  const place = isNew
    ? `${prefix}/${namespace}/${of}`
    : `/${'lang_code' in row ? row.lang_code : 'ca'}/${namespace}/${of}/${row.id}`
  return write('POST', place, valuesOf(random, store, of))
}

const routes = {
  events: 'tribe_events',
  venues: 'tribe_venue',
  organizers: 'tribe_organizer',
  categories: 'tribe_events_cat',
  tags: 'tags',
} as const

const write = (method: string, path: string, values: object, query = ''): Request => ({
  method,
  path,
  query,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(values),
})

const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from('0000000d494844520000040000000300', 'hex'),
])

function imageWriting(random: Random, store: Store): Request {
  const image = pick(random, store, 'images')
  if (!image || random.below(3) === 0)
    return {
      method: 'POST',
      path: '/wp/v2/media',
      headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="poster.png"' },
      body: png,
    }
  return random.below(2) === 0
    ? write('DELETE', `/wp/v2/media/${image.id}`, {}, 'force=true')
    : write('POST', `/wp/v2/media/${image.id}`, { title: random.of(titles), alt_text: random.of(titles) })
}

const idsOf = (random: Random, store: Store, table: TableName) =>
  random.some([...store.table(table).values()].map(({ id }) => id)).slice(0, 3)

function valuesOf(random: Random, store: Store, of: keyof typeof routes): object {
  const title = random.of(titles)
  const image = random.of([...pictures, ...idsOf(random, store, 'images')])
  const description = descriptionOf(random, store)
  if (of === 'venues' || of === 'organizers')
    return { [of.slice(0, -1)]: title, description, image, status: random.of(statuses), website: 'https://place.test' }
  if (of === 'tags') return { name: `${title} ${random.below(9)}`, description }
  if (of === 'categories')
    return { name: `${title} ${random.below(9)}`, description, parent: idsOf(random, store, 'categories')[0] ?? 0 }
  const [venue] = idsOf(random, store, 'venues')
  const start = `${random.of(days)} 19:00`
  return {
    title,
    description,
    image,
    status: random.of(statuses),
    start_date: start,
    end_date: `${start.slice(0, 10)} 21:00`,
    cost: random.of(['', '15 €', '10 - 20']),
    categories: idsOf(random, store, 'categories'),
    tags: idsOf(random, store, 'tags'),
    organizer: idsOf(random, store, 'organizers'),
    ...(venue !== undefined && { venue }),
    ...(random.below(4) === 0 && { password: random.of(['', 'secret']) }),
    ...(random.below(4) === 0 && { hide_from_listings: random.of([true, false]) }),
  }
}

const descriptionOf = (random: Random, store: Store): string => {
  const gallery = `Fotos: [gallery ids="${idsOf(random, store, 'images')}"]`
  return random.of(['', 'Porta: 18 h', 'Dues\n\nlínies & més', gallery, gallery, '[gallery]'])
}

function patchOf(random: Random, store: Store, of: keyof typeof routes): object {
  const title = random.of(titles)
  if (of === 'categories' || of === 'tags') return { name: `${title} ${random.below(9)}` }
  const [image = 0] = idsOf(random, store, 'images')
  return {
    title,
    content: descriptionOf(random, store),
    featured_media: image,
    status: random.of(['publish', 'draft', 'private'] as const),
    ...(of === 'events' && {
      password: random.of(['', 'secret']),
      tags: idsOf(random, store, 'tags'),
      tribe_events_cat: idsOf(random, store, 'categories'),
    }),
  }
}

const filters = [
  'per_page=50',
  'per_page=50',
  'per_page=3&page=2',
  'status=publish,draft,private',
  'status=trash',
  'search=ball',
  'start_date=2026-11-01&per_page=50',
  'ends_after=2026-12-01',
  'venue=1',
  'organizer=2',
  'categories=1&per_page=50',
  'tags=2',
  'include=1,2,3,4,5,6,7,8',
  'password=secret&per_page=50',
  'context=edit&per_page=50',
  'context=view&per_page=50',
  'hide_empty=true&orderby=count',
  'orderby=id&order=desc',
  'only_with_upcoming=true',
  '_fields=id,title',
  'has_events=true',
  'event=4',
] as const

function readingOf(random: Random): Request {
  const of = random.of(['events', 'events', 'events', 'venues', 'organizers', 'categories', 'tags'] as const)
  const prefix = random.of(['', '', '/ca', '/en', '/es'])
  const name = random.of(['', '', 'admin', 'editor', 'author', 'guest', 'reader'])
  const headers: Record<string, string> = name === '' ? {} : { authorization: `Basic ${btoa(`${name}:secret`)}` }
  const isSingle = random.below(3) === 0
  const item = isSingle ? `/${1 + random.below(30)}` : ''
  const query = isSingle ? random.of(['', 'password=secret', 'context=edit', 'context=view']) : random.of(filters)
  const path = random.below(6) === 0 ? `/wp/v2/${routes[of]}${item}` : `${prefix}/${namespace}/${of}${item}`
  return { method: 'GET', path, query, headers }
}
