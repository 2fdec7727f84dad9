import type { Field } from '../contract/field.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { momentOf, msWall, readDate } from '../time/dates.ts'
import { readTyped, shiftWall } from '../time/typed-dates.ts'
import { fromUtc, withOffsetIfAmbiguous } from '../time/zone.ts'
import type { Values } from './client.ts'
import { writableValue } from './compare.ts'
import type { NameLookup } from './name-lookup.ts'

const ends = ['start_date', 'end_date'] as const

/** A change as people ask for it, the same for any number of records. */
export interface Change {
  readonly values: Values
  /** Links to put beside those that are there, and to take from them, by field. */
  readonly add?: Values
  readonly remove?: Values
  /** In ms of wall time; moves both ends. */
  readonly shift?: number
  /** A new time zone keeps the instant instead of the wall time. */
  readonly keepInstant?: boolean
}

/** What stands around a change: the clock, the viewer's zone, who looks names up, and who is told of what is not plain. */
export interface ChangeContext {
  readonly now: Date
  readonly zone: string
  /** The site's zone, where it is known. */
  siteZone?(): Promise<string | undefined>
  readonly names: NameLookup
  readonly notice: (text: string) => Promise<void>
  /** False for a site that drops the offsets of dates; undefined where that is not known. */
  readonly keepsOffsets?: boolean
  /** What a field is called where the change is asked for; an option unless it is said. */
  readonly fieldLabel?: (field: string) => string
}

/** What a change means for a record as it is: values that can be sent. */
export async function resolveChange(
  resource: Resource,
  before: Answer,
  change: Change,
  around: ChangeContext,
): Promise<Values> {
  const moved = { ...change.values, ...movedDates(before, change) }
  await tellKeptWallTime(before, change, around)
  const dated = await settledDates(resource, moved, String(moved.timezone || before.timezone || around.zone), around)
  checkOrder({ ...before, ...dated }, around)
  const links = await linkChanges(resource, before, change, around)
  return { ...(await around.names.resolve(resource, dated)), ...links }
}

/** What a change means where there is no record yet. */
export async function resolveCreation(resource: Resource, values: Values, around: ChangeContext): Promise<Values> {
  const isMoment = ends.some(name => readDate(String(values[name]))?.offset !== undefined)
  const zone = String(values.timezone || (isMoment && (await around.siteZone?.())) || around.zone)
  const dated = await settledDates(resource, values, zone, around)
  checkOrder(dated, around)
  const converted = ends.some(name => name in dated && !isWallTime(String(values[name])))
  return around.names.resolve(resource, converted ? { ...dated, timezone: zone } : dated)
}

/** Not every service refuses an end before the start; some move it. */
function checkOrder({ start_date: start, end_date: end }: Values, { fieldLabel: called }: ChangeContext): void {
  if (typeof start !== 'string' || typeof end !== 'string' || !endsBefore(start, end)) return
  throw new Failure('usage', `the event would end (${end.slice(0, 16)}) before it starts (${start.slice(0, 16)})`, {
    hint: called
      ? `give both ${called('start_date')} and ${called('end_date')}`
      : 'give both --start-date and --end-date, or move both ends with --shift',
  })
}

/** Wall times are compared, unless both say which moment they mean. */
function endsBefore(start: string, end: string): boolean {
  const [from, to] = [readDate(start), readDate(end)]
  if (from?.offset !== undefined && to?.offset !== undefined) return momentOf(to) < momentOf(from)
  return end.slice(0, 19) < start.slice(0, 19)
}

/** An offset, or words such as tomorrow, mean one wall time here and another one elsewhere. */
function isWallTime(text: string): boolean {
  const date = readDate(text)
  return date !== undefined && date.offset === undefined
}

/** Refuses dates that cannot be read, before anything is sent; which instant they mean is settled with the record's zone. */
export function checkDates(resource: Resource, values: Values, now: Date): void {
  for (const [name] of datesIn(resource, values)) {
    const typed = readTyped(String(values[name]), 'UTC', now)
    if (!typed.ok) throw misread(name, typed)
  }
}

const datesIn = (resource: Resource, values: Values): [string, Field][] =>
  Object.entries(resource.fields).filter(([name, { kind }]) => kind === 'dateTime' && typeof values[name] === 'string')

async function settledDates(
  resource: Resource,
  values: Values,
  zone: string,
  { now, notice, fieldLabel: called, keepsOffsets: heedsOffsets = true }: ChangeContext,
): Promise<Values> {
  const settled: Record<string, unknown> = { ...values }
  for (const [name] of datesIn(resource, values)) {
    // A publication date counts in the site's zone, which is not known here.
    const given = readDate(String(values[name]))
    const isMoment = name === 'date' && given?.offset !== undefined
    const typed = readTyped(String(values[name]), name === 'date_utc' || isMoment ? 'UTC' : zone, now)
    if (!typed.ok) throw misread(name, typed, called)
    if (isMoment) delete settled.date
    settled[isMoment ? 'date_utc' : name] =
      isEnd(name) && heedsOffsets && given?.offset !== undefined
        ? withOffsetIfAmbiguous(typed.wall, msWall(momentOf(given)), zone)
        : typed.wall
    if (typed.note) await notice(typed.note)
  }
  return settled
}

const isEnd = (name: string): boolean => ends.some(end => end === name)

const asOption = (name: string): string => `--${name.replaceAll('_', '-')}`

const misread = (name: string, { message, hint }: { message: string; hint: string }, called = asOption) =>
  new Failure('usage', `${called(name)}: ${message}`, { hint })

function movedDates(before: Answer, { values, shift, keepInstant }: Change): Values {
  if (shift !== undefined) return Object.fromEntries(ends.map(name => [name, shiftWall(String(before[name]), shift)]))
  if (!keepInstant || typeof values.timezone !== 'string') return {}
  const zone = values.timezone
  return Object.fromEntries(ends.map(name => [name, fromUtc(String(before[`utc_${name}`]), zone)]))
}

async function tellKeptWallTime(
  before: Answer,
  { values, keepInstant }: Change,
  { notice }: ChangeContext,
): Promise<void> {
  const isNew = typeof values.timezone === 'string' && values.timezone !== before.timezone
  if (!isNew || keepInstant || ends.some(name => name in values)) return
  await notice(
    `kept ${String(before.start_date).slice(0, 16)} as the wall time in ${values.timezone}; to keep the instant add: --keep-instant`,
  )
}

async function linkChanges(
  resource: Resource,
  before: Answer,
  { add = {}, remove = {} }: Change,
  { names }: ChangeContext,
): Promise<Values> {
  const [added, removed] = [await names.resolve(resource, add), await names.resolve(resource, remove)]
  const changed = [...new Set([...Object.keys(added), ...Object.keys(removed)])]
  return Object.fromEntries(
    changed.map(name => {
      const field = resource.fields[name]
      const present = field ? listed(writableValue(field, before[name])) : []
      const gone = new Set(listed(removed[name]))
      return [name, [...new Set([...present, ...listed(added[name])])].filter(id => !gone.has(id))]
    }),
  )
}

const listed = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat())
