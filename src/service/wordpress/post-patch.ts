import { lookupTable } from '../../base/memoize.ts'
import type { DateText } from '../../base/time/dates.ts'
import { fromUtc } from '../../base/time/zone.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isUnpublished, type Status } from '../../contract/post-status.ts'
import { slugOf } from '../../contract/slug.ts'
import type { Context, Write } from '../dialect.ts'
import { freeSlug } from '../lookup.ts'
import { Refusal } from '../refusal.ts'
import type { ParameterValues } from '../request-context.ts'
import type { EventRow, PostRow, PostTable, Rows } from '../store/rows.ts'
import { floating, isFloating, modification, utcNow, utcOf } from '../write/post-dates.ts'
import { beforeTrash } from '../write/trash-rows.ts'
import { metaColumns, storedFromDisplayed } from './meta.ts'
import { integer, listOf, moment, oneOf, type Reader, rawText, readParameters, string } from './parameters.ts'

/** The statuses that a patch can give; `trash` is none of them. */
const statuses = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  'in-progress',
  'failed',
  'tribe-ea-success',
  'tribe-ea-failed',
  'tribe-ea-schedule',
  'tribe-ea-pending',
  'tribe-ea-draft',
  'tribe-ignored',
] as const

/** What our calendar can store of them. */
const stored = new Set<unknown>(['publish', 'future', 'draft', 'pending', 'private'])

const readers: Readonly<Record<string, Reader>> = lookupTable({
  date: moment,
  date_gmt: moment,
  slug: string,
  status: oneOf(...statuses),
  password: string,
  title: rawText,
  content: rawText,
  excerpt: rawText,
  author: integer,
  featured_media: integer,
  tribe_events_cat: listOf(integer),
  tags: listOf(integer),
})

/** The values of a patch, checked; `meta` is checked when it is stored. */
export const patchValues = ({ parameters }: Context): ParameterValues => ({
  ...readParameters(parameters, readers),
  meta: parameters.meta,
})

/** A post with what a patch sets, and nothing else but the cost, which every save rewrites from what is displayed. */
export function patched<T extends PostTable>(write: Write, of: T, before: Rows[T], values: ParameterValues): Rows[T] {
  const base = before.status === 'trash' && values.status !== undefined ? beforeTrash(before) : before
  const row: Rows[T] = {
    ...base,
    ...texts(of, base, values),
    ...modification(write),
    ...dated(write, base, values),
    ...('title' in base && eventColumns(write, base, values)),
    ...metaColumns(write.context, of, values.meta),
  }
  checkSomeText(of, row)
  // The plugin's tables accept no event that ends before it starts.
  if ('title' in row && row.end_date < row.start_date) row.end_date = row.start_date
  if ('title' in row && !write.dialect.keepsPassword(row.status)) row.post_password = ''
  if (Number(values.author) > 0) row.author = Number(values.author)
  if (values.featured_media !== undefined) row.image = imageAfter(write, row.image, Number(values.featured_media))
  if (typeof values.slug === 'string') row.slug = slugOf(values.slug)
  const needsSlug = row.slug === '' && !isUnpublished(row.status) && row.status !== 'trash'
  const title = String(Reflect.get(row, resourceNamed(of).title))
  const slug = needsSlug ? slugOf(title) || String(row.id) : row.slug
  return { ...row, slug: slug === '' ? '' : freeSlug(write.context.store, of, row.lang_code, slug, row.id) }
}

/** WordPress keeps no post without any text; "0" counts as none. */
function checkSomeText(of: PostTable, row: PostRow): void {
  const all = [Reflect.get(row, resourceNamed(of).title), row.description, 'excerpt' in row ? row.excerpt : '']
  if (all.every(text => text === '' || text === '0'))
    throw new Refusal(400, 'empty_content', 'Content, title, and excerpt are empty.')
}

/** Texts are stored as they come: nothing is unescaped or trimmed. */
function texts(of: PostTable, row: PostRow, { title, content, excerpt }: ParameterValues): object {
  return {
    ...(title !== undefined && { [resourceNamed(of).title]: title }),
    ...(content !== undefined && { description: content }),
    ...(excerpt !== undefined && 'excerpt' in row && { excerpt }),
  }
}

function eventColumns({ context }: Write, row: EventRow, values: ParameterValues): Partial<EventRow> {
  const known = (of: 'categories' | 'tags', ids: unknown): number[] =>
    [...new Set([ids].flat().map(Number))].filter(id => context.store.table(of).get(id))
  return {
    cost: storedFromDisplayed(row.cost),
    ...(typeof values.password === 'string' && { post_password: values.password }),
    ...(values.tribe_events_cat !== undefined && { categories: known('categories', values.tribe_events_cat) }),
    ...(values.tags !== undefined && { tags: known('tags', values.tags) }),
  }
}

/** Status and moment of publication. A draft floats until it is given a date, which it then keeps; null takes it away. */
function dated(write: Write, row: PostRow, { status, date, date_gmt }: ParameterValues): Partial<PostRow> {
  const { timezone } = write.context.store.site
  const now = utcNow(write.context)
  const asked = stored.has(status) ? (status as Status) : row.status
  const isCleared = date === null || date_gmt === null
  const given = givenUtc(write, timezone, date, date_gmt)
  const hasNone = isFloating(row) || isCleared
  if (given === undefined && hasNone && isUnpublished(asked)) return floating(write, asked)
  const date_utc = given ?? (hasNone ? now : row.date_utc)
  const released = date_utc > now ? 'future' : 'publish'
  return {
    status: asked === 'publish' || asked === 'future' ? released : asked,
    date: fromUtc(date_utc, timezone),
    date_utc,
  }
}

/** The moment that was asked for, in UTC; `date` wins over `date_gmt`. */
function givenUtc(write: Write, zone: string, date: unknown, dateGmt: unknown): string | undefined {
  if (date) return utcOf(write, 'date', date as DateText, zone)
  return dateGmt ? utcOf(write, 'date_gmt', { offset: 0, ...(dateGmt as DateText) }, zone) : undefined
}

/** 0 takes the image off; an ID that nothing has is ignored. */
function imageAfter({ context }: Write, before: number | null, id: number): number | null {
  if (id === 0) return null
  return context.store.table('images').get(id) ? id : before
}
