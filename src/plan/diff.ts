import type { Values } from '../client/client.ts'
import { equal, wasApplied, writableValue } from '../client/compare.ts'
import type { Field } from '../contract/field.ts'
import { type Answer, isObject, type Resource } from '../contract/resource.ts'
import { decodeEntities } from '../text/normalize.ts'

/** The values that a record does not have yet. */
export const changedValues = (resource: Resource, before: Answer, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([name, asked]) => {
      const field = resource.fields[name]
      return field && !field.queryOnly && !isUpToDate(name, field, asked, before)
    }),
  )

function isUpToDate(name: string, field: Field, asked: unknown, before: Answer): boolean {
  const shown = before[name]
  if (field.kind === 'integer') return (Number(asked) || null) === (Number(shown) || null)
  if (field.kind === 'image' && isImageCopy(asked, shown)) return true
  if (field.kind === 'posts' && field.multiple !== false && Array.isArray(asked))
    return equal(asked, writableValue(field, shown))
  if (field.kind !== 'text' || typeof asked !== 'string' || asked === '' || typeof shown !== 'string')
    return wasApplied(name, field, asked, before)
  return (
    asked.trim() === decodeEntities(shown).trim() ||
    asked === shown ||
    (isRendered(shown) && wasApplied(name, field, asked, before))
  )
}

/** Whether an image is one that a site has made of another address, and keeps under its name: `poster.jpg`, `poster-1.jpg`. */
function isImageCopy(asked: unknown, shown: unknown): boolean {
  const [given, kept] = [asked, isObject(shown) ? shown.url : undefined].map(fileAt)
  if (!given?.name || !kept || given.host === kept.host || !kept.name.startsWith(given.name)) return false
  return /^(-\d{1,2})?(-scaled)?$/.test(kept.name.slice(given.name.length))
}

function fileAt(address: unknown): { host: string; name: string } | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined
  const { host, pathname } = new URL(address)
  return { host, name: pathname.replace(/^.*\//, '').replace(/\.\w+$/, '') }
}

/** Where a site renders its texts, only what they say can be compared; elsewhere every character counts. */
const isRendered = (text: string): boolean => /<\/?p\b|<br\b|&#?\w+;/.test(text)

/**
 * Values without those ends of an event that are its own already: what a clock shows twice says enough where nothing is to
 * change.
 */
export function withoutUnchangedEnds(before: Answer, values: Values): Values {
  if (values.timezone !== undefined && values.timezone !== before.timezone) return values
  const isOwn = ([name, value]: [string, unknown]) =>
    (name === 'start_date' || name === 'end_date') && value === before[name]
  return Object.fromEntries(Object.entries(values).filter(entry => !isOwn(entry)))
}
