import type { Answer, Resource } from '../../contract/resource.ts'
import { textAt } from './brief.ts'
import type { Problem, Rule } from './rule.ts'
import { htmlTexts, isStored, storedText } from './texts.ts'

const resources = ['events', 'venues', 'organizers'] as const

const ownLink: Rule = {
  id: 'http-own-link',
  level: 'warning',
  finds: 'a link to the site itself uses http, although the site uses https',
  why: 'browsers warn, and leave out images that are loaded this way',
  remedy: 'write https; --fix does that where it can read the stored text',
  resources,
  fixes: true,
  *check(record, resource, context): Generator<Problem> {
    const host = httpsHost(record)
    if (host === undefined) return
    for (const [name, address] of httpLinks(record, resource)) {
      if (hostOf(address) !== host) continue
      const text = storedText(record, name)
      const values = { [name]: withHttps(text, host) }
      yield {
        message: `has a link to http://${host} in ${name}`,
        field: name,
        ...(name === 'website' || isStored(record, name, context)
          ? { values }
          : { suggestion: context.command(`${resource.name} edit ${record.id}`) }),
      }
    }
  },
}

function withHttps(text: string, host: string): string {
  const escaped = host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.replace(new RegExp(`http://(?=${escaped}(?:[/"'?#\\s<]|$))`, 'gi'), 'https://')
}

const foreignLink: Rule = {
  id: 'http-link',
  level: 'info',
  finds: 'a link to another site uses http, although this site uses https',
  why: 'what visitors do there can be read and changed on the way; nearly all sites answer https by now',
  remedy: 'try the address with https, and write that',
  resources,
  *check(record, resource, context): Generator<Problem> {
    const host = httpsHost(record)
    if (host === undefined) return
    for (const [name, address] of httpLinks(record, resource))
      if (hostOf(address) !== host)
        yield {
          message: `links to ${shortened(address)} in ${name}`,
          field: name,
          suggestion:
            name === 'website'
              ? context.updateOf(resource, record, `--website ${address.replace(/^http:/i, 'https:')}`)
              : context.command(`${resource.name} edit ${record.id}`),
        }
  },
}

export const shortened = (address: string): string => (address.length > 80 ? `${address.slice(0, 79)}…` : address)

/** The host of a site whose pages are served by https; undefined for others. */
function httpsHost(record: Answer): string | undefined {
  const page = textAt(record, 'url')
  return page.startsWith('https://') ? hostOf(page) : undefined
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '')

/** The first link of each host that begins with http, by field. */
function* httpLinks(record: Answer, resource: Resource): Generator<[name: string, address: string]> {
  for (const [name, address] of linksOf(record, resource)) if (/^http:\/\//i.test(address)) yield [name, address]
}

/** The addresses that a record has: its website, and those in its texts. */
export function* linksOf(record: Answer, resource: Resource): Generator<[name: string, address: string]> {
  const website = textAt(record, 'website').replaceAll('&amp;', '&')
  if (website !== '' && website !== record.url) yield ['website', website]
  for (const [name, { addresses }] of htmlTexts(record, resource))
    for (const address of new Set(addresses)) yield [name, address]
}

export const links: readonly Rule[] = [ownLink, foreignLink]
