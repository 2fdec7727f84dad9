import { version } from '../../../package.json'
import { documentedNamespace } from '../../contract/contract.ts'
import type { Response } from '../../contract/exchange.ts'
import { languages } from '../../contract/languages.ts'
import type { RequestContext } from '../dialect.ts'

export type WelcomeOptions = Pick<RequestContext, 'baseUrl' | 'namespace' | 'hasUsers'>

/** Tells another calctl that this is one, for example when it wants the same port. */
const serverName = (pid: number): string => `calctl/${version} (pid ${pid})`

/** The page for a person who opens the base URL: where the API is, and what to try. */
export function welcome(options: WelcomeOptions, accept: string): Response {
  const asHtml = accept.includes('text/html')
  const root = `${options.baseUrl}/${options.namespace}`
  return {
    status: 200,
    headers: {
      'content-type': `text/${asHtml ? 'html' : 'plain'}; charset=UTF-8`,
      server: serverName(process.pid),
      link: `<${options.baseUrl}/>; rel="https://api.w.org/"`,
      'x-tec-api-version': 'v1',
      'x-tec-api-root': `${root}/`,
      'x-tec-api-origin': options.baseUrl,
    },
    body: asHtml ? page(text(options, root), options) : text(options, root),
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

const page = (plain: string, { baseUrl, namespace }: WelcomeOptions): string => {
  const escaped = plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const linked = escaped.replace(/^(\w+ +| +)(https?:\/\/\S+)$/gm, '$1<a href="$2">$2</a>')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>calctl</title>
${languageLinks({ baseUrl, namespace })}
<pre>${linked}</pre>
</html>
`
}
