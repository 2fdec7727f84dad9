/**
 * The series of an event: the events that `--repeat`, a row of a sheet or the rule of a feed made together. Input: the event, and the
 * journals of this machine. Output: the events of its series as they are now. Journals know them whatever was edited since; slugs of feeds
 * contain the UID; other events with one title, place and hour are a series if they come in a rhythm.
 */

import { ignoreErrors } from '../../base/attempt.ts'
import { decodeEntities } from '../../base/text/escaping.ts'
import { daysBetween } from '../../base/time/dates.ts'
import { searchFor } from '../../client/adapters/reconcile.ts'
import type { Client, Values } from '../../client/client.ts'
import { hasName } from '../../client/find/slugs.ts'
import { wholeListQuery } from '../../client/find/whole-lists.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Answer } from '../../contract/resource.ts'
import { splitFeedSlug } from '../../files/icalendar/event-visibility.ts'
import { allSignsOf, hasSigns } from '../plan/identity.ts'
import type { Step } from '../plan/plan.ts'
import { SiteReader } from '../plan/site-reader.ts'
import { readHeader, readJournal } from './journal-reader.ts'
import { listRuns } from './runs-folder.ts'

export interface EventSeries {
  /** In the order of their starts. */
  readonly events: readonly Answer[]
  /** How many others are in the trash or deleted. */
  readonly gone: number
  /** Those whose title or hour differs from the event that was named. */
  readonly different: readonly Answer[]
}

const resource = resourceNamed('events')

/** The series of an event; it has one event if there is none. */
export async function seriesOf(client: Client, event: Answer, runs: string | undefined): Promise<EventSeries> {
  const made = runs === undefined ? [] : madeTogether(client, event, runs)
  const isMade = (record: Answer) => made.some(one => one.id === record.id && one.is(record))
  const known = await new SiteReader(client).readByIds(
    { resource },
    made.map(({ id }) => id),
  )
  const own = [...known.values()].filter(isMade)
  const events = own.length > 1 ? own : await recognized(client, event)
  return {
    events: events.toSorted(byStart),
    gone: own.length > 1 ? made.length - own.length : 0,
    different: events.filter(one => !hasName(resource, event, one) || hourOf(one) !== hourOf(event)),
  }
}

/** An event that a run created. */
interface Made {
  readonly id: number
  /** What the events of a series have in common. */
  readonly series: string
  /** Whether a record with this ID still is this event. */
  is(record: Answer): boolean
}

/** The events that were made in the same way as this one, according to the journals of its calendar. */
function madeTogether(client: Client, event: Answer, runs: string): Made[] {
  const made = listRuns(runs).flatMap(({ file }) => {
    const header = readHeader(file)
    if (header?.plan.calendar.id !== client.calendar.id || header.undoes !== undefined) return []
    return ignoreErrors(() => createdBy(file)) ?? []
  })
  const own = made.find(one => one.id === event.id && one.is(event))
  return made.filter(({ series }) => series === own?.series)
}

function createdBy(file: string): Made[] {
  const run = readJournal(file)
  return Array.from(run.plan.steps).flatMap(step => {
    const { state, id } = run.results.get(step.key) ?? {}
    if (step.action !== 'create' || step.resource !== 'events' || state !== 'done' || id === undefined) return []
    const is = (record: Answer) => hasSigns('events', record, allSignsOf('events', run.valuesAfter(step.key)))
    return { id, series: seriesOfStep(step, run.run), is }
  })
}

/** What is new in a feed comes in later runs. */
function seriesOfStep({ lang_code: language, values, words }: Step, run: string): string {
  const { title, start_date: start, venue } = values
  const uid = uidOf(words?.[0]?.key ?? values.slug)
  return JSON.stringify([language, ...(uid === undefined ? [run, title, venue, String(start).slice(11, 16)] : [uid])])
}

/** The UID in the slug of an occurrence in a feed, which has a digest of it; people write dates in slugs, too. */
function uidOf(slug: unknown): string | undefined {
  const { uidSlug, day } = splitFeedSlug(String(slug))
  return day !== '' && /(?:^|-)[\da-f]{10}$/.test(uidSlug) ? uidSlug : undefined
}

const dayOf = ({ start_date: start }: Values): string => String(start).slice(0, 10)
const hourOf = ({ start_date: start }: Values): string => String(start).slice(11, 16)
const byStart = (one: Answer, other: Answer): number => (String(one.start_date) < String(other.start_date) ? -1 : 1)

const venueOf = ({ venue }: Answer): string =>
  JSON.stringify(resource.fields.venue?.kind.canonical(venue, resource.fields.venue))

/** The series of an event that no journal knows. */
async function recognized(client: Client, event: Answer): Promise<readonly Answer[]> {
  const alike: Answer[] = []
  const query = wholeListQuery({ resource }, searchFor(decodeEntities(String(event.title))))
  for await (const { records } of client.pages(resource, query))
    alike.push(...records.filter(one => hasName(resource, event, one)))
  const uid = uidOf(event.slug)
  if (uid !== undefined) return alike.filter(({ slug }) => uidOf(slug) === uid)
  return inRhythm(
    alike.filter(one => hourOf(one) === hourOf(event) && venueOf(one) === venueOf(event)).toSorted(byStart),
    event,
  )
}

/** In days: a series may pause over Christmas. */
const longestGap = 35

/** The events around this one that come again on a weekday, or else at least three in equal steps. */
function inRhythm(alike: readonly Answer[], event: Answer): readonly Answer[] {
  const isWeekly = (one: Answer) => alike.some(other => isWeeksFrom(Math.abs(gapOf(one, other))))
  const weekly = around(alike.filter(isWeekly), event, (one, next) => gapOf(one, next) <= longestGap)
  if (weekly.length > 1) return weekly
  const steps = ['month', ...Array.from({ length: longestGap }, (_, index) => index + 1)]
  const steady = steps.map(step => around(alike, event, (one, next) => stepOf(one, next) === step))
  return steady.find(({ length }) => length > 2) ?? []
}

const isWeeksFrom = (days: number): boolean => days > 0 && days <= longestGap && days % 7 === 0

const gapOf = (one: Answer, next: Answer): number => daysBetween(dayOf(one), dayOf(next))

/** The days from one event to the next; the same for all months. */
function stepOf(one: Answer, next: Answer): number | string {
  const gap = gapOf(one, next)
  return gap >= 28 && gap <= 31 && dayOf(one).slice(8) === dayOf(next).slice(8) ? 'month' : gap
}

/** The part of a list around an event in which each is followed by the next. */
function around(list: readonly Answer[], { id }: Answer, isNext: (one: Answer, next: Answer) => boolean) {
  const parts: Answer[][] = [[]]
  for (const one of list) {
    const before = parts.at(-1)?.at(-1)
    if (before && !isNext(before, one)) parts.push([])
    parts.at(-1)?.push(one)
  }
  return parts.find(part => part.some(one => one.id === id)) ?? []
}
