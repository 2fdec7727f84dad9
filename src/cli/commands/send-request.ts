import { buffer } from 'node:stream/consumers'
import { excluding, refused, usage } from '../../base/failure.ts'
import { isObject } from '../../base/text/json.ts'
import { hidePassword } from '../../base/text/secrets.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client } from '../../client/client.ts'
import { withOwnStatus } from '../../client/http/api-error.ts'
import { responseFailure } from '../../client/http/problems/response-failure.ts'
import { jsonRequest, queryRequest } from '../../client/http/request.ts'
import { parseBody } from '../../client/http/response.ts'
import { sendUncertain } from '../../client/http/retry.ts'
import type { Request, Response } from '../../contract/exchange.ts'
import { isWrite } from '../../contract/received-request.ts'
import type { App } from '../app.ts'

/** The options of `calctl api`. */
export interface ApiOptions {
  readonly field?: readonly string[]
  readonly input?: string
  readonly paginate?: true
  readonly include?: true
}

/** Sends a request and prints its answer; with --paginate, the answers of all pages. Throws if the answer is a failure. */
export async function sendRequestOf(app: App, method: string, path: string, options: ApiOptions): Promise<void> {
  if (options.paginate && method !== 'GET') throw excluding('--paginate', method)
  if (options.paginate && options.include) throw excluding('--paginate', '--include')
  const typed = await requestOf(app, method, path, options)
  const isRead = !isWrite(typed)
  const client = isRead ? await app.client() : await app.writer()
  const request = requestTo(client, typed)
  if (options.paginate) {
    await app.printValue(await everyPage(client, request))
    return
  }
  const exchange = async () => {
    const response = await client.send(request)
    if (options.include) await printHead(app, response)
    await printBody(app, response)
    checkSuccess(client, request, response)
  }
  if (isRead) return exchange()
  if (!app.globals.demo) await remember(app, client.calendar.id, `${method} ${path}`)
  await sendUncertain(
    exchange,
    phrase('it may have succeeded'),
    phrase('check whether it succeeded before you send it again'),
  )
  await app.notice(phrase('this request is not in calctl history, and calctl undo cannot take it back'))
}

/** Remembers a write that belongs to no run, so that an undo asks before it takes back the run before it. */
async function remember({ world }: App, calendar: string, request: string): Promise<void> {
  const { rememberApiWrite } = await import('../profiles/site-notes.ts')
  const { listRuns } = await import('../../changes/run/runs-folder.ts')
  const { runsFolder } = await import('../profiles/user-folders.ts')
  const [latest] = listRuns(runsFolder(world))
  rememberApiWrite(world, calendar, { request, after: latest?.order ?? '' })
}

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH'])

/** The request as it was typed; what it does depends on nothing that `requestTo` adds. */
async function requestOf(app: App, method: string, target: string, options: ApiOptions): Promise<Request> {
  const { field = [], input } = options
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const fields = field.map(typedField)
  const twice = fields.find(([name], index) => fields.findIndex(([other]) => other === name) < index)
  if (twice)
    throw usage(
      phrase('the field "{name}" is given twice', { name: twice[0] }),
      phrase("for a list: -f '{name}=[1,2]'", { name: twice[0] }),
    )
  const values = Object.fromEntries(fields)
  if (input !== undefined && Object.keys(values).length > 0) throw excluding('--input', '-f')
  const parameters = new URLSearchParams(query)
  if (!methodsWithBody.has(method)) {
    if (input !== undefined) throw excluding('--input', method)
    for (const [name, value] of Object.entries(values)) parameters.set(name, String(value))
    return { ...queryRequest('GET', path, {}), method, query: parameters.toString() }
  }
  const body = input === undefined ? {} : { body: await readWhole(app, input, '--input') }
  return { ...jsonRequest(path, values), ...body, method, query: parameters.toString() }
}

/** A typed request with its path below the base URL of a client, and in its language unless another one was typed. */
function requestTo({ calendar, namespace, language }: Client, typed: Request): Request {
  const parameters = new URLSearchParams(typed.query)
  if (language && !parameters.has('lang_code')) parameters.set('lang_code', language)
  const path = pathBelow(typed.path, calendar.baseUrl ?? '', namespace)
  return { ...typed, path, query: parameters.toString() }
}

