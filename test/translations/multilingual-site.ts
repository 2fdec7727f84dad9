import { type Stage, type Staged, stagedSite } from '../support/staged-site.ts'

interface MultilingualOptions {
  readonly tells: boolean
  readonly obeys?: boolean
  /** What the Spanish address answers instead of the site, or nothing at all. */
  readonly spanish?: () => Staged | 'nothing' | undefined
}

/**
 * A site of WordPress that has an address for each language, and a plugin that decides in which one a new record is: the main one,
 * whatever is asked for, unless `obeys`. Without `tells` its answers say nothing of languages.
 */
export async function multilingualSite({ tells, obeys = false, spanish }: MultilingualOptions) {
  const stage: Stage = {
    answer: asked => (asked.url.startsWith('/es/') ? spanish?.() : undefined),
    before(asked) {
      const url = new URL(asked.url, 'http://site.test')
      const isSpanish = url.pathname.startsWith('/es/')
      url.pathname = url.pathname.replace(/^\/es\//, '/')
      const isCreate = asked.method === 'POST' && /\/(events|venues|tags)\/?$/.test(url.pathname)
      if (isSpanish && (obeys || !isCreate)) url.searchParams.set('lang_code', 'es')
      Object.assign(asked, { url: `${url.pathname}${url.search}` })
    },
    after(answer) {
      delete answer.headers['x-calendar-languages']
      if (!tells) answer.body = answer.body.replaceAll(/,?"lang_code":"\w+"/g, '')
    },
  }
  const { calctlWith, origin, seen } = await stagedSite(stage)
  const calctl = calctlWith({ CALCTL_BASE_URL: undefined, CALCTL_USER: undefined, CALCTL_NAMESPACE: undefined })
  await calctl(
    `profiles add site --base-url ${origin}/wp-json --base-url-for es=${origin}/es/wp-json --namespace tribe/events/v1 --lang ca --user admin --secret env:CALCTL_PASSWORD`,
  )
  return {
    origin,
    calctl: (line: string) => calctl(/(^| )-p /.test(line) ? line : `-p site ${line}`),
    /** The same site, known by its main address alone. */
    plain: calctlWith({}),
    apply: (csv: string) => calctl('-p site apply - --yes', csv),
    seen,
  }
}
