import type { Request, Response } from '../contract/exchange.ts'
import { isObject, type Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { isZone } from '../time/zone-name.ts'
import type { Client, ClientOptions, Page, Ref } from './client.ts'
import { readPages } from './pages.ts'
import { bodyRequest, pathOf, queryRequest } from './request.ts'
import { isPastLastPage, pageIn, parseBody, type RequestInfo, recordIn } from './response.ts'
import { responseFailure } from './response-failure.ts'

const noNotice = async () => {}

const noPage: Page = { records: [], total: 0, pages: 0 }

/** A client for any implementation of the API that a transport leads to. */
export function createClient({ transport, calendar, namespace, language, notice = noNotice }: ClientOptions): Client {
  const read = async <T>(
    asked: Omit<RequestInfo, 'calendar'>,
    expected: string,
    valueIn: (value: unknown, response: Response) => T | undefined,
    instead: (response: Response) => T | undefined = () => undefined,
  ): Promise<T> => {
    const response = await transport(asked.request)
    const isFine = response.status >= 200 && response.status < 300
    const value = isFine ? valueIn(parseBody(response), response) : instead(response)
    if (value !== undefined) return value
    throw responseFailure({ ...asked, calendar }, response, expected)
  }
  const record = (request: Request, resource: Resource, ref?: Ref) =>
    read({ request, resource, ...(ref && { ref }) }, `the ${resource.singular}`, recordIn)
  const discovery = (request: Request, expected: string, ...marks: string[]) =>
    read({ request }, expected, value => (isObject(value) && marks.some(mark => mark in value) ? value : undefined))

  let zone: Promise<string | undefined> | undefined
  const siteZone = async () => {
    try {
      const index = await discovery(
        queryRequest('GET', '/', { _fields: 'timezone_string' }),
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
      const request = queryRequest('GET', pathOf(namespace, resource), filters, language)
      const inAnswer = (value: unknown, { headers }: Response) =>
        pageIn(resource, value, Date.parse(headers.date ?? ''))
      return read({ request, resource }, `a list of ${resource.name}`, inAnswer, response =>
        isPastLastPage(response) ? noPage : undefined,
      )
    },
    pages: (resource, filters, wanted = Number.POSITIVE_INFINITY) =>
      readPages({ resource, filters, wanted, calendar, notice, list: values => client.list(resource, values) }),
    get: (resource, ref, values = {}) =>
      record(queryRequest('GET', pathOf(namespace, resource, ref), values, language), resource, ref),
    create: (resource, values) =>
      record(bodyRequest(pathOf(namespace, resource), resource, values, language), resource),
    update: (resource, ref, values) =>
      record(bodyRequest(pathOf(namespace, resource, ref), resource, values, language), resource, ref),
    delete: (resource, ref, values = {}) =>
      record(queryRequest('DELETE', pathOf(namespace, resource, ref), values, language), resource, ref),
    timezone() {
      zone ??= siteZone()
      return zone
    },
    routes: values => discovery(queryRequest('GET', `/${namespace}`, values, language), 'a list of routes', 'routes'),
    doc: () =>
      discovery(queryRequest('GET', `/${namespace}/doc`, {}, language), 'an OpenAPI document', 'openapi', 'swagger'),
  }
  return client
}
