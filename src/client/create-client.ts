import { resourceNamed } from '../contract/contract.ts'
import type { Request, Response } from '../contract/exchange.ts'
import { isLanguage, type Language } from '../contract/languages.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { isSlug, slugOf } from '../contract/slug.ts'
import { Failure } from '../failure.ts'
import { isObject } from '../text/json.ts'
import { isZone } from '../time/zone.ts'
import { capabilitiesOf } from './adapters/capabilities.ts'
import type { Client, ClientOptions, Page, Ref, Values, WordPress } from './client.ts'
import { isReferredTo, isSimilar } from './compare.ts'
import { bodyRequest, pathOf, queryRequest, renewable } from './http/request.ts'
import { isPastLastPage, pageIn, parseBody, type RequestInfo, recordIn, withOwnStatus } from './http/response.ts'
import { createImageSender } from './image-sources.ts'
import type { MediaLibrary } from './images/media-library.ts'
import { foundNothing, hasItsRows, withoutSearch, wrongTotals } from './list-totals.ts'
import { readPages } from './pages.ts'

const noNotice = async () => {}
const noDownload = (url: string) => Promise.reject(new Error(`nothing reads ${url}`))

/** What failures mean is loaded with the first of them. */
const failures = () => import('./http/problems/response-failure.ts')

/** How many titles in place of an ID or a slug get suggestions in one command. */
const mostSuggestions = 3

/** A read that was answered with another record, or with a list that contradicts itself, is sent again so often. */
const attempts = 3

const languageIn = (text: string): Language[] => {
  const name = text.trim()
  return isLanguage(name) ? [name] : []
}

const emptyPage: Page = { records: [], total: 0, pages: 0 }

/**
 * A new record with the name that it was sent with if its slug was made of that: a site may show another name, such as the part of it
 * that is in one of several languages.
 */
const withNameOfSlug = ({ title }: Resource, sent: Values, created: Answer): Answer =>
  created.slug === slugOf(String(sent[title])) ? { ...created, [title]: sent[title] } : created

