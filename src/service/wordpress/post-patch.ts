import { isObject } from '../../base/text/json.ts'
import { type DateText, readDate } from '../../base/time/dates.ts'
import { inEnglish } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field, Kind } from '../../contract/field.ts'
import { type Currency, currencyMeta, currencyOf } from '../../contract/kinds/currency.ts'
import { dateTimeKind } from '../../contract/kinds/date-kind.ts'
import { isUnpublished, type Status } from '../../contract/post-status.ts'
import { writableFields } from '../../contract/resource.ts'
import { slugOf } from '../../contract/slug.ts'
import type { ParameterValues, Reader, Scope, Write } from '../dialect.ts'
import { freeSlug } from '../lookup.ts'
import { currencyColumn, currencyOfRow, renderCost } from '../production/render.ts'
import { Refusal } from '../refusal.ts'
import { booleanParameter, integerParameter, listParameter, string, unreadable } from '../request/check-parameters.ts'
import type { EventRow, PostRow, PostTable, Rows } from '../store/rows.ts'
import { beforeTrash } from '../write/put.ts'
import { floating, isFloating, publishedAt, utcNow, utcOf } from '../write/stored-values.ts'

/** The statuses that our calendar can store. */
const stored = new Set<unknown>(['publish', 'future', 'draft', 'pending', 'private'])

/** A post with the values of a patch, and nothing else changed but the cost, which every save rewrites from its displayed form. */
export function patched<T extends PostTable>(write: Write, of: T, before: Rows[T], values: ParameterValues): Rows[T] {
  const base = before.status === 'trash' && values.status !== undefined ? beforeTrash(before) : before
  const row: Rows[T] = {
    ...base,
    ...texts(of, base, values),
    ...dated(write, base, values),
    ...('title' in base && eventColumns(write, base, values)),
    ...metaColumns(write.context, of, values.meta),
  }
  checkSomeText(of, row)
  if ('title' in row && 'title' in before) settleEvent(write, row, before, values.meta)
  if (Number(values.author) > 0) row.author = Number(values.author)
  if (values.featured_media !== undefined) row.image = imageAfter(write, row.image, Number(values.featured_media))
  if (typeof values.slug === 'string') row.slug = slugOf(values.slug)
  const needsSlug = row.slug === '' && !isUnpublished(row.status) && row.status !== 'trash'
  const title = String(Reflect.get(row, resourceNamed(of).title))
  const slug = needsSlug ? slugOf(title) || String(row.id) : row.slug
  return { ...row, slug: slug === '' ? '' : freeSlug(write.context.store, of, slug, row) }
}

/** Sets the values of an event that follow from others. */
function settleEvent({ dialect }: Write, row: EventRow, before: EventRow, meta: unknown): void {
  row.currency = currencyAfter(before, row, meta)
  // Organizers are in the order in which they were linked, in whatever order they are sent.
  row.organizer = [...new Set([...before.organizer.filter(id => row.organizer.includes(id)), ...row.organizer])]
  // The plugin's tables accept no event that ends before it starts.
  if (row.end_date < row.start_date) row.end_date = row.start_date
  if (!dialect.keepsPassword(row.status)) row.post_password = ''
}

/** WordPress refuses a post without any text; "0" counts as none. */
function checkSomeText(of: PostTable, row: PostRow): void {
  const all = [Reflect.get(row, resourceNamed(of).title), row.description, 'excerpt' in row ? row.excerpt : '']
  if (all.every(text => text === '' || text === '0'))
    throw new Refusal(400, 'empty_content', 'Content, title, and excerpt are empty.')
}

/** Texts are stored as they are sent: nothing is unescaped or trimmed. */
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
    cost: storedFromDisplayed(row),
    ...(typeof values.password === 'string' && { post_password: values.password }),
    ...(values.tribe_events_cat !== undefined && { categories: known('categories', values.tribe_events_cat) }),
    ...(values.tags !== undefined && { tags: known('tags', values.tags) }),
  }
}

