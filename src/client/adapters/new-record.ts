import type { Field } from '../../contract/field.ts'
import type { Differences } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { isObject } from '../../text/json.ts'
import { normalizeText } from '../../text/similarity.ts'
import type { Values } from '../client.ts'
import { missedValues } from './update-drift.ts'

/** The values that only `wp/v2` writes, and the others. */
export function patchOnlyValues({ fields }: Resource, values: Values): { patch: Values; others: Values } {
  const entries = Object.entries(values)
  const isPatchOnly = (name: string) => fields[name]?.site?.onlyBy === 'patch'
  return {
    patch: Object.fromEntries(entries.filter(([name]) => isPatchOnly(name))),
    others: Object.fromEntries(entries.filter(([name]) => !isPatchOnly(name))),
  }
}

/** The values that a new record does not have as they were sent. */
export const missingIn = (resource: Resource, values: Values, record: Answer): Differences =>
  missedValues(resource, values, {
    after: record,
    isFine(name, asked) {
      // Of two dates of publication the local one counts.
      const isTwin = Object.keys(values).some(other => resource.fields[other]?.site?.sameAs === name)
      return isTwin || isUnset(asked) || isShownOtherwise(name, resource.fields[name], values, record)
    },
  })

/** In a new record an empty value is the same as none, and the site chooses. */
const isUnset = (asked: unknown): boolean =>
  asked === undefined || asked === null || asked === '' || (Array.isArray(asked) && asked.length === 0)

function isShownOtherwise(name: string, field: Field | undefined, values: Values, record: Answer): boolean {
  const { [name]: asked } = values
  // A publication date that is still to come schedules the record.
  if (name === 'status' && asked === 'publish' && (values.date ?? values.date_utc)) return record.status === 'future'
  // A site loads an image from its URL, and stores it under a name of its own.
  if (field?.kind.shape === 'picture' && /^https?:/i.test(String(asked))) return isObject(record[name])
  return field?.kind.shape === 'prose' && typeof asked === 'string' && isShownAs(asked, String(record[name] ?? ''))
}

/** What WordPress renders as something else: blocks, shortcodes, smileys, signs in parentheses, addresses of videos. */
const rendersOtherwise = /<!--|\[\/?\w[^\]]*\]|[:;]-?[()DPp|?]|\((?:tm|c|r)\)|https?:\/\//i

/**
 * Whether a rendered text is made of this one: the same words between the same tags. Of what is rendered as something else the
 * answer cannot tell; backslashes are always visible, and always lost.
 */
function isShownAs(asked: string, shown: string): boolean {
  if (asked.includes('\\') !== shown.includes('\\')) return false
  if (rendersOtherwise.test(asked)) return shown !== ''
  const tags = tagsIn(shown)
  return wordsIn(asked) === wordsIn(shown) && tagsIn(asked).every(tag => tags.includes(tag))
}

const wordsIn = (text: string): string => normalizeText(text.replace(/<[^<>]*>/g, ' ')).replace(/\s+/g, '')

const tagsIn = (text: string): string[] =>
  Array.from(text.matchAll(/<([a-z][a-z\d]*)/gi), ([, name = '']) => name.toLowerCase()).filter(
    name => name !== 'p' && name !== 'br',
  )
