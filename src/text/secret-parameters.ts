import { decodePercent } from './percent-encoding.ts'

/** A URL, or the end of one, as it may be printed and logged: without the password of a record that its query may hold. */
export function hidePassword(url: string): string {
  const start = url.indexOf('?') + 1
  if (start === 0) return url
  const pairs = url.slice(start).split('&')
  return url.slice(0, start) + pairs.map(hideValue).join('&')
}

function hideValue(pair: string): string {
  const [name = ''] = pair.split('=', 1)
  return decodePercent(name) === 'password' && name !== pair ? `${name}=***` : pair
}
