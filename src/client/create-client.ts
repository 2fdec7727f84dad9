import type { Request, Response } from '../contract/exchange.ts'
import { isObject, type Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { isZone } from '../time/zone-name.ts'
import type { Client, ClientOptions, Page, Ref } from './client.ts'
import { readPages } from './pages.ts'
import { bodyRequest, pathOf, queryRequest } from './request.ts'
import { isPastLastPage, pageIn, parseBody, type RequestInfo, recordIn, withOwnStatus } from './response.ts'
import { responseFailure } from './response-failure.ts'

const noNotice = async () => {}

const emptyPage: Page = { records: [], total: 0, pages: 0 }

/** A client for any implementation of the API, over a transport. */
export function createClient({ transport, calendar, namespace, language, notice = noNotice }: ClientOptions): Client {
  const read = async <T>(
    info: Omit<RequestInfo, 'calendar'>,
    expected: string,
    valueIn: (value: unknown, response: Response) => T | undefined,
    fallback: (response: Response) => T | undefined = () => undefined,
  ): Promise<T> => {
    const response = await transport(info.request)
    const isSuccess = response.status >= 200 && response.status < 300
    const value = isSuccess ? valueIn(parseBody(response), response) : undefined
    if (value !== undefined) return value
    const failed = withOwnStatus(response)
    const other = fallback(failed)
    if (other !== undefined) return other
    throw responseFailure({ ...info, calendar }, failed, expected)
  }
  const record = (request: Request, resource: Resource, ref?: Ref) =>
    read({ request, resource, ...(ref && { ref }) }, `the ${resource.singular}`, value => recordIn(resource, value))
  const discovery = (request: Request, expected: string, ...keys: string[]) =>
    read({ request }, expected, value => (isObject(value) && keys.some(key => key in value) ? value : undefined))

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
    namespace,
    language,
    list(resource, filters) {
      const request = queryRequest('GET', pathOf(namespace, resource), filters, language)
      const page = (value: unknown, { headers }: Response) => pageIn(resource, value, Date.parse(headers.date ?? ''))
      return read({ request, resource }, `a list of ${resource.name}`, page, response =>
        isPastLastPage(response) ? emptyPage : undefined,
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
