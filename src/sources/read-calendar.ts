import { asFailure, usage } from '../base/failure.ts'
import { decodeEntities } from '../base/text/escaping.ts'
import { isObject } from '../base/text/json.ts'
import { phrase } from '../base/words/phrase.ts'
import { calendarAt } from '../client/calendar.ts'
import type { Values } from '../client/client.ts'
import { calendarApi } from '../client/create-client.ts'
import type { ReadPage } from '../client/http/page-reader.ts'
import { addressOf } from '../client/http/request.ts'
import { findSite } from '../client/site-discovery.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Request, Response } from '../contract/exchange.ts'
import type { Answer } from '../contract/resource.ts'
import { writableRecord } from '../files/export/export-records.ts'
import type { FileReading } from '../files/records/file-reading.ts'
import type { FileRecord } from '../files/records/file-record.ts'
import { type ToldEvent, toldRecords } from '../files/told-events.ts'
import type { Source } from './source.ts'

/** An answer as bytes. */
type Get = (address: URL) => Promise<Pick<Response, 'status' | 'headers'> & { readonly bytes: Uint8Array }>

/** Reads the public events of another calendar with this API, by default those to come. Its IDs and slugs mean nothing here. */
export async function readOtherCalendar(
  source: Source,
  address: URL,
  get: Get,
  reading: FileReading & { readonly own?: string | undefined },
): Promise<FileRecord[]> {
  const { baseUrl, namespace } = await siteAt(address, get)
  const transport = ({ path, query }: Request) =>
    answerAt(new URL(addressOf(baseUrl, { path, ...(query && { query }) })), get)
  const calendar = calendarAt(baseUrl, namespace)
  if (calendar.id === reading.own)
    throw usage(
      phrase('{name} is the calendar itself', { name: source.name }),
      phrase('remove it with: {command}', { command: `calctl sources remove ${source.name}` }),
    )
  const { language, filters = {} } = source
  const api = calendarApi({ transport, calendar, namespace, ...(language && { language }) })
  const hasDates = Object.keys(filters).some(name => /date|start|end/.test(name))
  const values: Values = {
    ...(!hasDates && { start_date: reading.now.toISOString().slice(0, 10) }),
    ...filters,
    per_page: 50,
  }
  const told: ToldEvent[] = []
  for await (const { records } of api.pages(resourceNamed('events'), values))
    told.push(...records.filter(isPublic).map(answer => eventOf(answer, calendar.id)))
  return toldRecords(told, reading)
}

/** The API that an address names, or that its site has. */
async function siteAt(address: URL, get: Get): Promise<{ readonly baseUrl: string; readonly namespace: string }> {
  const [, baseUrl, namespace] =
    /^(.+?)\/((?:tribe|calendar)\/events\/v1)(?:\/|$)/.exec(address.origin + address.pathname) ?? []
  if (baseUrl !== undefined && namespace !== undefined) return { baseUrl, namespace }
  const read: ReadPage = async url => ({ ...(await answerAt(url, get)), url })
  return findSite(address, read)
}

/** The answer of an address as a text, also if it is an error of the site. */
async function answerAt(address: URL, get: Get) {
  try {
    const { status, headers, bytes } = await get(address)
    return { status, headers, body: Buffer.from(bytes).toString() }
  } catch (error) {
    const { status } = asFailure(error).details
    if (status === undefined || status >= 500) throw error
    return { status, headers: {}, body: '' }
  }
}

/** Credentials may show more than what is for everybody. */
const isPublic = ({ status }: Answer): boolean => status === undefined || status === 'publish'

/** What another calendar decides for itself. */
const own =
  /^(slug|status|author|date|date_utc|post_password|sticky|featured|hide_from_listings|show_map|show_map_link)$/

function eventOf(answer: Answer, calendar: string): ToldEvent {
  const {
    start_date: start,
    end_date: end,
    all_day: isAllDay,
    timezone,
    ...others
  } = writableRecord(resourceNamed('events'), answer).values
  const day = (date: unknown) => (isAllDay === true ? String(date).slice(0, 10) : String(date))
  const values = Object.fromEntries(Object.entries(others).filter(([name]) => !own.test(name)))
  return {
    uid: `${calendar}/events/${answer.id}`,
    start: day(start),
    end: day(end),
    zone: typeof timezone === 'string' ? timezone : undefined,
    values: { ...values, ...linksOf(answer) },
    place: phrase('event {number}', { number: answer.id }),
  }
}

/** Links by name, and places with what is needed to create them. */
function linksOf(answer: Answer): Readonly<Record<string, unknown>> {
  const linked = (name: string) => [answer[name] ?? []].flat().filter(isObject)
  const places = (name: 'venue' | 'organizer') =>
    linked(name).map(place => {
      const { values } = writableRecord(resourceNamed(`${name}s`), place as Answer)
      const { slug: _, status: __, author: ___, ...facts } = values
      return facts
    })
  const names = (name: string) => linked(name).map(term => decodeEntities(String(term.name)))
  return Object.fromEntries(
    Object.entries({
      venue: places('venue'),
      organizer: places('organizer'),
      categories: names('categories'),
      tags: names('tags'),
    }).filter(([, list]) => list.length > 0),
  )
}
