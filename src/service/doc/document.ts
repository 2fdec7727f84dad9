/**
 * `/doc`: the API as an OpenAPI document, made from the contract and the routes. `operations.ts` describes the routes, `schemas.ts`
 * what is written and answered.
 */
import { resources } from '../../contract/contract.ts'
import { say } from '../../contract/languages.ts'
import type { Context } from '../dialect.ts'
import type { HandlerResult } from '../request-context.ts'
import { paths } from './operations.ts'
import { components } from './schemas.ts'

const title = say('API del calendari d’actes', 'Events calendar API', 'API del calendario de eventos')
const description = say(
  'Actes, espais, organitzadors, categories i etiquetes d’un calendari.',
  'Events, venues, organizers, categories and tags of a calendar.',
  'Eventos, lugares, organizadores, categorías y etiquetas de un calendario.',
)

/** GET on the description of the API: an OpenAPI document made from the contract, in the language of the request. */
export const doc = ({ baseUrl, namespace, language, store }: Context): HandlerResult => ({
  status: 200,
  body: {
    openapi: '3.1.0',
    info: { title: title[language], description: description[language], version: '1.0.0' },
    servers: [{ url: language === store.site.language ? baseUrl : `${baseUrl}/${language}` }],
    tags: resources.map(({ name, words }) => ({ name, description: words[language] })),
    paths: paths(namespace, language),
    components: components(language),
  },
})