/** A client for any implementation of the API, over a transport. */
export function createClient(options: ClientOptions): Client {
  const {
    transport,
    calendar,
    namespace,
    language,
    access,
    images,
    uploads,
    pairings,
    download = noDownload,
    notice = noNotice,
  } = options
  let calendarLanguages: readonly Language[] = []
  const noteLanguages = ({ headers }: Response) => {
    const listed = headers['x-calendar-languages']
    if (listed !== undefined) calendarLanguages = listed.split(',').flatMap(languageIn)
  }
  const read = async <T>(
    info: Omit<RequestInfo, 'calendar'>,
    expected: string,
    valueIn: (value: unknown, response: Response) => T | undefined,
    fallback: (response: Response) => T | undefined = () => undefined,
  ): Promise<T> => {
    const response = await transport(info.request)
    noteLanguages(response)
    const isSuccess = response.status >= 200 && response.status < 300
    const value = isSuccess ? valueIn(parseBody(response), response) : undefined
    if (value !== undefined) return value
    const failed = withOwnStatus(response)
    const other = fallback(failed)
    if (other !== undefined) return other
    const { responseFailure } = await failures()
    throw responseFailure({ ...info, calendar }, failed, expected)
  }
  const recordAt = async (request: Request, resource: Resource, ref: Ref, newSlug?: unknown): Promise<Answer> => {
    const info = { request, resource, ref, calendar }
    for (let attempt = 1; ; attempt++) {
      const answer = await read(info, `the ${resource.singular}`, value => recordIn(resource, value))
      if (isReferredTo(ref, answer) || (newSlug !== undefined && 'slug' in ref)) return withKnownName(resource, answer)
      if (request.method === 'GET' && attempt < attempts) continue
      const { otherRecordFailure } = await failures()
      throw otherRecordFailure(
        info,
        'id' in ref ? answer.id : answer.slug,
        `${resource.singular} ${'id' in ref ? ref.id : ref.slug}`,
      )
    }
  }
  const pageAt = async (resource: Resource, values: Values): Promise<Page> => {
    const page = (value: unknown, { headers }: Response) => pageIn(resource, value, Date.parse(headers.date ?? ''))
    const request = queryRequest('GET', pathOf(namespace, resource), values, language)
    const answered = await read({ request, resource }, `a list of ${resource.name}`, page, response =>
      isPastLastPage(response) ? emptyPage : undefined,
    )
    for (const record of answered.records) withKnownName(resource, record)
    return answered
  }
  /** Venues, organizers and terms are linked to by their IDs, and people know them by their names. */
  const names = new Map<string, string>()
  const withKnownName = (resource: Resource, record: Answer): Answer => {
    const name = record[resource.title]
    if (resource.name !== 'events' && typeof name === 'string') names.set(`${resource.name} ${record.id}`, name)
    return record
  }
  const discovery = (request: Request, expected: string, ...keys: string[]) =>
    read({ request }, expected, value => (isObject(value) && keys.some(key => key in value) ? value : undefined))

  let wrongTitles = 0
  let refusesToEdit = false
  const readsAsEditor = async (resource: Resource): Promise<boolean> =>
    !refusesToEdit && isLockable(resource) && (await access?.hasCredentials()) === true
  /** Reads as an editor does, who sees protected events whole; as everybody else where the site refuses that. */
  const readToEdit = async <T>(
    resource: Resource,
    values: Values,
    send: (values: Values) => Promise<T>,
  ): Promise<T> => {
    if (values.context !== undefined || !(await readsAsEditor(resource))) return send(values)
    try {
      return await send({ ...values, context: 'edit' })
    } catch (error) {
      if (!(error instanceof Failure) || !mayRefuseContext(error)) throw error
      const answer = await send(values)
      refusesToEdit = true
      return answer
    }
  }

  const sendImage = createImageSender(images)
  let media: Promise<MediaLibrary> | undefined

  let wordpress: Promise<WordPress> | undefined
  const openWordPress = async (askAgain = false): Promise<WordPress | undefined> => {
    if (!access || !(await access.hasCredentials())) return undefined
    if (askAgain) await access.forgetNoWordPress()
    if (await access.lacksWordPress()) return undefined
    wordpress ??= import('./wordpress/wp-client.ts').then(({ createWordPress }) =>
      createWordPress({ transport, calendar, access, notice, user: () => client.user() }),
    )
    return wordpress
  }

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
    capabilities: capabilitiesOf(calendar, namespace),
    language,
    languages: () => ({ own: language, all: calendarLanguages }),
    async list(resource, filters) {
      for (let attempt = 1; ; attempt++) {
        const page = await readToEdit(resource, filters, values => pageAt(resource, values))
        const rows = page.records.length
        if (hasItsRows(rows, page, filters)) return page
        const all = withoutSearch(resource, rows, filters)
        if (all && foundNothing(resource, filters.search, page.total, await client.list(resource, all)))
          return emptyPage
        // A record may have come or gone while the site was counting.
        if (attempt === attempts) throw wrongTotals(calendar, resource, rows, page.total)
      }
    },
    pages: (resource, filters, wanted = Number.POSITIVE_INFINITY) =>
      readPages({ resource, filters, wanted, calendar, list: values => client.list(resource, values) }),
    async get(resource, ref, values = {}) {
      try {
        return await readToEdit(resource, values, asked =>
          recordAt(queryRequest('GET', pathOf(namespace, resource, ref), asked, language), resource, ref),
        )
      } catch (error) {
        const isTitle = 'slug' in ref && !isSlug(ref.slug)
        const isWrong = isTitle && error instanceof Failure && error.kind === 'missing'
        if (!isWrong || ++wrongTitles > mostSuggestions) throw error
        const { withSuggestion } = await import('./title-refs.ts')
        throw await withSuggestion(client, resource, { title: ref.slug, language: values.lang_code }, error)
      }
    },
    create: (resource, values) =>
      sendImage(values, async sent => {
        const request = bodyRequest(pathOf(namespace, resource), resource, sent, language)
        const created = await read({ request, resource }, `the ${resource.singular}`, value =>
          recordIn(resource, value),
        )
        if (created[resource.title] !== '' && !isSimilar(resource, sent, withNameOfSlug(resource, sent, created))) {
          const { otherRecordFailure } = await failures()
          {
            const other = otherRecordFailure(
              { request, resource, calendar },
              created.id,
              `the new ${resource.singular}`,
            )
            throw new Failure(other.kind, other.message, { ...other.details, answeredId: created.id })
          }
        }
        return withKnownName(resource, created)
      }),
    update: (resource, ref, values, renew) =>
      sendImage(values, async sent => {
        // An image that was loaded meanwhile is not loaded again.
        const image = sent.image === values.image ? {} : { image: sent.image }
        const requestFor = (body: Values) => bodyRequest(pathOf(namespace, resource, ref), resource, body, language)
        const request = renewable(sent, requestFor, renew && (async () => ({ ...(await renew()), ...image })))
        return recordAt(request, resource, ref, sent.slug)
      }),
    delete(resource, ref, values = {}, renew) {
      const requestFor = (asked: Values) => queryRequest('DELETE', pathOf(namespace, resource, ref), asked, language)
      return recordAt(renewable(values, requestFor, renew), resource, ref)
    },
    knownName: (resource, id) => names.get(`${resource} ${id}`),
    readsAsEditor,
    timezone() {
      zone ??= siteZone()
      return zone
    },
    send: request => transport(request),
    async user() {
      const { siteUser } = await import('./site-user.ts')
      return siteUser(transport, pathOf(namespace, resourceNamed('events')), async (request, response, expected) =>
        (await failures()).responseFailure({ request, calendar }, withOwnStatus(response), expected),
      )
    },
    routes: values => discovery(queryRequest('GET', `/${namespace}`, values, language), 'a list of routes', 'routes'),
    doc: () =>
      discovery(queryRequest('GET', `/${namespace}/doc`, {}, language), 'an OpenAPI document', 'openapi', 'swagger'),
    wordpress: (_, { askAgain } = {}) => openWordPress(askAgain),
    images,
    uploads,
    pairings,
    async uploadedImage(upload) {
      media ??= import('./images/media-library.ts').then(({ createMediaLibrary }) =>
        createMediaLibrary({ transport, calendar, uploads, download }),
      )
      return (await media).itemOf(upload)
    },
  }
  return client
}

/** Whether records can have a password, behind which only editors see them. */
const isLockable = ({ fields }: Resource): boolean => Object.values(fields).some(({ queryOnly }) => queryOnly)

/** Whether a read may have been refused because it was for editing, and not because of the record. */
const mayRefuseContext = ({ details: { status, code = '' } }: Failure): boolean =>
  code === 'rest_forbidden_context' || (status === 403 && !code.startsWith('event-'))
