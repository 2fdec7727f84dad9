import { resourceNamed } from '../contract/contract.ts'
import type { Response } from '../contract/exchange.ts'
import type { ResourceName } from '../contract/field.ts'
import { isLanguage, languages } from '../contract/languages.ts'
import { encodeSlug } from '../contract/slug.ts'
import { writeICalendar } from '../files/icalendar/write-icalendar.ts'
import { errorResponse } from '../service/refusal.ts'
import { calendarTitle, type PageSource, publicEvents, publicRecord, RefusedByApi } from './public-records.ts'

/** The filters of the API that a feed takes, each with the resource that it names. */
const filters: Readonly<Record<string, ResourceName | undefined>> = {
  categories: 'categories',
  tags: 'tags',
  venue: 'venues',
  organizer: 'organizers',
  search: undefined,
  lang_code: undefined,
}

/** How long a subscriber keeps past events, in days. */
const keptDays = 30

/** `/calendar.ics`: the public events that the filters let through, for subscribers; refuses filters that name nothing. */
export async function feed(source: PageSource, asked: URLSearchParams): Promise<Response> {
  const problem = await problemWith(source, asked)
  if (problem) return problem
  const now = source.now()
  const query = {
    starts_after: new Date(now.getTime() - keptDays * 86_400_000).toISOString().slice(0, 10),
    ...Object.fromEntries(asked),
  }
  const options = { site: source.baseUrl, now, name: calendarTitle(source), refresh: 'PT1H' }
  try {
    let body = ''
    for await (const text of writeICalendar(publicEvents(source, query), options)) body += text
    return { status: 200, headers: { 'content-type': 'text/calendar; charset=UTF-8' }, body }
  } catch (error) {
    if (error instanceof RefusedByApi) return error.response
    throw error
  }
}

async function problemWith(source: PageSource, asked: URLSearchParams): Promise<Response | undefined> {
  const { lang_code = '' } = Object.fromEntries(asked)
  if (lang_code !== '' && !isLanguage(lang_code))
    return errorResponse(400, 'calctl_unknown_language', `Expected ${languages.join(', ')} as lang_code.`)
  for (const [name, value] of asked) {
    if (!Object.hasOwn(filters, name))
      return errorResponse(
        400,
        'calctl_unknown_filter',
        `The feed has no filter "${name}"; it has ${Object.keys(filters).join(', ')}.`,
      )
    const resource = filters[name]
    const keys = resource === undefined ? [] : value.split(',').map(key => key.trim())
    for (const key of keys)
      if (resource && !(await isPublic(source, resource, key, lang_code)))
        return errorResponse(404, 'calctl_unknown_record', `No record is named by ${name}=${key}.`)
  }
  return undefined
}

async function isPublic(source: PageSource, name: ResourceName, key: string, language: string): Promise<boolean> {
  const query: Readonly<Record<string, string>> = language === '' ? {} : { lang_code: language }
  const place = /^\d+$/.test(key) ? { id: key } : { slug: encodeSlug(key) }
  return typeof (await publicRecord(source, resourceNamed(name), place, query)) !== 'number'
}
