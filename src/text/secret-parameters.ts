import { decodePercent } from './percent-encoding.ts'

/** What stands in the place of a secret. */
export const hidden = '***'

/** Whether a header, a parameter or a key of JSON looks like the name of a secret. */
export const isSecretName = (name: string): boolean =>
  /pass(word|wd|phrase|code)?$|token|secret|authorization|cookie|nonce|(^|[-_.])key$|apikey/i.test(name)

/** A URL, or the end of one, as it may be printed and logged: without the secrets that its query may hold. */
export function hidePassword(url: string): string {
  const start = url.indexOf('?') + 1
  if (start === 0) return url
  const pairs = url.slice(start).split('&')
  return url.slice(0, start) + pairs.map(hideValue).join('&')
}

function hideValue(pair: string): string {
  const [name = ''] = pair.split('=', 1)
  return isSecretName(decodePercent(name)) && name !== pair ? `${name}=${hidden}` : pair
}

/** A value of JSON without the secrets in it, at any depth. */
export function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecretName(name) && item ? hidden : hideSecrets(item)]),
  )
}
