import { isObject } from '../../base/text/json.ts'
import { mayShowStored } from '../../client/adapters/stored-records.ts'
import { largestList } from '../../client/adapters/wp-client.ts'
import type { Client } from '../../client/client.ts'
import { queryRequest } from '../../client/http/request.ts'
import { parseBody } from '../../client/http/response.ts'
import { failureOf, mediaItemIn, mediaPath } from '../../client/images/media-library.ts'
import type { ComparedProblem, Problem, Rule } from './rule.ts'
import { htmlTexts, isComing } from './texts.ts'

const missing: Rule = {
  id: 'missing-image',
  level: 'info',
  finds: 'an upcoming event has no image',
  why: 'lists, shared links and search engines show a grey box, or another picture of the site',
  remedy: 'add one',
  resources: ['events'],
  *check(record, resource, context): Generator<Problem> {
    if (!isComing(record, context) || isObject(record.image) || record.image === undefined) return
    yield { message: 'has no image', field: 'image', suggestion: context.updateOf(resource, record, '--image FILE') }
  },
}

const withoutAlt: Rule = {
  id: 'image-alt',
  level: 'warning',
  finds: 'an image in a text has no alt text',
  why: 'people who cannot see it, and search engines, do not learn what it shows; in the European Union, many sites must have alt texts by law',
  remedy: 'describe it in its alt attribute, which stays empty for an ornament',
  resources: ['events', 'venues', 'organizers'],
  *check(record, resource, context): Generator<Problem> {
    for (const [name, { imagesWithoutAlt: count }] of htmlTexts(record, resource))
      if (count > 0)
        yield {
          message: `has ${count === 1 ? 'an image' : `${count} images`} without alt text in ${name}`,
          field: name,
          suggestion: context.command(`${resource.name} edit ${record.id}`),
        }
  },
}

const featuredWithoutAlt: Rule = {
  id: 'featured-image-alt',
  level: 'warning',
  finds: 'the image of a venue, an organizer or an upcoming event has no alt text; on sites whose wp/v2 is open to you',
  why: withoutAlt.why,
  remedy: 'describe it in the media library of the site, once for all records that have it',
  resources: ['events', 'venues', 'organizers'],
  async *compare({ featured }, context): AsyncGenerator<ComparedProblem> {
    if (featured.size === 0 || !(await mayShowStored(context.client))) return
    const texts = await altTexts(context.client, [...featured.keys()])
    for (const [id, { of, file }] of featured)
      if (texts?.get(id)?.trim() === '')
        yield {
          of,
          message: `has the image ${file} (${id}), which has no alt text`,
          field: 'image',
          suggestion: context.command(`api POST /wp/v2/media/${id} -f alt_text=TEXT`),
        }
  },
}

export const images: readonly Rule[] = [missing, withoutAlt, featuredWithoutAlt]

const refusals = [401, 403, 404]

/**
 * The alternative texts of images by their IDs, a hundred in each request; without the images that the site does not show.
 * Undefined where it shows none to this user.
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
    if (!Array.isArray(rows)) throw await failureOf(client.calendar, request, response, 'a list of images')
    for (const item of rows.flatMap(row => mediaItemIn(row) ?? [])) texts.set(item.id, item.alt)
  }
  return texts
}
