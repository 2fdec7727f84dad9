import type { Field } from '../../contract/field.ts'
import type { Differences } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { isObject } from '../../text/json.ts'
import { normalizeText } from '../../text/similarity.ts'
import type { Client, Values } from '../client.ts'
import { checkSecrets, guarded, isGuarded } from './secret-values.ts'
import { languageDrift, missedValues, printable, type UpdateResult } from './update-drift.ts'

/**
 * Creates a record in one request, and compares the answer with what was sent: services change or drop values without a word. A
 * second request is a patch with what only `wp/v2` writes and with a cost that was dropped, if the new record does not have that
 * anyway. A record with a password is private until that request, which publishes it.
 */
export async function safeCreate(client: Client, resource: Resource, values: Values): Promise<UpdateResult> {
  await checkSecrets(client, resource, values)
  const record = await client.create(resource, guarded(resource, values, patchOnlyValues(resource, values).others))
  const { record: patched, drift } = await withPatchedValues(client, resource, record, values)
  return { record: patched, drift: { ...languageDrift(values.lang_code ?? client.languages().own, record), ...drift } }
}

/** A new record after the patch that gives it what only `wp/v2` writes, if it needs one; compared with what was asked for. */
export async function withPatchedValues(
  client: Client,
  resource: Resource,
  record: Answer,
  values: Values,
): Promise<UpdateResult> {
  const wanted: Values = isGuarded(resource, values) ? { status: 'publish', ...values } : values
  const drift = missingIn(resource, wanted, record)
  // A site drops a cost of 0 from a new event, and takes it afterwards.
  const isDropped = (name: string) => name === 'cost' && record[name] === ''
  const isPatched = (name: string) =>
    resource.fields[name]?.patchOnly || (name === 'status' && wanted !== values) || isDropped(name)
  const patch = Object.fromEntries(Object.entries(wanted).filter(([name]) => name in drift && isPatched(name)))
  const wordpress = Object.keys(patch).length > 0 ? await client.wordpress(values.lang_code) : undefined
  if (!wordpress) return { record, drift }
  try {
    const { mergedAnswer } = await import('./merged-answer.ts')
    const { withRawValues } = await import('./stored-records.ts')
    // Every patch of an event rewrites its cost, unless that is sent along as it is stored.
    const [stored = record] =
      'cost' in resource.fields ? await withRawValues(client, resource, [record], [], values.lang_code) : [record]
    let base = stored
    const body = () => {
      const cost = base.raw?.cost ?? values.cost
      return { ...(cost !== undefined && { cost }), ...patch }
    }
    const renew = async () => {
      const { readStoredAgain } = await import('./foreign-changes.ts')
      base = await readStoredAgain(client, wordpress, resource, base, patch)
      return body()
    }
    const patched = await wordpress.patch(resource, record.id, body(), renew)
    const merged = mergedAnswer(resource, base, patched, patch)
    // Whoever reads the record again sees its texts and its cost as they are shown.
    return { record: printable(merged), drift: missingIn(resource, wanted, merged) }
  } catch (error) {
    // The record is there: what it lacks is said, and the create is not sent again.
    if (error instanceof Failure) return { record, drift }
    throw error
  }
}

/** The values that only `wp/v2` writes, and the others. */
export function patchOnlyValues({ fields }: Resource, values: Values): { patch: Values; others: Values } {
  const entries = Object.entries(values)
  return {
    patch: Object.fromEntries(entries.filter(([name]) => fields[name]?.patchOnly)),
    others: Object.fromEntries(entries.filter(([name]) => !fields[name]?.patchOnly)),
  }
}

/** The values that a new record does not have as they were sent. */
export const missingIn = (resource: Resource, values: Values, record: Answer): Differences =>
  missedValues(resource, values, {
    after: record,
    isFine(name, asked) {
      // Of two dates of publication the local one counts.
      const isTwin = Object.keys(values).some(other => resource.fields[other]?.sameAs === name)
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
