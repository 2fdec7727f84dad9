import { type Answer, isObject, type Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { asOption } from '../text/words.ts'
import { type Calendar, placeOf } from './calendar.ts'
import type { Values } from './client.ts'
import { wasApplied } from './compare.ts'

/**
 * An inline record is a venue or organizer that a request describes instead of naming it. A site has one per name, and overwrites
 * an existing one with what is sent: so it is sent only if there is none of its name.
 */
export type InlineRecord = Values

/** Whether a link is a record, and neither an ID or name nor a reference to a step that creates one. */
export const isInline = (link: unknown): link is InlineRecord => isObject(link) && typeof link.$ref !== 'string'

/** The fields of an inline record that an existing one, or another inline one, does not have. */
export const inlineDifferences = (resource: Resource, existing: Values, inline: InlineRecord): string[] =>
  Object.entries(inline)
    .filter(([name, value]) => {
      const field = resource.fields[name]
      if (!field || field.queryOnly || name === resource.title) return false
      return !wasApplied(name, field, value, existing as Answer)
    })
    .map(([name]) => name)

/** The ID of the existing record that an inline one names; throws `refused` if it differs from it. */
export function idForInline(resource: Resource, existing: Answer, inline: InlineRecord, calendar: Calendar): number {
  const changed = inlineDifferences(resource, existing, inline)
  if (changed.length === 0) return existing.id
  const { name, singular, title } = resource
  const options = changed.map(field => `${asOption(field)} ${JSON.stringify(inline[field])}`)
  throw new Failure(
    'refused',
    `${singular} "${existing[title]}" (${existing.id}) exists already ${placeOf(calendar)}: ${changed
      .map(field => `its ${field} is ${shown(existing[field])}, not ${shown(inline[field])}`)
      .join('; ')}`,
    {
      hint: `use it by its ID, ${existing.id}; change it with: calctl ${name} update ${existing.id} ${options.join(' ')}${calendar.flags ?? ''}; or create another one with a different name`,
    },
  )
}

const shown = (value: unknown): string =>
  value === undefined || value === null || value === '' ? 'empty' : JSON.stringify(value)
