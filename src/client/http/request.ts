import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ignoreErrors } from '../../base/attempt.ts'
import { Failure } from '../../base/failure.ts'
import { encodePercent } from '../../base/text/escaping.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Request } from '../../contract/exchange.ts'
import type { Field } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import type { Resource } from '../../contract/resource.ts'
import { slugKey } from '../../contract/slug.ts'
import type { Ref, Renew, Values } from '../client.ts'

/** The path, below the base URL, of the list of a resource or of one of its records. */
export function pathOf(namespace: string, resource: Resource, ref?: Ref): string {
  const collection = `/${namespace}/${resource.name}`
  if (!ref) return collection
  if ('id' in ref) return `${collection}/${ref.id}`
  if (slugKey(ref.slug) === undefined)
    throw new Failure('missing', phrase('expected an ID or a slug, got an empty string'))
  return `${collection}/by-slug/${encodePercent(ref.slug)}`
}

/** A read or a delete; its values go into the query. */
export function queryRequest(method: 'GET' | 'DELETE', path: string, values: Values, language?: Language): Request {
  const query = queryOf({ ...values, lang_code: values.lang_code ?? language })
  return { method, path, ...(query && { query }), headers: readHeaders }
}

/** A write; its values go into a JSON body. */
export function bodyRequest(path: string, resource: Resource, values: Values, language?: Language): Request {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) body[name] = encode(resource.fields[name], value)
  if (language) body.lang_code ??= language
  return jsonRequest(path, body)
}

/** A write that is built again by `renew` before it is sent again. */
export function renewable(values: Values, requestFor: (values: Values) => Request, renew: Renew | undefined): Request {
  const request = requestFor(values)
  return renew ? { ...request, renew: async () => renewable(await renew(), requestFor, renew) } : request
}

/** A write with a JSON body. */
export const jsonRequest = (path: string, body: Values): Request => ({
  method: 'POST',
  path,
  headers: writeHeaders,
  body: JSON.stringify(body),
})

const readHeaders = { accept: 'application/json' }
const writeHeaders = { ...readHeaders, 'content-type': 'application/json' }

/** Lists are comma-separated; unset values are left out. */
function queryOf(values: Values): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.toString()
}

/** Some services accept only text for numbers, booleans and IDs, also in inline records. `null` still clears a field. */
function encode(field: Field | undefined, value: unknown): unknown {
  if (field?.of && typeof value === 'object') return encodeInline(field, value)
  const isText = field?.asText || field?.kind.isSentAsText
  return isText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value
}

function encodeInline(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => encodeInline(field, item))
  if (!field.of || typeof value !== 'object' || value === null) return value
  const { fields } = resourceNamed(field.of)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, encode(fields[name], item)]))
}

/** The end of the base URL of a WordPress site without permalinks, where the path of a request is a parameter. */
export const plainPermalinks = '?rest_route='

/** The URL of a request: `https://example.org/wp-json/tribe/events/v1/events?page=2`, or `https://example.org/?rest_route=/tribe/…`. */
export function addressOf(baseUrl: string, { path, query }: Pick<Request, 'path' | 'query'>): string {
  // A path that is a parameter must not begin another one.
  const isParameter = baseUrl.includes('?')
  const address = baseUrl.replace(/\/+$/, '') + (isParameter ? path.replace(/[&#+]/g, encodeURIComponent) : path)
  return query ? `${address}${isParameter ? '&' : '?'}${query}` : address
}

/** Whether a file is given by its address on the web, and not by a path. */
export const isWebAddress = (name: string): boolean => /^(https?|webcal):\/\//i.test(name)

/** An address as a browser gets it, written by the parser of URLs; undefined unless it is a page on the web. */
export function pageAddress(text: string): string | undefined {
  if (/\p{Cc}/u.test(text) || !URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return /^https?:$/.test(protocol) ? href : undefined
}

type ParsedBaseUrl = { readonly baseUrl: string } | { readonly problem: string }

/** Parses a base URL and normalizes it: without a slash at its end, and with an absolute path for a file, relative to `folder`. */
export function parseBaseUrl(text: string, folder: string): ParsedBaseUrl {
  if (/^file:/i.test(text)) return parseFileUrl(text, folder)
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return invalid(phrase('expected https://…, http://… or file:…'))
  const url = new URL(text)
  if (url.username || url.password) return invalid(phrase('a base URL must not contain credentials'))
  if (url.hash) return invalid(phrase('a base URL must not contain #'))
  // Without permalinks the path of a request is a parameter, so a page before it is part of the address.
  if (/^\?rest_route=\/*$/.test(url.search)) return { baseUrl: url.origin + url.pathname + plainPermalinks }
  if (url.search) return invalid(phrase('a base URL must not contain ?, other than ?rest_route= at its end'))
  return { baseUrl: url.origin + url.pathname.replace(/\/+$/, '') }
}

/** The path of the calendar file of a `file:` base URL; undefined for others. */
export const fileOf = (baseUrl: string): string | undefined =>
  baseUrl.startsWith('file:') ? fileURLToPath(baseUrl) : undefined

/** `file:town.json` is relative to `folder`, `file:///srv/town.json` is absolute. */
function parseFileUrl(text: string, folder: string): ParsedBaseUrl {
  const path = text.slice('file:'.length)
  if (path === '' || path.endsWith('/')) return invalid(phrase('expected the path of a calendar file after file:'))
  if (!path.startsWith('//')) return { baseUrl: pathToFileURL(resolve(folder, path)).href }
  const baseUrl = ignoreErrors(() => pathToFileURL(fileURLToPath(text)).href)
  return baseUrl === undefined ? invalid(phrase('expected file:///path/to/calendar.json')) : { baseUrl }
}

const invalid = (problem: string): ParsedBaseUrl => ({ problem })

/** A header `Authorization` with a name and a password. */
export const basicCredentials = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
