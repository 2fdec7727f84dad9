import { isObject } from '../../base/text/json.ts'
import { readDate } from '../../base/time/dates.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field, Kind } from '../../contract/field.ts'
import { dateTimeKind } from '../../contract/kinds/date-kind.ts'
import { textKind } from '../../contract/kinds/text-kinds.ts'
import { writableFields } from '../../contract/resource.ts'
import { renderCost } from '../production/cost.ts'
import { Refusal } from '../refusal.ts'
import type { Scope } from '../request-context.ts'
import type { PostRow, PostTable } from '../store/rows.ts'
import { boolean, integer, listOf, type Reader, string, unreadable } from './parameters.ts'

/** A key of `meta`: the column that it stands for, and how it is read. */
interface MetaKey {
  readonly column: string
  readonly field: Pick<Field, 'kind' | 'multiple' | 'of'>
  /** Whether it is registered for this type alone: most are for all of the plugin's types. */
  readonly isOwn?: true
}

/** The keys of a resource's `meta`: the contract names those of its fields, and an event has some that the events API does not. */
function keysOf(of: PostTable): ReadonlyMap<string, MetaKey> {
  const keys = writableFields(resourceNamed(of)).flatMap(([column, field]): [string, MetaKey][] =>
    field.site?.key?.startsWith('meta.') ? [[field.site.key.slice('meta.'.length), { column, field }]] : [],
  )
  return new Map(of === 'events' ? [...keys, ...otherEventKeys] : keys)
}

const otherEventKeys: readonly [string, MetaKey][] = [
  ['_tribe_events_status', { column: 'event_status', field: { kind: textKind }, isOwn: true }],
  ['_tribe_events_status_reason', { column: 'event_status_reason', field: { kind: textKind }, isOwn: true }],
  ['_EventStartDateUTC', { column: 'utc_start_date', field: { kind: dateTimeKind } }],
  ['_EventEndDateUTC', { column: 'utc_end_date', field: { kind: dateTimeKind } }],
]

const keysByTable: Readonly<Record<PostTable, ReadonlyMap<string, MetaKey>>> = {
  events: keysOf('events'),
  venues: keysOf('venues'),
  organizers: keysOf('organizers'),
}

/** Keys that the plugin registers and that nothing here is stored in. */
const unusedKeys = [
  '_EventCostDescription',
  '_EventCurrencySymbol',
  '_EventCurrencyCode',
  '_EventCurrencyPosition',
  '_EventDateTimeSeparator',
  '_EventTimeRangeSeparator',
]

/** The `meta` of a post. */
export function metaOf(of: PostTable | 'attachments', row: PostRow | object = {}): object {
  const venue = of === 'venues' ? { ...row } : {}
  const meta: Record<string, unknown> = {
    ...Object.fromEntries(unusedKeys.map(key => [key, ''])),
    // Attachments have no footnotes.
    ...(of !== 'attachments' && { footnotes: '' }),
    _VenueLat: Reflect.get(venue, 'geo_lat') ?? '',
    _VenueLng: Reflect.get(venue, 'geo_lng') ?? '',
  }
  for (const [table, keys] of Object.entries(keysByTable))
    for (const [key, { column, field, isOwn }] of keys)
      if (table === of) meta[key] = shown(field, Reflect.get(row, column))
      else if (!isOwn) meta[key] = field.kind.emptyColumn ?? ''
  // A venue has the flags of events as well as its own.
  for (const flag of ['ShowMap', 'ShowMapLink']) if (of === 'venues') meta[`_Event${flag}`] = meta[`_Venue${flag}`]
  return meta
}

function shown({ kind, multiple }: MetaKey['field'], value: unknown): unknown {
  return kind.shape === 'links' && multiple === false ? [value ?? 0] : (value ?? '')
}

/**
 * The columns that a patch of `meta` sets; keys of other post types and unknown ones are ignored. WordPress checks the types; what
 * it would store and the calendar could not read again is refused too.
 */
export function metaColumns({ store }: Pick<Scope, 'store'>, of: PostTable, meta: unknown): object {
  if (!isObject(meta)) return {}
  const columns: Record<string, unknown> = {}
  for (const [key, { column, field }] of keysByTable[of]) {
    if (!Object.hasOwn(meta, key)) continue
    const verdict = readerOf(field)(meta[key], `meta.${key}`)
    if ('code' in verdict) throw new Refusal(400, verdict.code, verdict.message, { ...verdict.data })
    const linked = field.of && store.table(field.of)
    const ids = [verdict.value].flat().filter(id => linked?.get(Number(id)))
    if (!linked) columns[column] = verdict.value
    else columns[column] = field.multiple === false ? (ids[0] ?? null) : ids
  }
  return columns
}

function readerOf({ kind }: MetaKey['field']): Reader {
  if (kind.shape === 'flag') return boolean
  if (kind.shape === 'links') return listOf(integer)
  if (kind.shape === 'moment') return wall
  return kind.isStoredBySite ? word(kind) : string
}

/** A text in a form of its own; one that always has a value cannot be empty. */
const word =
  (kind: Kind): Reader =>
  (value, name) => {
    const verdict = string(value, name)
    if ('code' in verdict) return verdict
    const text = String(verdict.value)
    const isReadable = text === '' ? !kind.isFilledIn : kind.isStoredBySite?.(text)
    return isReadable ? verdict : unreadable(name, kind.expected({}))
  }

/** A wall time as the plugin stores it. */
const wall: Reader = (value, name) => {
  const verdict = string(value, name)
  if ('code' in verdict) return verdict
  const date = readDate(String(verdict.value))
  return date ? { value: date.wall } : unreadable(name, 'a date')
}

/** A cost as a save without `_EventCost` leaves it: `0` becomes `Free`, `$20` becomes `20`, `1.234,56` becomes `1.234`. */
export const storedFromDisplayed = (stored: string): string =>
  stored === '' ? '' : renderCost(stored).replaceAll('$', '')
