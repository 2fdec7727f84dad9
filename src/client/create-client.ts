import { ignoreFailure } from '../base/attempt.ts'
import { Failure } from '../base/failure.ts'
import { once } from '../base/memoize.ts'
import { isZone } from '../base/time/zone.ts'
import { phrase } from '../base/words/phrase.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { isSlug } from '../contract/slug.ts'
import { descriptionAt, readsAsEditor, readToEdit, recordAt, type Session } from './answers.ts'
import { capabilitiesOf } from './calendar.ts'
import type {
  Adapter,
  CalendarApi,
  Client,
  ConnectionToClient,
  EditorAccess,
  Ref,
  Renew,
  Values,
  WordPress,
} from './client.ts'
import { createdAt } from './created-records.ts'
import { readPages } from './find/whole-lists.ts'
import { bodyRequest, pathOf, queryRequest, renewable } from './http/request.ts'
import { createImageSender } from './images/image-sources.ts'
import { listAt } from './list-answers.ts'

const noNotice = async () => {}
const noDownload = (url: string) => Promise.reject(new Error(`nothing reads ${url}`))

/** How many titles in place of an ID or slug get suggestions in one command. */
const mostSuggestions = 3

/** The requests of a calendar, over a transport. */
export function calendarApi(options: ConnectionToClient): CalendarApi {
  const { transport, calendar, namespace, language, images, uploads, pairings, download = noDownload } = options
  const session: Session = {
    ...options,
    languages: [],
    names: new Map(),
    refusesToEdit: false,
    takesPartialUpdates: false,
  }
  const api: CalendarApi = {
    calendar,
    namespace,
    capabilities: capabilitiesOf(calendar, namespace, options.access !== undefined),
    language,
    notice: options.notice,
    images,
    uploads,
    pairings,
    ...readsOf(session, () => api),
    ...writesOf(session, images),
    languages: () => ({ own: language, all: session.languages }),
    takesPartialUpdates: () => session.takesPartialUpdates,
    knownName: (resource, id) => session.names.get(`${resource} ${id}`),
    readsAsEditor: resource => readsAsEditor(session, resource),
    timezone: once(() => siteZone(session)),
    send: request => transport(request),
    user: async () => (await import('./site-user.ts')).siteUser(session),
    routes: values =>
      descriptionAt(
        session,
        queryRequest('GET', `/${namespace}`, values, language),
        phrase('a list of routes'),
        'routes',
      ),
    doc: () => {
      const request = queryRequest('GET', `/${namespace}/doc`, {}, language)
      return descriptionAt(session, request, phrase('an OpenAPI document'), 'openapi', 'swagger')
    },
    wordpress: wordpressOf(options, () => api),
    uploadedImage: async upload => (await uploader())(upload),
  }
  const uploader = once(async () => {
    const { createUploader } = await import('./images/media-library.ts')
    return createUploader({ transport, calendar, uploads, download })
  })
  return api
}

/** A client of a calendar: its reads, and the adapter that writes to it, which is loaded with the first write. */
export function createClient(api: CalendarApi): Client {
  const { create, update, delete: _, ...reads } = api
  const adapter = once(() => adapterOf(api))
  return {
    ...reads,
    create: async (...write) => (await adapter()).create(...write),
    complete: async (...write) => (await adapter()).complete(...write),
    patch: async (...write) => (await adapter()).patch(...write),
    overwrite: async (...write) => (await adapter()).overwrite(...write),
    delete: async (...write) => (await adapter()).delete(...write),
  }
}

/** The adapter for the kind of site that a calendar is at. */
async function adapterOf(api: CalendarApi): Promise<Adapter> {
  if (api.capabilities.takesEveryValue) return new (await import('./adapters/documented-api.ts')).DocumentedApi(api)
  if (!api.capabilities.mayPatch) return new (await import('./adapters/documented-api.ts')).EventsApi(api)
  return new (await import('./adapters/patching-api.ts')).PatchingApi(api)
}

