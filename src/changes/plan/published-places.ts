/**
 * Venues and organizers that a site publishes along with an event: an update of a published event publishes those that the event had before
 * it, whatever their status was. Input: steps. Output: the places with what an update needs to give them their status back, and a note.
 */

import { memoizeByObject } from '../../base/memoize.ts'
import { isObject } from '../../base/text/json.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { showsStored } from '../../client/adapters/shown-stored-records.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { type Answer, recordKey } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import { type Signs, signsOf } from './identity.ts'
import type { Plan, Step } from './plan.ts'
import { isOnTrashed } from './steps.ts'

/** A venue or organizer that was not public before a site published it. */
export interface PublishedPlace {
  readonly resource: ResourceName
  readonly id: number
  readonly language?: Step['lang_code']
  readonly status: string
  readonly slug?: string
  readonly signs?: Signs
  /** Whether it was the user who published the event, and with it what the event uses. */
  readonly isWanted?: true
}

/**
 * The places that the site publishes when it carries out a step, with the status that they had, or that the same plan gives them: one that
 * a plan makes a draft is published again by an update of its events.
 */
export function placesPublishedBy({ steps }: Pick<Plan, 'steps'>, step: Step): PublishedPlace[] {
  const { resource, before, lang_code: language } = step
  if (resource !== 'events' || !before || !leavesPublished(step, before)) return []
  const publishes = step.action === 'update' && before.status !== 'publish'
  return linkedPlaces(before).flatMap(([of, place]) => {
    const id = Number(place.id)
    const planned = plannedStatuses(steps).get(recordKey(of, id))
    const { status, slug } = planned ?? place
    if (typeof status !== 'string' || status === 'publish' || status === 'trash') return []
    return {
      resource: of,
      id,
      status,
      signs: signsOf(of, place),
      ...(language && { language }),
      ...(typeof slug === 'string' && { slug }),
      ...(publishes && !planned && { isWanted: true as const }),
    }
  })
}

function leavesPublished(step: Step, before: Answer): boolean {
  const { status = before.status } = step.values
  if (step.action === 'restore') return step.values.status === 'publish'
  return step.action === 'update' && !isOnTrashed(step) && status === 'publish'
}

const linkedPlaces = (event: Answer): [ResourceName, Readonly<Record<string, unknown>>][] =>
  Object.entries(resourceNamed('events').fields).flatMap(([name, { of, kind }]) =>
    of && !kind.isTerms
      ? [event[name]]
          .flat()
          .filter(isObject)
          .map((place): [ResourceName, typeof place] => [of, place])
      : [],
  )

/** What a plan itself writes to the status and the slug of places, by `recordKey`; empty for those that it creates, removes or restores. */
const plannedStatuses = memoizeByObject((steps: Plan['steps']): ReadonlyMap<string, Values> => {
  const planned = new Map<string, Values>()
  for (const { resource, id, action, values } of steps)
    if (id !== undefined && resource !== 'events' && (action !== 'update' || 'status' in values))
      planned.set(recordKey(resource, id), action === 'update' ? values : {})
  return planned
})

/** The values that give a place back the status that it had, and the empty slug; the site keeps the date of a draft that it publishes so. */
export async function statusGivenBack(client: Client, place: PublishedPlace): Promise<Values> {
  const { resource, language, status, slug } = place
  const isWhole = slug === '' && (await showsStored(client, { resource: resourceNamed(resource), language }))
  return { status, ...(isWhole && { slug }) }
}

const mostNamed = 3

/** Says which places the site publishes along with the events of a plan, and what becomes of them; undefined if there are none. */
export function publishedNote({ capabilities }: Client, plan: Pick<Plan, 'steps'>): string | undefined {
  if (!capabilities.touchesOthers) return undefined
  const [kept, returned] = [new Map<string, string>(), new Map<string, string>()]
  for (const step of plan.steps)
    for (const place of placesPublishedBy(plan, step))
      (place.isWanted ? kept : returned).set(recordKey(place.resource, place.id), nameIn(step, place))
  for (const key of kept.keys()) returned.delete(key)
  const names = (places: ReadonlyMap<string, string>) => ({
    places: listOfFirst([...places.values()], mostNamed),
    count: places.size,
  })
  const notes = [
    kept.size > 0 && phrase('the site also publishes {places}; undo takes that back', names(kept)),
    returned.size > 0 &&
      phrase(
        'the site also publishes {places}; {count, plural, one {it gets its} other {they get their}} earlier status back at the end',
        names(returned),
      ),
  ]
  return notes.filter(Boolean).join('; ') || undefined
}

function nameIn({ before }: Step, { resource, id }: PublishedPlace): string {
  const [, place] = (before ? linkedPlaces(before) : []).find(([of, place]) => of === resource && place.id === id) ?? []
  return namedRecord(resource, `${JSON.stringify(place?.[resourceNamed(resource).title] ?? '')} (${id})`)
}
