/**
 * Counts of events for reports: by month, place, category and so on. Input: events one by one. Output: a row for each group with how many
 * events it has and how many of them were cancelled. An event with several categories counts in each of them, and one that lasts counts in
 * the month in which it begins.
 */

import { decodeEntities } from '../base/text/escaping.ts'
import { isObject } from '../base/text/json.ts'
import { type DayRange, monthOf } from '../base/time/calendar-words.ts'
import { firstOfMonth, plusDays } from '../base/time/dates.ts'
import { isFree, readPrice } from '../contract/price.ts'
import type { Answer } from '../contract/resource.ts'

export type Grouping = 'month' | 'place' | 'category' | 'tag' | 'organizer' | 'language' | 'price' | 'status'

/** How many events a group has; `value` is empty for the events without one. */
export interface Count {
  readonly value: string
  readonly events: number
  readonly cancelled: number
}

/**
 * Counts events in groups: months in their order, the others with the largest first. `days` are the days of the report: each of their months
 * has a row, also without events. The total counts each event once.
 */
export function createEventCounter(by: Grouping, days: DayRange) {
  const groups = new Map<string, { events: number; cancelled: number }>()
  const total = { events: 0, cancelled: 0 }
  const groupOf = (value: string) => {
    const group = groups.get(value) ?? { events: 0, cancelled: 0 }
    groups.set(value, group)
    return group
  }
  if (by === 'month') for (const month of monthsOf(days)) groupOf(month)
  return {
    add(event: Answer) {
      const values = new Set(valuesOf(event, by))
      const isCancelled = event.event_status === 'canceled'
      for (const group of [total, ...Array.from(values.size > 0 ? values : [''], groupOf)]) {
        group.events += 1
        if (isCancelled) group.cancelled += 1
      }
    },
    counts: (): Count[] => Array.from(groups, ([value, group]) => ({ value, ...group })).toSorted(orderOf(by)),
    total: () => total,
  }
}

const orderOf = (by: Grouping) => (one: Count, other: Count) =>
  by === 'month'
    ? one.value.localeCompare(other.value)
    : other.events - one.events || one.value.localeCompare(other.value)

function monthsOf({ first, last }: DayRange): string[] {
  const months: string[] = []
  for (let day = first; day !== undefined && last !== undefined && day <= last; day = firstOfMonth(day, 1))
    months.push(day.slice(0, 7))
  return months
}

/** The groups to which an event belongs. */
function valuesOf(event: Answer, by: Grouping): string[] {
  if (by === 'month') return [String(event.start_date).slice(0, 7)]
  if (by === 'language') return event.lang_code ? [String(event.lang_code)] : []
  if (by === 'status') return [String(event.status)]
  if (by === 'price') return priceOf(String(event.cost ?? ''))
  if (by === 'place') return namesIn(event.venue, 'venue')
  if (by === 'organizer') return namesIn(event.organizer, 'organizer')
  return namesIn(by === 'category' ? event.categories : event.tags, 'name')
}

const namesIn = (links: unknown, title: string): string[] =>
  [links].flat().flatMap(link => (isObject(link) && link[title] ? decodeEntities(String(link[title])) : []))

/** `free`, `paid`, or nothing if the event does not say what it costs. */
function priceOf(cost: string): string[] {
  const text = decodeEntities(cost).trim()
  if (text === '') return []
  if (isFree(text)) return ['free']
  const price = readPrice(text)
  const amounts = 'value' in price ? price.value.amounts : []
  return [amounts.length > 0 && amounts.every(amount => Number(amount) === 0) ? 'free' : 'paid']
}

/** The days of a report in another year: from the same day to the same day, or to the end of the same month. */
export function daysInYear({ first = '', last = '' }: DayRange, year: number): DayRange {
  const shift = year - Number(first.slice(0, 4))
  const moved = (day: string) => `${Number(day.slice(0, 4)) + shift}${day.slice(4)}`
  const isEndOfMonth = monthOf(last).last === last
  const lastDay = isEndOfMonth ? monthOf(`${moved(last).slice(0, 7)}-01`).last : moved(last)
  // 29 February is 1 March in most years.
  return { first: plusDays(`${moved(first).slice(0, 7)}-01`, Number(first.slice(8)) - 1), last: lastDay }
}