function readsOf(session: Session, api: () => CalendarApi): Pick<CalendarApi, 'list' | 'pages' | 'get'> {
  const { calendar, namespace, language } = session
  const list: CalendarApi['list'] = (resource, filters) => {
    const isPlain = resource.trashable || api().capabilities.showsStoredTexts || filters.search === undefined
    return listAt(session, resource, isPlain ? filters : { ...filters, search: asStoredName(String(filters.search)) })
  }
  let wrongTitles = 0
  return {
    list,
    pages: (resource, filters, wanted = Number.POSITIVE_INFINITY) =>
      readPages({ resource, filters, wanted, calendar, list: values => list(resource, values) }),
    async get(resource, ref, values = {}) {
      try {
        return await readToEdit(session, resource, values, asked => {
          const request = queryRequest('GET', pathOf(namespace, resource, ref), asked, language)
          return recordAt(session, { request, resource, ref })
        })
      } catch (error) {
        // A single word may be a slug, or a part of a title.
        const isTitle = 'slug' in ref && !(isSlug(ref.slug) && /[-\d]/.test(ref.slug))
        const isWrong = isTitle && error instanceof Failure && error.kind === 'missing'
        if (!isWrong || ++wrongTitles > mostSuggestions) throw error
        const { withSuggestion } = await import('./find/name-search.ts')
        throw await withSuggestion(api(), resource, { title: ref.slug, language: values.lang_code }, error)
      }
    },
  }
}

/** A site stores names of categories and tags with entities, and searches in what it stores. */
const asStoredName = (text: string): string =>
  text
    .replace(/&(?!#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

function writesOf(session: Session, images: CalendarApi['images']): Pick<CalendarApi, 'create' | 'update' | 'delete'> {
  const { namespace, language } = session
  const sendImage = once(() => createImageSender(images))
  const sendValues = (values: Values, send: (values: Values) => Promise<Answer>) =>
    values.image === undefined ? send(values) : sendImage()(values, send)
  const inForm = ({ fields }: Resource, values: Values): Values =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fields[name]?.kind.sent?.(value) ?? value]))
  return {
    create: (resource, values) =>
      sendValues(values, sent => {
        const request = bodyRequest(pathOf(namespace, resource), resource, inForm(resource, sent), language)
        return createdAt(session, request, resource, sent)
      }),
    update: (resource, ref, values, renew) =>
      sendValues(values, sent => {
        // An image that was downloaded in the meantime is not downloaded again.
        const image = sent.image === values.image ? {} : { image: sent.image }
        const requestFor = (body: Values) =>
          bodyRequest(pathOf(namespace, resource, ref), resource, inForm(resource, body), language)
        const request = renewable(sent, requestFor, renew && (async () => ({ ...(await renew()), ...image })))
        return recordAt(session, { request, resource, ref }, sent.slug)
      }),
    delete(resource: Resource, ref: Ref, values: Values = {}, renew?: Renew): Promise<Answer> {
      const requestFor = (asked: Values) => queryRequest('DELETE', pathOf(namespace, resource, ref), asked, language)
      return recordAt(session, { request: renewable(values, requestFor, renew), resource, ref })
    },
  }
}

/** The function that opens WordPress's own API of the same site, where there is one. */
function wordpressOf(options: ConnectionToClient, api: () => CalendarApi): CalendarApi['wordpress'] {
  const { transport, calendar, access, notice = noNotice } = options
  if (!access) return async () => undefined
  const open = once(async (): Promise<WordPress> => {
    const { createWordPress } = await import('./adapters/wp-client.ts')
    return createWordPress({ transport, calendar, access, notice, user: () => api().user() })
  })
  return async (_, { askAgain = false } = {}) => ((await isThere(access, askAgain)) ? open() : undefined)
}

async function isThere(access: EditorAccess, askAgain: boolean): Promise<boolean> {
  if (!(await access.hasCredentials())) return false
  if (askAgain) await access.forgetNoWordPress()
  return !(await access.lacksWordPress())
}

/** The time zone of a site, from the index of its API; undefined if that does not say. */
async function siteZone(session: Session): Promise<string | undefined> {
  const request = queryRequest('GET', '/', { _fields: 'timezone_string' })
  const index = descriptionAt(session, request, phrase('the index of a site'), 'timezone_string')
  const { timezone_string: name } = (await index.catch(ignoreFailure)) ?? {}
  return typeof name === 'string' && isZone(name) ? name : undefined
}
