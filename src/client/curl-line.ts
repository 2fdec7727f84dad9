import { hidden, shellWord } from '../text/escaping.ts'
import type { Exchange } from './traffic.ts'

/**
 * A request as a command line of curl that works when it is pasted. Secrets are variables: `$AUTHORIZATION`, `$PASSWORD` for the
 * password of a record.
 */
export function curlLine({ method, url, headers, body }: Exchange): string {
  const words = [
    'curl',
    ...methodWords(method),
    ...Object.entries(headers)
      .filter(([name]) => !addedByCurl.has(name))
      .flatMap(([name, value]) => ['-H', withVariables(`${name}: ${value}`, variableOf(name))]),
    ...(body === undefined ? [] : ['--data-raw', withVariables(body, 'PASSWORD')]),
    withVariables(url, 'PASSWORD'),
  ]
  return words.join(' ')
}

/** With `-X HEAD`, curl would wait for a body that never comes. */
function methodWords(method: string): string[] {
  if (method === 'GET') return []
  return method === 'HEAD' ? ['--head'] : ['-X', method]
}

/** Without its own `--compressed`, curl could not read what is compressed. */
const addedByCurl = new Set(['accept-encoding', 'user-agent'])

const variableOf = (header: string): string => header.toUpperCase().replace(/\W/g, '_')

/** A word of a shell in which each hidden secret is a variable. */
const withVariables = (text: string, variable: string): string =>
  text
    .split(hidden)
    .map(part => (part === '' ? '' : shellWord(part)))
    .join(`"$${variable}"`)
