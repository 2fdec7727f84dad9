/**
 * Every route of the events API and of WordPress's own, with what its methods do. A handler is loaded once, with the first request that
 * needs it, because repeating an import resolves it again.
 */
import { once } from '../base/memoize.ts'
import { resourceNamed, resources } from '../contract/contract.ts'
import type { Fields } from '../contract/field.ts'
import { paging } from '../contract/filter.ts'
import { choice } from '../contract/kinds/choice-kinds.ts'
import { integer } from '../contract/kinds/number-kinds.ts'
import { text } from '../contract/kinds/text-kinds.ts'
import { languages, say } from '../contract/languages.ts'
import { creationFields, type Resource, requestFields } from '../contract/resource.ts'
import type { Handler, Method, Operation, Readers } from './dialect.ts'
import { byPath, type Endpoint, type Route } from './endpoints.ts'
import {
  imageListReaders,
  imageReaders,
  postListReaders,
  postReaders,
  removalReaders,
  termListReaders,
  termReaders,
} from './request/check-parameters.ts'
import type { PostTable, TermTable } from './store/rows.ts'

const langCode = choice(say('Llengua del contingut', 'Language of the content', 'Idioma del contenido'), languages)
const id = integer(say('Identificador del registre', 'ID of the record', 'Identificador del registro'))
const slug = text(say('Identificador a l’URL', 'Name in URLs', 'Identificador en la URL'))

/** Every verb of the APIs, with its methods. */
const methods = {
  discovery: ['GET'],
  doc: ['GET'],
  list: ['GET'],
  create: ['POST'],
  get: ['GET'],
  update: ['POST', 'PUT', 'PATCH'],
  remove: ['DELETE'],
} as const satisfies Record<Operation, readonly Method[]>

/** An endpoint of the events API. */
const endpoint = (verb: Operation, answer: Handler, args: Fields = {}, required: readonly string[] = []): Endpoint => ({
  methods: methods[verb],
  verb,
  args: { ...args, lang_code: langCode },
  required,
  answer,
})

const lists = once(() => import('./list.ts'))
const writes = once(() => import('./write/put.ts'))
const description = once(() => import('./api-description.ts'))

const routesOf = (resource: Resource): Route[] => {
  const { name, fields, filters, required, keys } = resource
  const passwordFields = Object.fromEntries(Object.entries(fields).filter(([, field]) => field.queryOnly))
  const get = endpoint('get', async (...request) => (await lists()).answerRecord(resource, ...request), passwordFields)
  const update = endpoint(
    'update',
    async (...request) => (await writes()).updateRecord(resource, ...request),
    Object.fromEntries(requestFields(resource)),
  )
  const remove = endpoint(
    'remove',
    async (...request) => (await writes()).removeRecord(resource, ...request),
    passwordFields,
  )
  const list = endpoint('list', async context => (await lists()).answerList(resource, context), {
    ...paging,
    ...filters,
  })
  const create = endpoint(
    'create',
    async context => (await writes()).createRecord(resource, context),
    Object.fromEntries(creationFields(resource)),
    required,
  )
  const itemEndpoints = keys.includes('slug') ? [get, remove, update] : [get, update, remove]
  const collection = { path: `/${name}`, resource, key: {}, endpoints: [list, create] }
  const byId = { path: `/${name}/{id}`, resource, key: { id }, endpoints: itemEndpoints }
  const bySlug = { path: `/${name}/by-slug/{slug}`, resource, key: { slug }, endpoints: itemEndpoints }
  return keys.includes('slug') ? [collection, byId, bySlug] : [collection, byId]
}

const discovery: Fields = {
  namespace: text(say('Espai de noms', 'Namespace', 'Espacio de nombres')),
  context: text(say('Context de la petició', 'Context of the request', 'Contexto de la petición'), { default: 'view' }),
}

/** Every route of the events API, in the order of `/doc`. */
export const routes: readonly Route[] = [
  {
    path: '',
    key: {},
    endpoints: [endpoint('discovery', async context => (await description()).describeApi(context, routes), discovery)],
  },
  {
    path: '/doc',
    key: {},
    endpoints: [endpoint('doc', async context => (await description()).answerDescription(context, routes))],
  },
  ...resources.flatMap(routesOf),
]

const posts = once(() => import('./wordpress/wp-posts.ts'))
const terms = once(() => import('./wordpress/wp-terms.ts'))
const images = once(() => import('./wordpress/attachments.ts'))
const wordpress = once(() => import('./wordpress/wordpress.ts'))

/** An endpoint of WordPress's own API. */
const wordpressEndpoint = (verb: Operation, answer: Handler, readers: Readers = {}): Endpoint => ({
  methods: methods[verb],
  verb,
  args: {},
  readers,
  required: [],
  answer,
})

const wordpressRoutesOf = (name: string, collection: readonly Endpoint[], item: readonly Endpoint[]): Route[] => [
  { path: `/${name}`, key: {}, endpoints: collection },
  { path: `/${name}/{id}`, key: { id }, endpoints: item },
]

const postRoutes = (of: PostTable): Route[] =>
  wordpressRoutesOf(
    resourceNamed(of).wordpress,
    [wordpressEndpoint('list', async context => (await posts()).listPosts(of, context), postListReaders)],
    [
      wordpressEndpoint('get', async (...request) => (await posts()).getPost(of, ...request)),
      wordpressEndpoint('update', async (...request) => (await posts()).patchPost(of, ...request), postReaders),
      wordpressEndpoint('remove', async (...request) => (await posts()).trashPost(of, ...request), removalReaders),
    ],
  )

const termRoutes = (of: TermTable): Route[] =>
  wordpressRoutesOf(
    resourceNamed(of).wordpress,
    [wordpressEndpoint('list', async context => (await terms()).listTerms(of, context), termListReaders)],
    [
      wordpressEndpoint('get', async (...request) => (await terms()).getTerm(of, ...request)),
      wordpressEndpoint('update', async (...request) => (await terms()).patchTerm(of, ...request), termReaders),
      wordpressEndpoint('remove', async (...request) => (await terms()).deleteTerm(of, ...request), removalReaders),
    ],
  )

const imageRoutes = wordpressRoutesOf(
  'media',
  [
    wordpressEndpoint('list', async context => (await images()).listAttachments(context), imageListReaders),
    wordpressEndpoint('create', async context => (await images()).upload(context)),
  ],
  [
    wordpressEndpoint('get', async (...request) => (await images()).getImage(...request)),
    wordpressEndpoint('update', async (...request) => (await images()).describeImage(...request), imageReaders),
    wordpressEndpoint('remove', async (...request) => (await images()).removeImage(...request), removalReaders),
  ],
)

export const eventsApi = byPath(routes)

/** The part of WordPress's own API that calctl uses. */
export const wordpressApi = byPath([
  ...(['events', 'venues', 'organizers'] as const).flatMap(postRoutes),
  ...(['categories', 'tags'] as const).flatMap(termRoutes),
  ...imageRoutes,
  {
    path: '/types',
    key: {},
    endpoints: [wordpressEndpoint('list', async context => (await wordpress()).types(context))],
  },
  {
    path: '/users/me',
    key: {},
    endpoints: [wordpressEndpoint('get', async context => (await wordpress()).currentUser(context))],
  },
])

/** Only the images of WordPress's own API, because the documented API has none. */
export const imageApi = byPath(imageRoutes)