/** The currency after a patch: parts that are left out stay as they were, whatever the text of the cost says. */
function currencyAfter(before: EventRow, { cost }: EventRow, meta: unknown): string {
  const given = Object.entries(isObject(meta) ? meta : {}).filter(([, value]) => typeof value === 'string')
  const currency = currencyOfRow(before)
  return currencyColumn(
    cost,
    currencyOf({ ...currencyMeta({ ...currency }), ...Object.fromEntries(given) }) ?? currency,
  )
}

/** Status and publication date. The date of a draft floats until one is set, which then stays; null removes it. */
function dated(write: Write, row: PostRow, { status, date, date_gmt }: ParameterValues): Partial<PostRow> {
  const asked = stored.has(status) ? (status as Status) : row.status
  const isCleared = date === null || date_gmt === null
  const given = givenUtc(write, date, date_gmt)
  const hasNone = isFloating(row) || isCleared
  if (given === undefined && hasNone && isUnpublished(asked)) return floating(write, asked)
  return publishedAt(write, asked, given ?? (hasNone ? utcNow(write.context) : row.date_utc))
}

/** The requested moment, in UTC; `date` takes precedence over `date_gmt`. */
function givenUtc(write: Write, date: unknown, dateGmt: unknown): string | undefined {
  const zone = write.context.store.site.timezone
  if (date) return utcOf(write, 'date', date as DateText, zone)
  return dateGmt ? utcOf(write, 'date_gmt', { offset: 0, ...(dateGmt as DateText) }, zone) : undefined
}

/** 0 removes the image; an ID that does not exist is ignored. */
function imageAfter({ context }: Write, before: number | null, id: number): number | null {
  if (id === 0) return null
  return context.store.table('images').get(id) ? id : before
}

/** A key of `meta`: the column that it stands for, and how it is read. */
interface MetaKey {
  readonly column: string
  readonly field: Pick<Field, 'kind' | 'multiple' | 'of'>
  /** Whether it is registered only for this type: most are for all types of the plugin. */
  readonly isOwn?: true
}

/** The keys of a resource's `meta`: those of fields in the contract and, for events, some that the events API does not have. */
function keysOf(of: PostTable): ReadonlyMap<string, MetaKey> {
  const keys = writableFields(resourceNamed(of)).flatMap(([column, field]): [string, MetaKey][] =>
    field.site?.key?.startsWith('meta.')
      ? [
          [
            field.site.key.slice('meta.'.length),
            { column, field, ...(field.site.key.startsWith('meta._tribe') && { isOwn: true }) },
          ],
        ]
      : [],
  )
  return new Map(of === 'events' ? [...keys, ...otherEventKeys] : keys)
}

const otherEventKeys: readonly [string, MetaKey][] = [
  ['_EventStartDateUTC', { column: 'utc_start_date', field: { kind: dateTimeKind } }],
  ['_EventEndDateUTC', { column: 'utc_end_date', field: { kind: dateTimeKind } }],
]

const keysByTable: Readonly<Record<PostTable, ReadonlyMap<string, MetaKey>>> = {
  events: keysOf('events'),
  venues: keysOf('venues'),
  organizers: keysOf('organizers'),
}

const noCurrency: Currency = { symbol: '', position: '', code: '' }

