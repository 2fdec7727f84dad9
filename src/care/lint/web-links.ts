import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import { mayShowStored } from '../../client/adapters/shown-stored-records.ts'
import { largestList } from '../../client/adapters/wp-lists.ts'
import type { Client } from '../../client/client.ts'
import { queryRequest } from '../../client/http/request.ts'
import { parseBody } from '../../client/http/response.ts'
import { failureOf, mediaItemIn, mediaPath } from '../../client/images/media-library.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { textAt } from './brief.ts'
import type { ComparedProblem, Rule, RuleProblem } from './rule.ts'
import { htmlTexts, isStored, labelOf, storedText, textRule } from './texts.ts'
import { isComing } from './times.ts'

const resources = ['events', 'venues', 'organizers'] as const

const ownLink: Rule = {
  id: 'http-own-link',
  level: 'warning',
  finds: () => phrase('a link to the site itself uses http, although the site uses https'),
  why: () => phrase('browsers warn, and block images that are loaded this way'),
  remedy: () => phrase('write https; --fix does that where it can read the stored text'),
  resources,
  fixes: true,
  *check(record, resource, context): Generator<RuleProblem> {
    for (const [name, address] of httpLinks(record, resource, true)) {
      const host = hostOf(address)
      const places = { address: `http://${host}`, field: labelOf(name, resource) }
      yield {
        message: phrase('has a link to {address} in {field}', places),
        field: name,
        ...((name === 'website' || isStored(record, name, context)) && {
          values: { [name]: withHttps(storedText(record, name), host) },
        }),
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
  finds: () => phrase('a link to another site uses http, although this site uses https'),
  why: () => phrase('others on the network can read and change what visitors do there; nearly all sites support https'),
  remedy: () => phrase('try the address with https, and write that'),
  resources,
  *check(record, resource): Generator<RuleProblem> {
    for (const [name, address] of httpLinks(record, resource, false)) {
      const places = { address: shortAddress(address), field: labelOf(name, resource) }
      yield {
        message: phrase('links to {address} in {field}', places),
        field: name,
        ...(name === 'website' && { update: `--website ${address.replace(/^http:/i, 'https:')}` }),
      }
    }
  },
}

const shortAddress = (address: string): string => (address.length > 80 ? `${address.slice(0, 79)}…` : address)

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '')

/** The links with http of a record whose page has https: those to its own site, or to others. */
function* httpLinks(record: Answer, resource: Resource, areOwn: boolean): Generator<[name: string, address: string]> {
  const page = textAt(record, 'url')
  if (!page.startsWith('https://')) return
  for (const [name, address] of linksOf(record, resource))
    if (/^http:\/\//i.test(address) && (hostOf(address) === hostOf(page)) === areOwn) yield [name, address]
}

/** The addresses that a record has: its website, and those in its texts. */
function* linksOf(record: Answer, resource: Resource): Generator<[name: string, address: string]> {
  const website = textAt(record, 'website').replaceAll('&amp;', '&')
  if (website !== '' && website !== record.url) yield ['website', website]
  for (const [name, { addresses }] of htmlTexts(record, resource))
    for (const address of new Set(addresses)) yield [name, address]
}

export const links: readonly Rule[] = [ownLink, foreignLink]

const missing: Rule = {
  id: 'missing-image',
  level: 'info',
  finds: () => phrase('an upcoming event has no image'),
  why: () => phrase('lists, shared links and search engines show a grey box, or another picture of the site'),
  remedy: () => phrase('add one'),
  resources: ['events'],
  *check(record, _, context): Generator<RuleProblem> {
    if (!isComing(record, context) || isObject(record.image) || record.image === undefined) return
    yield { message: phrase('has no image'), field: 'image', update: '--image FILE' }
  },
}

const withoutAlt = textRule(htmlTexts, {
  id: 'image-alt',
  level: 'warning',
  finds: () => phrase('an image in a text has no alt text'),
  why: () =>
    phrase(
      'people who cannot see it and search engines do not know its content; in the European Union, many sites must have alt texts by law',
    ),
  remedy: () => phrase('describe it in its alt attribute, which stays empty for an ornament'),
  resources,
  faultIn({ imagesWithoutAlt: count }, field) {
    if (count === 0) return undefined
    const places = { count, field }
    return {
      message: phrase('has {count, plural, one {an image} other {# images}} without alt text in {field}', places),
    }
  },
})

const featuredWithoutAlt: Rule = {
  id: 'featured-image-alt',
  level: 'warning',
  finds: () =>
    phrase(
      'the image of a venue, an organizer or an upcoming event has no alt text; on sites whose wp/v2 is open to you',
    ),
  why: () => withoutAlt.why(),
  remedy: () => phrase('describe it in the media library of the site, once for all records that have it'),
  resources,
  async *compare({ featured }, context): AsyncGenerator<ComparedProblem> {
    if (featured.size === 0 || !(await mayShowStored(context.client))) return
    const texts = await altTexts(context.client, [...featured.keys()])
    for (const [id, { of, file }] of featured)
      if (texts?.get(id)?.trim() === '')
        yield {
          of,
          message: phrase('has the image {image}, which has no alt text', { image: `${file} (${id})` }),
          field: 'image',
          command: `api POST /wp/v2/media/${id} -f alt_text=TEXT`,
        }
  },
}

export const images: readonly Rule[] = [missing, withoutAlt, featuredWithoutAlt]

const refusals = [401, 403, 404]

/**
 * The alternative texts of images by ID, a hundred in each request, without images that the site does not show. Undefined if it shows none
 * to this user.
 */
async function altTexts(client: Client, ids: readonly number[]): Promise<Map<number, string> | undefined> {
  const texts = new Map<number, string>()
  for (let start = 0; start < ids.length; start += largestList) {
    const include = ids.slice(start, start + largestList).join(',')
    const _fields = 'id,source_url,alt_text'
    const request = queryRequest('GET', mediaPath, { include, per_page: largestList, _fields })
    const response = await client.send(request)
    if (refusals.includes(response.status)) return undefined
    const rows = response.status === 200 ? parseBody(response) : undefined
    if (!Array.isArray(rows)) throw await failureOf(client.calendar, request, response, phrase('a list of images'))
    for (const item of rows.flatMap(row => mediaItemIn(row) ?? [])) texts.set(item.id, item.alt)
  }
  return texts
}
