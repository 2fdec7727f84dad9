import type { Request, Response } from '../contract/exchange.ts'
import { isObject, type Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { isZone } from '../time/zone-name.ts'
import { type Asked, pageIn, parsed, recordIn } from './answer.ts'
import type { Client, ClientOptions, Page, Ref } from './client.ts'
import { refusal } from './failures.ts'
import { readAll } from './pages.ts'
import { isPastTheEnd } from './refused.ts'
import { asking, pathOf, writing } from './request.ts'

const noNotice = async () => {}

const noPage: Page = { records: [], total: 0, pages: 0 }

/** A client for any implementation of the API that a transport leads to. */
export function createClient({ transport, calendar, namespace, language, notice = noNotice }: ClientOptions): Client {
  const read = async <T>(
    asked: Omit<Asked, 'calendar'>,
    expected: string,
    valueIn: (value: unknown, response: Response) => T | undefined,
    instead: (response: Response) => T | undefined = () => undefined,
  ): Promise<T> => {
    const response = await transport(asked.request)
    const isFine = response.status >= 200 && response.status < 300
    const value = isFine ? valueIn(parsed(response), response) : instead(response)
    if (value !== undefined) return value
    throw refusal({ ...asked, calendar }, response, expected)
  }
  const record = (request: Request, resource: Resource, ref?: Ref) =>
    read({ request, resource, ...(ref && { ref }) }, `the ${resource.singular}`, recordIn)
  const discovery = (request: Request, expected: string, ...marks: string[]) =>
    read({ request }, expected, value => (isObject(value) && marks.some(mark => mark in value) ? value : undefined))

  let zone: Promise<string | undefined> | undefined
  const siteZone = async () => {
    try {
      const index = await discovery(
        asking('GET', '/', { _fields: 'timezone_string' }),
        'the index of a site',
        'timezone_string',
      )
      const { timezone_string: name } = index as { timezone_string: unknown }
      return typeof name === 'string' && isZone(name) ? name : undefined
    } catch (error) {
      if (error instanceof Failure) return undefined
      throw error
    }
  }
  const client: Client = {
    calendar,
    site: calendar.label,
    namespace,
    language,
    list(resource, filters) {
      const request = asking('GET', pathOf(namespace, resource), filters, language)
      const inAnswer = (value: unknown, { headers }: Response) =>
        pageIn(resource, value, Date.parse(headers.date ?? ''))
      return read({ request, resource }, `a list of ${resource.name}`, inAnswer, response =>
        isPastTheEnd(response) ? noPage : undefined,
      )
    },
    pages: (resource, filters, wanted = Number.POSITIVE_INFINITY) =>
      readAll({ resource, filters, wanted, calendar, notice, list: values => client.list(resource, values) }),
    get: (resource, ref, values = {}) =>
      record(asking('GET', pathOf(namespace, resource, ref), values, language), resource, ref),
    create: (resource, values) => record(writing(pathOf(namespace, resource), resource, values, language), resource),
    update: (resource, ref, values) =>
      record(writing(pathOf(namespace, resource, ref), resource, values, language), resource, ref),
    delete: (resource, ref, values = {}) =>
      record(asking('DELETE', pathOf(namespace, resource, ref), values, language), resource, ref),
    timezone() {
      zone ??= siteZone()
      return zone
    },
    routes: values => discovery(asking('GET', `/${namespace}`, values, language), 'a list of routes', 'routes'),
    doc: () => discovery(asking('GET', `/${namespace}/doc`, {}, language), 'an OpenAPI document', 'openapi', 'swagger'),
  }
  return client
}