/** The path below the base URL. A complete URL is accepted only for this site, because no other one gets the credentials. */
function pathBelow(target: string, baseUrl: string, namespace: string): string {
  if (target.startsWith('/')) return target
  if (!/^[a-z][a-z\d+.-]*:/i.test(target)) return `/${namespace}/${target}`
  const start = baseUrl.endsWith('=') ? baseUrl : `${baseUrl}/`
  if (baseUrl !== '' && target.startsWith(start)) return `/${target.slice(start.length).replace(/^\/+/, '')}`
  throw usage(
    phrase('{url} is not below {baseUrl}', { url: hidePassword(target), baseUrl: baseUrl || phrase('this calendar') }),
    phrase('requests go to the site of the profile only; give a path, such as events/57'),
  )
}

/** `cost=12` is a number, `sticky=true` a boolean, `tags=[1,2]` a list, anything else a text. */
function typedField(text: string): [string, unknown] {
  const [name, value] = nameAndValue(text)
  if (!/^(-?\d|true$|false$|null$|[[{"])/.test(value)) return [name, value]
  try {
    return [name, JSON.parse(value)]
  } catch {
    return [name, value]
  }
}

function nameAndValue(text: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw usage(
    phrase('{option}: expected key=value, got {text}', { option: '-f', text: JSON.stringify(text) }),
    phrase('for example: -f cost=12'),
  )
}

async function readWhole(app: App, name: string, option: string): Promise<string> {
  const { bytesOfFile, bytesOfStdin } = await import('./shared/input.ts')
  const naming = { option, hint: phrase('pass a file, or - for stdin') }
  return (await buffer(name === '-' ? bytesOfStdin(app) : bytesOfFile(app, name, naming))).toString()
}

/** How many pages of a list are read at most: all of them are in memory at once. */
const mostPages = 10_000

/** The answer of a list as if it had a single page: its records one after another. */
async function everyPage(client: Client, request: Request): Promise<unknown> {
  const first = await pageAt(client, request, 1)
  if (first.count > mostPages)
    throw refused(
      phrase('{calendar} reports {count} pages', { calendar: client.calendar.label, count: first.count }),
      phrase(
        '--paginate reads at most {mostPages}: ask for larger pages with -f per_page=100, or for one with -f page=N',
        { mostPages },
      ),
    )
  const values = [first.value]
  for (let page = 2; page <= first.count; page++) values.push((await pageAt(client, request, page)).value)
  if (values.every(Array.isArray)) return values.flat()
  if (values.length === 1) return first.value
  const whole: Record<string, unknown> = {}
  for (const value of values.filter(isObject))
    for (const [name, item] of Object.entries(value))
      whole[name] = Array.isArray(item) && Array.isArray(whole[name]) ? [...(whole[name] as unknown[]), ...item] : item
  return whole
}

async function pageAt(client: Client, request: Request, page: number): Promise<{ value: unknown; count: number }> {
  const query = new URLSearchParams(request.query)
  query.set('page', String(page))
  const pageRequest = { ...request, query: query.toString() }
  const response = await client.send(pageRequest)
  checkSuccess(client, pageRequest, response)
  const value = parseBody(response)
  const inBody = isObject(value) ? value.total_pages : undefined
  const { 'x-wp-totalpages': ofWordPress, 'x-tec-totalpages': ofEvents } = response.headers
  return { value, count: Number(inBody ?? ofWordPress ?? ofEvents ?? 1) || 1 }
}

async function printHead({ world }: App, { status, headers }: Response): Promise<void> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  await world.stdout.write(`${[`HTTP ${status}`, ...lines].join('\n')}\n\n`)
}

/** Prints JSON as other commands do, and anything else unchanged. */
async function printBody(app: App, response: Response): Promise<void> {
  const value = parseBody(response)
  if (value !== undefined) await app.printValue(value)
  else if (response.body.length > 0) await app.world.stdout.write(`${String(response.body).trimEnd()}\n`)
}

function checkSuccess({ calendar }: Client, request: Request, response: Response): void {
  const failed = withOwnStatus(response)
  if (failed.status >= 400) throw responseFailure({ request, calendar }, failed, 'an answer')
}
