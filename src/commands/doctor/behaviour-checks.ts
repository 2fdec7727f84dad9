import { listOf } from '../../text/words.ts'
import { type Check, done, type Examination, type Finding, failed, skipped } from './finding.ts'
import { objectIn } from './probe.ts'
import { checkUpdate } from './update-check.ts'

/** In ms. */
const largestSkew = 60_000

export const behaviourChecks: readonly Check[] = [
  { name: 'update', needs: 'writing', run: checkUpdate },
  { name: 'page size', needs: 'reading', run: checkPageSize },
  { name: 'clock', needs: 'API', run: checkClock },
  { name: 'time zone', needs: 'API', run: checkZone },
  { name: 'languages', needs: 'redirects', run: checkLanguages },
  { name: 'rate limit', needs: 'API', run: checkRateLimit },
]

async function checkPageSize({ facts, probe }: Examination): Promise<Finding> {
  const asked = 100
  const { baseUrl, namespace, total = 0 } = facts
  const query = `per_page=${asked}&starts_after=1000-01-01`
  const response = await probe.ask(baseUrl, { method: 'GET', path: `/${namespace}/events`, query })
  const { events } = objectIn(response) ?? {}
  if (!Array.isArray(events)) return done(`below ${asked}: the site answered ${response.status}`)
  if (events.length >= asked || events.length < total) return done(`${events.length} events`)
  return skipped(`there are only ${total} events`)
}

/** `undo` and `list` compare the site's times with this machine's. */
async function checkClock({ probe, app }: Examination): Promise<Finding> {
  const dates = probe.headers.map(({ date = '' }) => Date.parse(date)).filter(date => !Number.isNaN(date))
  const site = dates.at(-1)
  if (site === undefined) return skipped('the site does not say what time it is')
  const skew = site - app.world.now().getTime()
  if (Math.abs(skew) <= largestSkew) return done('the same as here')
  const minutes = Math.round(Math.abs(skew) / 60_000)
  return failed(
    `the site's clock is ${minutes} min ${skew > 0 ? 'ahead of' : 'behind'} this machine's`,
    'compare both with the right time: set this clock, or ask the host to set the other',
    'clock',
  )
}

async function checkZone({ facts }: Examination): Promise<Finding> {
  const { timezone_string: zone, gmt_offset: offset } = facts.index ?? {}
  if (typeof zone === 'string' && zone !== '') return done(zone)
  if (offset === undefined) return skipped('the site does not say')
  return done(`UTC${Number(offset) < 0 ? '' : '+'}${offset}, without daylight saving time`)
}

async function checkLanguages({ facts, target }: Examination): Promise<Finding> {
  const tags = (facts.frontPage ?? '').match(/<link\b[^>]*\bhreflang=["'][^"']+["'][^>]*>/gi) ?? []
  const named = tags.flatMap(tag => /hreflang=["']([^"']+)/i.exec(tag)?.[1] ?? []).filter(name => name !== 'x-default')
  const found = [...new Set([...named, ...target.sites])]
  const asked = target.language
  const isNamed = (language: string) => found.some(name => name.toLowerCase().split(/[-_]/)[0] === language)
  if (found.length > 0)
    return done(asked === undefined || isNamed(asked) ? listOf(found) : `${listOf(found)}; ${notNamed(asked)}`)
  const [, own] = /<html\b[^>]*\blang=["']([^"']+)/i.exec(facts.frontPage ?? '') ?? []
  if (own === undefined) return skipped('the front page names none')
  return done(asked === undefined || own.startsWith(asked) ? `${own} only` : `${own} only; ${notNamed(asked)}`)
}

const notNamed = (language: string): string =>
  `${language}, the language in use, was not found: the site may ignore it, and answer in its own`

async function checkRateLimit({ probe }: Examination): Promise<Finding> {
  const seen = new Map<string, string>()
  for (const headers of probe.headers)
    for (const [name, value] of Object.entries(headers))
      if (/^(x-)?rate-?limit(-limit|-policy)?$/.test(name)) seen.set(name, value)
  if (seen.size === 0) return done('none was announced')
  return done(Array.from(seen, ([name, value]) => `${name}: ${value}`).join(', '))
}
