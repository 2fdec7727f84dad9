import { version } from '../../../package.json'
import { documentedNamespace } from '../../contract/contract.ts'
import type { Response } from '../../contract/exchange.ts'
import { languages } from '../../contract/languages.ts'
import type { RequestContext } from '../dialect.ts'

export type WelcomeOptions = Pick<RequestContext, 'baseUrl' | 'namespace' | 'hasUsers'>

/** Tells another calctl that this is one, for example when it wants the same port. */
const serverName = (pid: number): string => `calctl/${version} (pid ${pid})`

/** The text for a person who opens the base URL where there are no pages: where the API is, and what to try. */
export function welcome(options: WelcomeOptions): Response {
  const root = `${options.baseUrl}/${options.namespace}`
  return {
    status: 200,
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      server: serverName(process.pid),
      link: `<${options.baseUrl}/>; rel="https://api.w.org/"`,
      'x-tec-api-version': 'v1',
      'x-tec-api-root': `${root}/`,
      'x-tec-api-origin': options.baseUrl,
    },
    body: text(options, root),
  }
}

function text({ baseUrl, namespace, hasUsers }: WelcomeOptions, root: string): string {
  const userFlag = hasUsers ? ' -u NAME:PASSWORD' : ''
  const namespaceFlag = namespace === documentedNamespace ? '' : ` --namespace ${namespace}`
  return `calctl ${version} serves an events calendar here.

Routes     ${root}
OpenAPI    ${root}/doc
Languages  ${languages.map(language => `${baseUrl}/${language}/${namespace}`).join('\n           ')}

Try:
  curl '${root}/events?per_page=5'
  curl '${root}/tags?hide_empty=false&lang_code=en'
  curl${userFlag} ${root}/categories -H 'Content-Type: application/json' -d '{"name": "Jazz"}'
  calctl --base-url ${baseUrl}${namespaceFlag} events list
`
}

/** The addresses of the API in each language, for the head of a page, where calctl looks for them. */
export const languageLinks = ({ baseUrl, namespace }: Pick<WelcomeOptions, 'baseUrl' | 'namespace'>): string =>
  languages
    .map(language => `<link rel="alternate" hreflang="${language}" href="${baseUrl}/${language}/${namespace}">`)
    .join('\n')
