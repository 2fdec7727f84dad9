import { grouped } from '../../base/groups.ts'
import { foldText } from '../../base/text/folding.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { msWall, readDate, wallMs } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client, Values } from '../../client/client.ts'
import { wholeListQuery } from '../../client/find/whole-lists.ts'
import { withStatuses } from '../../client/selection/criteria.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { eventStatusOf } from '../../contract/event-status.ts'
import { type Answer, quoted, titleOf } from '../../contract/resource.ts'
import { recordName, shortDate } from '../../files/print/record-names.ts'
import type { Plan, Step } from './plan.ts'
import { batches } from './spool.ts'
import { isRemoval } from './steps.ts'

/** The hours of an event. Wall times, in ms: the clocks of a place are the same for all that happens there. */
export interface Booking {
  readonly name: string
  readonly from: number
  readonly until: number
}

/** In hours: what lasts as long, such as an exhibition, leaves room for others. */
export const leastHoursShared = 12

/** Whether an event has its place for itself. */
export const takesPlace = ({ from, until }: Booking, isWholeDay: boolean, hours = leastHoursShared): boolean =>
  !isWholeDay && until > from && until - from < hours * 3_600_000

/** Whether two events are at the same place at once. Two with the same name are duplicates, or the groups of a guided tour. */
export const collide = (one: Booking, other: Booking): boolean =>
  one.from < other.until && other.from < one.until && foldText(one.name) !== foldText(other.name)

/** The days on which an event is, by which those that may collide are found. */
const daysOf = ({ from, until }: Booking): string[] => [
  ...new Set([from, until - 1].map(ms => msWall(ms).slice(0, 10))),
]

const hoursOf = ({ from, until }: Booking, year: string | undefined): string =>
  `${shortDate(msWall(from), year)}–${msWall(until).slice(11, 16)}`

const events = resourceNamed('events')

type Taker = 'venue' | 'organizer'

/** An event as it is, or as a plan makes it. */
interface Booked extends Booking {
  readonly label: string
  /** The records that it takes, by what identifies them in the calendar or in the plan. */
  readonly taken: Readonly<Record<Taker, ReadonlyMap<string, string>>>
}

const mostNamed = 5

/** More pages are not read for a note. */
const mostPages = 10

/**
 * Sentences about events that a plan puts where another one is at these hours: at the same venue, or with an organizer who has one other event
 * then. An organizer with several at once is an institution. Reads only events of these venues, organizers and days.
 */
export async function bookingNotes(client: Client, { steps, made }: Pick<Plan, 'steps' | 'made'>): Promise<string[]> {
  const { planned, written } = plannedIn(steps)
  if (planned.length === 0) return []
  const notes = new Set<string>()
  for (const taker of ['venue', 'organizer'] as const) {
    const known = await readBooked(client, planned, taker)
    const others = [...known].filter(([id]) => !written.has(id)).map(([, booked]) => booked)
    for (const note of notesAbout(taker, planned, others, made.slice(0, 4))) notes.add(note)
  }
  return notes.size > mostNamed ? [listOfFirst([...notes], mostNamed)] : [...notes]
}

/** What a plan books anew, and the IDs of the events that it moves or removes. */
function plannedIn(steps: Iterable<Step>) {
  const names = new Map<string, string>()
  const planned: Booked[] = []
  const written = new Set<number>()
  for (const step of steps) {
    const { resource, key, values, id, lang_code: language } = step
    if (resource !== 'events') names.set(key, String(values[resourceNamed(resource).title] ?? ''))
    // Translations are at the same place.
    if (resource !== 'events' || language !== undefined) continue
    const booked = newBooking(step, names)
    if (booked) planned.push(booked)
    if (id !== undefined && (booked || isRemoval(step))) written.add(id)
  }
  return { planned, written }
}

/** What a step takes that its event did not take before. */
function newBooking(step: Step, names: ReadonlyMap<string, string>): Booked | undefined {
  if (isRemoval(step) || 'ref' in step) return undefined
  const { before, values, at, id } = step
  const event = { ...before, ...values } as Answer
  const label = recordName(events, { record: event, details: [at ?? id] })
  const booked = bookedOf(event, label, names)
  if (!booked || !before || step.action === 'restore') return booked
  const earlier = bookedOf(before, label, names)
  const keys = ({ from, until, taken }: Booked) =>
    JSON.stringify([from, until, [...taken.venue.keys()], [...taken.organizer.keys()]])
  return earlier && keys(earlier) === keys(booked) ? undefined : booked
}

