import { Failure } from '../../base/failure.ts'
import { normalizeText } from '../../base/text/folding.ts'
import { isObject } from '../../base/text/json.ts'
import type { Field } from '../../contract/field.ts'
import { asksForNone } from '../../contract/kinds/kind-values.ts'
import type { Language } from '../../contract/languages.ts'
import { type Differences, repeatsAnother } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Reads, Values } from '../client.ts'
import { isPatchOnly, missedValues } from './write-result.ts'

/**
 * What became of a new record: which values it does not have as they were sent, which a patch has to give it, and in which language it is.
 */

/**
 * The language of a new record, by its answer or by the address at which it is found; the requested one if neither tells. A plugin for
 * translations may choose the language itself. One more request where each language has an address of its own.
 */
export async function landedIn(
  [asked, client]: readonly [Language, Reads],
  others: () => Promise<readonly (readonly [Language, Reads])[]>,
  resource: Resource,
  record: Answer,
): Promise<Language> {
  if (record.lang_code) return record.lang_code
  if (await isAt(client, resource, record)) return asked
  for (const [language, other] of await others()) if (await isAt(other, resource, record)) return language
  return asked
}

/** Whether a record may be at an address. Only `missing` says that it is not: other failures are no reason to look for it elsewhere. */
async function isAt(client: Reads, resource: Resource, { id }: Answer): Promise<boolean> {
  try {
    await client.get(resource, { id })
    return true
  } catch (error) {
    if (error instanceof Failure) return error.kind !== 'missing'
    throw error
  }
}

/** Whether a site has a field outside of its events API. */
const isApart = ({ fields }: Resource, name: string): boolean => fields[name]?.site?.apart === true

/** The values that a patch has to give a new record, because only `wp/v2` writes them or the events API drops them, and the others. */
export function patchedAfterwards(resource: Resource, values: Values): { patch: Values; others: Values } {
  const isPatched = ([name, value]: [string, unknown]) =>
    isPatchOnly(resource, name) || isApart(resource, name) || resource.fields[name]?.kind.isDropped?.(value) === true
  const entries = Object.entries(values)
  return {
    patch: Object.fromEntries(entries.filter(isPatched)),
    others: Object.fromEntries(entries.filter(entry => !isPatched(entry))),
  }
}

/** The values that a new record does not have as they were sent. */
export const missingIn = (resource: Resource, values: Values, record: Answer): Differences =>
  missedValues(resource, values, {
    after: record,
    isFine(name, asked) {
      // The site chooses instead of an empty value, as if there was none.
      return (
        repeatsAnother(name, resource, values) ||
        asked === undefined ||
        asksForNone(asked) ||
        isShownOtherwise(name, resource.fields[name], values, record)
      )
    },
  })

function isShownOtherwise(name: string, field: Field | undefined, values: Values, record: Answer): boolean {
  const { [name]: asked } = values
  // A publication date in the future schedules the record.
  if (name === 'status' && asked === 'publish' && (values.date ?? values.date_utc)) return record.status === 'future'
  // A site loads an image from its URL, and stores it under a name of its own.
  if (field?.kind.shape === 'picture' && /^https?:/i.test(String(asked))) return isObject(record[name])
  return field?.kind.shape === 'prose' && typeof asked === 'string' && isShownAs(asked, String(record[name] ?? ''))
}

/** What WordPress renders differently: blocks, shortcodes, smileys, signs in parentheses, addresses of videos. */
const rendersOtherwise = /<!--|\[\/?\w[^\]]*\]|[:;]-?[()DPp|?]|\((?:tm|c|r)\)|https?:\/\//i

/**
 * Whether a rendered text was made from this one: the same words between the same tags. For what is rendered differently the answer cannot
 * tell. Backslashes always show, because they are always lost.
 */
function isShownAs(asked: string, shown: string): boolean {
  if (asked.includes('\\') !== shown.includes('\\')) return false
  if (rendersOtherwise.test(asked)) return shown !== ''
  const tags = tagsIn(shown)
  return wordsIn(asked) === wordsIn(shown) && tagsIn(asked).every(tag => tags.includes(tag))
}

/** The words of a text, which every API renders alike, whatever markup it gives them. */
export const wordsIn = (text: string): string => normalizeText(text.replace(/<[^<>]*>/g, ' ')).replace(/\s+/g, '')

const tagsIn = (text: string): string[] =>
  Array.from(text.matchAll(/<([a-z][a-z\d]*)/gi), ([, name = '']) => name.toLowerCase()).filter(
    name => name !== 'p' && name !== 'br',
  )
