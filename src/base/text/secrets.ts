import { namePath, readPairs } from './received-parameters.ts'

export const hidden = '***'

const secretWord = /pass(word|wd|phrase|code)?\b|token|secret|authorization|cookie|nonce|(^|[-_.])key\b|apikey/i

export const isSecretName = (name: string): boolean => secretWord.test(name)

/** Whether a decoded parameter has the name of a secret for whoever receives it. */
const isSecretParameter = (name: string): boolean => [name, ...namePath(name)].some(isSecretName)

/** The paths of addresses that are secrets as a whole. */
const secretPaths = new Set<string>()

/** From now on, nothing is shown of this address but its host, also if it continues or moves to another one. */
export const keepSecret = ({ pathname, search }: URL): void => void secretPaths.add(pathname + search)

/** Whether a word of a path looks like a key that a program made: a UUID, or digits among letters that are many, or of both cases. */
const isKey = (word: string): boolean =>
  /\d[a-z]/i.test(word) && /[a-z\d]{16}|[a-z].*[A-Z]|[A-Z].*[a-z]|(?:[\da-f]{4}-){4}/.test(word)

/** A URL without the credentials before its host, the keys in its path and the secrets in its query, for output and logs. */
export function hidePassword(url: string): string {
  const [, origin = '', path = '', query] = /^([a-z]+:\/\/[^/?]*)?([^?]*)(?:\?(.*))?$/is.exec(url) ?? []
  const host = origin.replace(/\/\/.*@/, `//${hidden}@`)
  if ([...secretPaths].some(secret => url.startsWith(secret, origin.length))) return `${host}/${hidden}`
  const place = host + path.replace(/[\w-]{16,}/g, word => (isKey(word) ? hidden : word))
  return query === undefined ? place : `${place}?${query.split('&').map(hideValue).join('&')}`
}

function hideValue(pair: string): string {
  const [name = ''] = pair.split('=', 1)
  return name !== pair && readPairs(pair).some(([decoded]) => isSecretParameter(decoded)) ? `${name}=${hidden}` : pair
}

/** The parameters of a query or form by their decoded names, without secrets. */
export const shownParameters = (text: string): Record<string, string> =>
  Object.fromEntries(readPairs(text).map(([name, value]) => [name, isSecretParameter(name) ? hidden : value]))

export const hideHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? hidden : value]))

/** A body without secrets: JSON and forms as values, other text as it is, unless it names a secret. */
export function shownBody(text: string, type = ''): unknown {
  try {
    if (type.includes('json')) return hideSecrets(JSON.parse(text))
  } catch {}
  if (type.includes('urlencoded')) return shownParameters(text)
  const plain = text.replace(/(?:\\u00|%)([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return secretWord.test(plain) ? hidden : text
}

function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecretName(name) && item ? hidden : hideSecrets(item)]),
  )
}