function bookedOf(event: Answer, label: string, names: ReadonlyMap<string, string> = new Map()): Booked | undefined {
  const [from, until] = [event.start_date, event.end_date].map(date =>
    wallMs(readDate(String(date))?.wall ?? 'unknown'),
  ) as [number, number]
  const booking = { name: String(event.title ?? ''), from, until }
  if (event.status === 'trash' || eventStatusOf(event) === 'canceled') return undefined
  if (!takesPlace(booking, event.all_day === true)) return undefined
  const taken = { venue: linksOf('venue', event, names), organizer: linksOf('organizer', event, names) }
  return { ...booking, label, taken }
}

/** The names of the venue or the organizers of an event, by ID, or by the key of the step that creates them. */
function linksOf(taker: Taker, event: Values, names: ReadonlyMap<string, string>): Map<string, string> {
  const resource = resourceNamed(`${taker}s`)
  const links = [event[taker]].flat().map((link): [string, string] => {
    if (typeof link !== 'object' || link === null) return [String(link ?? ''), '']
    if ('$ref' in link) return [String(link.$ref), names.get(String(link.$ref)) ?? '']
    return [String((link as Answer).id ?? ''), titleOf(resource, link as Answer)]
  })
  return new Map(links.filter(([key]) => key !== '' && key !== '0'))
}

/** The events of the calendar that take the same venues, or organizers, on these days. */
async function readBooked(client: Client, planned: readonly Booked[], taker: Taker): Promise<Map<number, Booked>> {
  const found = new Map<number, Booked>()
  const ids = new Set(planned.flatMap(({ taken }) => [...taken[taker].keys()].filter(key => /^\d+$/.test(key))))
  const days = planned.flatMap(daysOf).toSorted()
  for (const some of batches(ids, 50)) {
    const scope = { resource: events, days: [days[0] ?? '', days.at(-1) ?? ''] as const }
    let pages = 0
    for await (const { records } of client.pages(events, wholeListQuery(scope, { [taker]: some.join(',') }))) {
      // Lists may not say that an event is cancelled.
      for (const record of await withStatuses(client, events, records)) {
        const booked = bookedOf(record, recordName(events, { record }))
        if (booked) found.set(record.id, booked)
      }
      pages += 1
      if (pages >= mostPages) break
    }
  }
  return found
}

function* notesAbout(taker: Taker, planned: readonly Booked[], others: readonly Booked[], year: string) {
  const keyed = [...others, ...planned].flatMap(booked =>
    [...booked.taken[taker].keys()].flatMap(key => daysOf(booked).map(day => ({ key: `${key} ${day}`, booked }))),
  )
  const byDay = grouped(keyed, ({ key }) => key)
  // A link that a plan writes is an ID without a name.
  const names = new Map([...planned, ...others].flatMap(({ taken }) => [...taken[taker]].filter(([, name]) => name)))
  const said = new Set<Booked>()
  for (const one of planned) {
    said.add(one)
    for (const key of one.taken[taker].keys()) {
      const near = daysOf(one).flatMap(day => byDay.get(`${key} ${day}`) ?? [])
      const neighbours = new Set(near.map(({ booked }) => booked))
      const colliding = [...neighbours].filter(other => other !== one && collide(one, other))
      const isInstitution = taker === 'organizer' && colliding.length > 1
      for (const other of colliding) {
        if (isInstitution || said.has(other) || (taker === 'organizer' && areTogether(one, other))) continue
        yield noteOn(taker, { name: names.get(key) ?? quoted(key), event: other.label, hours: hoursOf(other, year) })
      }
    }
  }
}

const noteOn = (taker: Taker, places: Readonly<Record<'name' | 'event' | 'hours', string>>): string =>
  taker === 'venue'
    ? phrase('{name} is taken {hours} by {event}', places)
    : phrase('{name} has {event} at these hours: {hours}', places)

/** Whether two events are at the same venue, which has been said. */
const areTogether = (one: Booked, other: Booked): boolean =>
  [...one.taken.venue.keys()].some(key => other.taken.venue.has(key))
