import { createHash } from 'node:crypto'
import { receivedParameters } from '../base/text/received-parameters.ts'
import { msWall } from '../base/time/dates.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Response } from '../contract/exchange.ts'
import type { Answer } from '../contract/resource.ts'
import { slugOf } from '../contract/slug.ts'
import { siteICalendar } from '../files/icalendar/site-icalendar.ts'
import { calendarTitle, type PageSource, publicEvents, publicRecord } from './public-records.ts'

/** How many events a file of the plugin has. */
const mostEvents = 30

/**
 * What a site of The Events Calendar answers beside its pages: `/events/?ical=1` is a file, and the address of an event by its ID leads to
 * its page.
 */
export async function siteFeed(source: PageSource, path: string, query: string): Promise<Response | undefined> {
  const { p, post_type: type } = receivedParameters(query)
  if (path === '/' && type === 'tribe_events' && typeof p === 'string') return redirectTo(source, p, query)
  return isList(path) && wantsFile(query) ? eventsFile(source, await nextEvents(source)) : undefined
}

/** Whether the list of events is at this path, as on a site. */
export const isList = (path: string): boolean => /^\/events\/?$/.test(path)

/** Whether a page is asked for as a file. */
export const wantsFile = (query: string): boolean => Boolean(Number(receivedParameters(query).ical))

async function redirectTo(source: PageSource, id: string, query: string): Promise<Response | undefined> {
  const event = await publicRecord(source, resourceNamed('events'), { id })
  if (typeof event === 'number') return undefined
  const rest = new URLSearchParams(query)
  for (const name of ['p', 'post_type']) rest.delete(name)
  const location = rest.size === 0 ? String(event.url) : `${event.url}?${rest}`
  return { status: 301, headers: { 'content-type': 'text/html; charset=UTF-8', location }, body: '' }
}

async function nextEvents(source: PageSource): Promise<Answer[]> {
  const now = msWall(source.now().getTime())
  const events: Answer[] = []
  for await (const event of publicEvents(source, {}))
    if (String(event.utc_end_date) >= now && events.push(event) === mostEvents) break
  return events
}

/** Events as a file to save. */
export function eventsFile(source: PageSource, events: readonly Answer[]): Response {
  const name = calendarTitle(source)
  const hash = createHash('sha256')
    .update(events.map(({ id }) => id).join(''))
    .digest('hex')
    .slice(0, 11)
  return {
    status: 200,
    headers: {
      'content-type': 'text/calendar; charset=UTF-8',
      'content-disposition': `attachment; filename="${slugOf(name)}-${hash}.ics"`,
    },
    body: siteICalendar(events, { name, home: new URL(source.baseUrl).origin }),
  }
}