/** The `meta` of a post. */
export function metaOf(of: PostTable | 'attachments', row: PostRow | object = {}): object {
  const venue = of === 'venues' ? { ...row } : {}
  const meta: Record<string, unknown> = {
    // Attachments have no footnotes.
    ...(of !== 'attachments' && { footnotes: '' }),
    _VenueLat: Reflect.get(venue, 'geo_lat') ?? '',
    _VenueLng: Reflect.get(venue, 'geo_lng') ?? '',
  }
  for (const [table, keys] of Object.entries(keysByTable))
    Object.assign(meta, metaIn(keys, table === of ? row : undefined))
  Object.assign(meta, currencyMeta('currency' in row ? { ...currencyOfRow(row as EventRow) } : { ...noCurrency }))
  if ('unlinked' in row && row.unlinked) meta._EventVenueID = [0, ...[meta._EventVenueID].flat()]
  // A venue has the flags of events in addition to its own.
  for (const flag of ['ShowMap', 'ShowMapLink']) if (of === 'venues') meta[`_Event${flag}`] = meta[`_Venue${flag}`]
  return meta
}

/** The values of keys in the `meta` of a post: of its own type, or those that are registered for all types. */
function metaIn(keys: ReadonlyMap<string, MetaKey>, row: object | undefined): object {
  const shared = [...keys].filter(([, { isOwn }]) => row || !isOwn)
  return Object.fromEntries(
    shared.map(([key, { column, field }]) => [
      key,
      row ? shown(field, Reflect.get(row, column)) : (field.kind.emptyColumn ?? ''),
    ]),
  )
}

function shown({ kind, multiple }: MetaKey['field'], value: unknown): unknown {
  return kind.shape === 'links' && multiple === false ? [value ?? []].flat() : (value ?? '')
}

/**
 * The columns that a patch of `meta` sets; keys of other post types and unknown ones are ignored. WordPress checks the types; what
 * it would store and the calendar could not read again is refused too.
 */
function metaColumns({ store }: Pick<Scope, 'store'>, of: PostTable, meta: unknown): object {
  if (!isObject(meta)) return {}
  const columns: Record<string, unknown> = {}
  for (const [key, { column, field }] of keysByTable[of]) {
    if (!Object.hasOwn(meta, key)) continue
    const verdict = readerOf(field)(meta[key], `meta.${key}`)
    if ('problem' in verdict)
      throw new Refusal(400, verdict.detail?.code ?? 'rest_invalid_param', verdict.problem, { ...verdict.detail?.data })
    columns[column] = storedMeta(store, field, verdict.value)
    // The row of 0 that removes a venue stays before that of the next one.
    if (key === '_EventVenueID' && columns[column] === null) columns.unlinked = true
  }
  return columns
}

/** A value as its column stores it; of links, only those to existing records. */
function storedMeta(store: Scope['store'], { of, multiple }: MetaKey['field'], value: unknown): unknown {
  if (!of) return value
  const ids = [value].flat().filter(id => store.table(of).get(Number(id)))
  return multiple === false ? (ids[0] ?? null) : ids
}

function readerOf({ kind }: MetaKey['field']): Reader {
  if (kind.shape === 'flag') return booleanParameter
  if (kind.shape === 'links') return listParameter(integerParameter)
  if (kind.shape === 'moment') return wall
  return kind.isStoredBySite ? word(kind) : string
}

/** A text in a certain form; one that always has a value cannot be empty. */
const word =
  (kind: Kind): Reader =>
  (value, name) => {
    const verdict = string(value, name)
    if ('problem' in verdict) return verdict
    const text = String(verdict.value)
    const isReadable = text === '' ? !kind.isFilledIn : kind.isStoredBySite?.(text)
    return isReadable
      ? verdict
      : unreadable(
          name,
          inEnglish(() => kind.expected({})),
        )
  }

/** A wall time as the plugin stores it. */
const wall: Reader = (value, name) => {
  const verdict = string(value, name)
  if ('problem' in verdict) return verdict
  const date = readDate(String(verdict.value))
  return date ? { value: date.wall } : unreadable(name, 'a date')
}

/** A cost after a save without `_EventCost`: `0` becomes `Free`, `$20` becomes `20`, `1.234,56` becomes `1.234`. */
const storedFromDisplayed = (row: EventRow): string =>
  row.cost === '' ? '' : renderCost(row).replaceAll(currencyOfRow(row).symbol || '$', '')
