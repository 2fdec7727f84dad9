import { type DayEvent, dayEvent, whereOf } from '../../files/print/day-events.ts'
import type { PageEvent } from './read-view.ts'

/** What a plan does to a record. */
export interface ShownChange {
  readonly kind: 'new' | 'changed' | 'moved' | 'removed' | 'restored' | 'same'
  /** Of its step in the plan, from 0. */
  readonly number: number
  readonly resource: string
  readonly id: number | null
  readonly title: string
  /** The difference, as `calctl diff` says it. */
  readonly sentence: string
  readonly before: Partial<PageEvent> | null
  readonly after: Partial<PageEvent> | null
}

/** An event as the API answers it, and its place on its days. */
export interface ShownEvent {
  readonly event: PageEvent
  readonly day: DayEvent
  /** What a plan does to it, and whether this is its state before the plan. */
  readonly planned?: { readonly change: ShownChange; readonly isBefore: boolean }
}

/** While events are sought by a category, it decides how they look. */
export function ledBy(chosen: string | undefined, { day, ...shown }: ShownEvent): ShownEvent {
  const { categories } = day
  const led = new Set([...categories.filter(({ id }) => String(id) === chosen), ...categories])
  return { ...shown, day: { ...day, categories: [...led] } }
}

/** The place and price of an event, of which no line ends with the dot between them. */
export const detailsIn = (event: DayEvent): string => [whereOf(event), event.cost].filter(Boolean).join(' ·\u00a0')

/** An event on its days; undefined for one without a date. */
export function shownEvent(event: PageEvent, planned?: ShownEvent['planned']): ShownEvent | undefined {
  const day = dayEvent(event)
  return day && { event, day, ...(planned && { planned }) }
}
