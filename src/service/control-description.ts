/** The routes below `/__calctl/` of a served calendar, as the API's description has them. */

import type { Schema } from '../contract/field.ts'
import { type Language, say, type Words } from '../contract/languages.ts'

interface Action {
  readonly words: Words
  /** The properties of a body, or of a query. */
  readonly fields?: Schema
  /** Whether it answers with server-sent events as well. */
  readonly streams?: true
}

const fault: Schema = {
  route: { type: 'string', examples: ['POST /events', 'GET /events/{id}'] },
  skip: { type: 'integer', minimum: 0 },
  times: { type: 'integer', minimum: 0 },
  share: { type: 'number', minimum: 0, maximum: 1 },
  status: { type: 'integer', minimum: 400, maximum: 599 },
  retryAfter: { type: 'integer', minimum: 0, description: 's' },
  fault: { enum: ['reset', 'timeout', 'unlisted', 'notice', 'comment', 'html', 'empty', 'accepted'] },
  moment: { enum: ['before', 'after'] },
}

/** What a test suite asks of a server, by method and name. */
const actions: Readonly<Record<string, Action>> = {
  'POST reset': { words: say('Torna a l’estat inicial', 'Restore the state at the start', 'Vuelve al estado inicial') },
  'POST snapshot': { words: say('Desa l’estat actual', 'Save the current state', 'Guarda el estado actual') },
  'POST restore': { words: say('Torna a l’estat desat', 'Restore the saved state', 'Vuelve al estado guardado') },
  'POST fail': { words: say('Fa fallar peticions', 'Make requests fail', 'Hace fallar peticiones'), fields: fault },
  'POST heal': { words: say('Treu tots els errors', 'Take back all faults', 'Quita todos los fallos') },
  'POST latency': {
    words: say('Endarrereix les respostes', 'Delay the answers', 'Retrasa las respuestas'),
    fields: { latency: { type: 'string', examples: ['50ms-200ms'] } },
  },
  'POST clock': {
    words: say('Atura el rellotge', 'Stop the clock', 'Para el reloj'),
    fields: { now: { type: ['string', 'null'], format: 'date-time' } },
  },
  'GET conditions': {
    words: say('Errors, retard i rellotge', 'Faults, latency and clock in force', 'Fallos, retraso y reloj'),
  },
  'GET requests': {
    words: say('Peticions rebudes', 'Requests that came', 'Peticiones recibidas'),
    fields: { method: { type: 'string' }, route: { type: 'string' } },
    streams: true,
  },
}

export const controlPath = '/__calctl/'

/** The paths of the control routes. They have no language, so they name their own server. */
export const controlPaths = (baseUrl: string, language: Language): Schema =>
  Object.fromEntries(
    Object.entries(actions).map(([name, action]) => {
      const [method = '', path] = name.split(' ')
      return [
        `${controlPath}${path}`,
        { servers: [{ url: baseUrl }], [method.toLowerCase()]: operation(method, String(path), action, language) },
      ]
    }),
  )

const operation = (method: string, path: string, { words, fields, streams }: Action, language: Language): Schema => ({
  operationId: `control${path.charAt(0).toUpperCase()}${path.slice(1)}`,
  summary: words[language],
  parameters: [
    { name: 'X-Calctl-Token', in: 'header', required: true, schema: { type: 'string' } },
    ...(method === 'GET' ? Object.entries(fields ?? {}) : []).map(([name, schema]) => ({ name, in: 'query', schema })),
  ],
  ...(method === 'POST' &&
    fields && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object', properties: fields } } },
      },
    }),
  responses: {
    200: {
      description: words[language],
      content: { 'application/json': {}, ...(streams && { 'text/event-stream': {} }) },
    },
  },
})
