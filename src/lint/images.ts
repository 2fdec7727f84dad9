import { isObject } from '../contract/resource.ts'
import type { Problem, Rule } from './rule.ts'
import { htmlTexts, isComing } from './texts.ts'

const missing: Rule = {
  id: 'missing-image',
  level: 'info',
  finds: 'an event that is still to come has no image',
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
  why: 'people who do not see it, and search engines, do not learn what it shows; in the European Union that is the law for many sites',
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

export const images: readonly Rule[] = [missing, withoutAlt]
