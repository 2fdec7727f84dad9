import { grouped } from '../../base/groups.ts'
import { memoize } from '../../base/memoize.ts'
import { isObject } from '../../base/text/json.ts'
import { wallMs } from '../../base/time/dates.ts'
import type { Client } from '../../client/client.ts'
import { imageId } from '../../client/images/image-sources.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { eventStatusOf } from '../../contract/event-status.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import { type Answer, type Resource, titleOf } from '../../contract/resource.ts'
import { preferenceOf } from '../doubles/merge-plan.ts'
import { sharedSlug } from '../translations/sets.ts'

/**
 * What is kept of a record for comparing it with others, because whole records would fill the memory. Texts that many records share, such
 * as zones, are kept once.
 */
export interface Brief {
  readonly resource: ResourceName
  readonly id: number
  readonly lang_code: Language | undefined
  readonly name: string
  readonly status: string
}

export type EventBrief = ReturnType<typeof eventBrief>

/** What is kept of the records of a language. */
export interface Briefs {
  readonly events: EventBrief[]
  readonly venues: Brief[]
  readonly organizers: Brief[]
  readonly categories: Brief[]
  readonly tags: Brief[]
  /** The images of venues, organizers and upcoming events, by ID, with the first record that has each. */
  readonly featured: Map<number, { readonly of: Brief; readonly file: string }>
  /** How many events, of any status and date, link to each record; undefined if not all events were read. */
  readonly uses: Readonly<Record<'venues' | 'organizers', Map<number, number>>> | undefined
}

/** A record of a translation set, with its facts as JSON, which takes a third of the memory of an object. */
export interface TranslationMember {
  readonly brief: Brief
  readonly language: Language | undefined
  readonly facts: string
}

/** The facts that records of several languages share. */
export interface TranslationFacts {
  add(resource: Resource, record: Answer, brief: Brief, language: Language | undefined): void
  /** The records of each event, those without a translation too. */
  ofEvents(): Iterable<readonly TranslationMember[]>
  /** The records of one thing, those of the first language first. */
  sets(client: Pick<Client, 'pairings'>): AsyncIterable<readonly [Resource, readonly TranslationMember[]]>
}

export const emptyBriefs = (countsUses: boolean): Briefs => ({
  events: [],
  venues: [],
  organizers: [],
  categories: [],
  tags: [],
  featured: new Map(),
  uses: countsUses ? { venues: new Map(), organizers: new Map() } : undefined,
})

/** The part of a record to keep; `shared` returns an equal text that was kept before. */
export function briefOf(resource: Resource, record: Answer, shared = (text: string) => text): Brief {
  const { name } = resource
  const { id, lang_code } = record
  if (name === 'events') return eventBrief(resource, record, shared)
  return { resource: name, id, lang_code, name: titleOf(resource, record), status: shared(textAt(record, 'status')) }
}

/** Written out in full: with `...brief`, V8 would describe the shape of each event separately, in 400 bytes. */
function eventBrief(resource: Resource, record: Answer, shared: (text: string) => string) {
  const [venue] = [record.venue].flat().filter(isObject)
  return {
    resource: 'events' as const,
    id: record.id,
    lang_code: record.lang_code,
    name: titleOf(resource, record),
    status: shared(textAt(record, 'status')),
    /** Among duplicates, the one with the highest preference is kept. */
    preference: preferenceOf(resource, record),
    /** The wall time of the start. */
    start: shared(textAt(record, 'start_date')),
    /** Moments, in ms. */
    from: wallMs(textAt(record, 'utc_start_date')),
    until: wallMs(textAt(record, 'utc_end_date')),
    zone: shared(textAt(record, 'timezone')),
    isWholeDay: record.all_day === true,
    isCancelled: eventStatusOf(record) === 'canceled',
    /** 0 without a venue. */
    venue: Number(venue?.id ?? 0),
    venueName: shared(titleOf(resourceNamed('venues'), venue)),
    /** Its ID; 0 without one, undefined if the service does not say. */
    image: record.image === undefined ? undefined : (imageId(record) ?? 0),
    /** The slug without the numbers at its end. */
    stem: shared((sharedSlug(record) ?? '').replace(/(?:-\d+)+$/, '')),
  }
}

/** Keeps what is compared of a record. */
export function keepBrief(briefs: Briefs, resource: Resource, record: Answer, shared: (text: string) => string): Brief {
  const brief = briefOf(resource, record, shared)
  const list: Brief[] = briefs[resource.name]
  list.push(brief)
  return brief
}

/** Texts that many records have are kept once. */
export const createShared = (): ((text: string) => string) => memoize(text => text)

/** Counts what an event links to. */
export function countLinks({ uses }: Briefs, event: Answer): void {
  if (!uses) return
  const links = { venues: event.venue, organizers: event.organizer }
  for (const [name, value] of Object.entries(links) as [keyof typeof links, unknown][])
    for (const link of [value].flat().filter(isObject)) {
      const id = Number(link.id)
      uses[name].set(id, (uses[name].get(id) ?? 0) + 1)
    }
}

/** Keeps the image of a record, unless another record has it too. */
export function addFeaturedImage({ featured }: Briefs, of: Brief, record: Answer): void {
  const id = imageId(record)
  if (id === undefined || featured.has(id) || !isObject(record.image)) return
  const url = textAt(record.image, 'url')
  featured.set(id, { of, file: url.slice(url.lastIndexOf('/') + 1) })
}

/** A text of a record; empty for anything else. */
export function textAt(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

/** The value that most of them have, and how many do. */
export function mostCommon<B, V>(briefs: readonly B[], valueIn: (brief: B) => V) {
  const ranked = Array.from(grouped(briefs, valueIn), ([value, { length: count }]) => ({ value, count }))
  return ranked.toSorted((one, other) => other.count - one.count)[0]
}
