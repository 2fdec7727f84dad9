/** Who may see an event: what iCalendar says of it (CLASS), and what calctl adds, so that no draft becomes public by way of a feed. */

import type { Status } from '../../contract/post-status.ts'
import type { Answer } from '../../contract/resource.ts'
import { readDate } from '../../time/dates.ts'
import { withOffset } from '../../time/zone.ts'
import type { RecordEntry } from '../records/record-builder.ts'
import type { Component } from './component.ts'
import { optionalValueOf, type XCalctlName, xCalctlValues } from './properties.ts'

/** The statuses that X-CALCTL-STATUS carries. Without it, an event is published. */
const carried: readonly Status[] = ['draft', 'pending', 'private', 'future']

const isUnfinished = (status: unknown): boolean => status === 'draft' || status === 'pending'

/** The properties for what of an event is not public; a password is not carried, only that there was one. */
export function visibilityProperties(event: Answer): readonly (readonly [XCalctlName, string])[] {
  const { status, hide_from_listings: isHidden } = event
  const [date, utc] = [event.date, event.date_utc].map(text => readDate(String(text))?.wall)
  return [
    ...(carried.some(name => name === status) ? [['status', String(status)] as const] : []),
    ...(status === 'future' && date && utc ? [['date', withOffset(date, utc)] as const] : []),
    ...(isHidden === true ? [['hide-from-listings', 'TRUE'] as const] : []),
    ...(hasPassword(event) ? [['protected', 'TRUE'] as const] : []),
  ]
}

/** Whether other programs should keep an event to themselves. */
export const isForOwnerOnly = (event: Answer): boolean => event.status === 'private' || hasPassword(event)

/** Whether an event has a password, as `withPasswordMarks` marks it. */
const hasPassword = ({ raw }: Answer): boolean => (raw?.post_password ?? '') !== ''

/** The entries of an event that say who may see it. */
export function visibilityEntries(component: Component): RecordEntry[] {
  const isHidden = xCalctlValues(component, 'hide-from-listings').some(isTrue)
  return [
    { name: 'status', value: statusOf(component), column: 'CLASS' },
    { name: 'date', value: xCalctlValues(component, 'date')[0], column: 'X-CALCTL-DATE' },
    { name: 'hide_from_listings', value: isHidden || undefined, column: 'X-CALCTL-HIDE-FROM-LISTINGS' },
  ]
}

/** What an owner does not share with others must not be published. */
function statusOf(component: Component): string | undefined {
  const status = exportedStatus(component)
  const isPrivate =
    !wasProtected(component) && /^(private|confidential)$/i.test(optionalValueOf(component, 'class') ?? '')
  return isPrivate && !isUnfinished(status) ? 'private' : status
}

const exportedStatus = (component: Component): Status | undefined =>
  carried.find(status => xCalctlValues(component, 'status')[0]?.toLowerCase() === status)

const wasProtected = (component: Component): boolean => xCalctlValues(component, 'protected').some(isTrue)

const isTrue = (text: string): boolean => /^true$/i.test(text)

/** The status of a new event that has lost its password on the way; where the event exists, it may still have it. */
export const statusWithoutPassword = (component: Component): { readonly status: Status } | undefined =>
  wasProtected(component) && !isUnfinished(exportedStatus(component)) ? { status: 'private' } : undefined

/** Whether an event is tentative and published all the same, because the file does not say what that means at its calendar. */
export const isTentative = (component: Component): boolean =>
  /^tentative$/i.test(optionalValueOf(component, 'status') ?? '') && statusOf(component) === undefined
