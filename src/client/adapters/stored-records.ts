/**
 * What a site stores but does not show in its answers. Input: records. Output: records with `raw`, or as they are where the site does not
 * show more. What its lists leave out is found by `hidden-records.ts`; whether it shows anything is in `shown-stored-records.ts`.
 */

import type { Field } from '../../contract/field.ts'
import { roundTrip } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Reads, WordPress } from '../client.ts'
import { listByIds } from './wp-lists.ts'
import { storedForms } from './wp-record.ts'

interface StoredParts {
  /** The fields to read; all by default. */
  readonly names?: readonly string[] | undefined
  readonly language?: unknown
  /** Adds more of what `wp/v2` shows to the record. */
  complete?(record: Answer, row: Answer): Answer
}

/**
 * Records with `raw`: their texts as they are stored, and always their stored cost, which every patch sends along. No request is needed
 * where the rendered form shows a value exactly; the others are read a hundred at a time. Records that the site does not show stay as they
 * are.
 */
export async function withRawValues(
  client: Reads,
  resource: Resource,
  records: readonly Answer[],
  { names, language, complete = record => record }: StoredParts = {},
): Promise<Answer[]> {
  const wordpress = records.length > 0 ? await client.wordpress(language) : undefined
  const forms = storedForms(resource).filter(
    ([name, { kind }]) => kind.shape === 'amount' || (names?.includes(name) ?? true),
  )
  if (!wordpress || forms.length === 0) return [...records]
  const known = records.map(record => ({ record, raw: knownRaw(forms, record) }))
  const unknown = known.flatMap(({ record, raw }) => (raw ? [] : record.id))
  const read = unknown.length > 0 ? await readStored(wordpress, resource, unknown) : undefined
  return known.map(({ record, raw }) => {
    const row = read?.get(record.id)
    const stored = raw ?? row?.raw
    const known = stored ? { ...record, raw: { ...record.raw, ...stored } } : record
    return row ? complete(known, row) : known
  })
}

/** After this many records in a row that cannot be read alone either, the remaining ones count as records that this user may not edit. */
const mostHidden = 3

/**
 * The records as `wp/v2` has them. Its lists leave out what the user may not edit and, on some sites, what is in another language; what is
 * missing is read one by one.
 */
async function readStored(wordpress: WordPress, resource: Resource, ids: readonly number[]) {
  const records = await listByIds(wordpress, resource, ids)
  if (!records) return undefined
  let hidden = 0
  for (const id of ids.filter(id => !records.has(id))) {
    const record = await wordpress.get(resource, id)
    if (record) records.set(id, record)
    hidden = record ? 0 : hidden + 1
    if (hidden === mostHidden) break
  }
  return records
}

/** The stored values, if the rendered ones show all of them. */
function knownRaw(forms: readonly [string, Field][], record: Answer): Answer['raw'] | undefined {
  const raw: Record<string, unknown> = {}
  for (const [name, field] of forms) {
    const stored = record.raw?.[name] ?? storedForm(name, field, record)
    if (stored === undefined) return undefined
    raw[name] = stored
  }
  return raw
}

/** The stored form of a value whose rendered form shows it exactly. */
function storedForm(name: string, field: Field, record: Answer): unknown {
  const shown = record[name] ?? ''
  // A site shows amounts: `$10` is stored as `10`, or as `10 at the door`.
  if (field.kind.shape === 'amount') return shown === '' ? '' : undefined
  if (field.site?.emptyAs !== undefined) return roundTrip(name, field, record)
  if (typeof shown !== 'string') return undefined
  if (field.site?.key === 'title') return isUnrendered(shown) ? shown : undefined
  // A description that shows no text can still have blocks and shortcodes.
  return field.site?.key === 'excerpt' && shown === '' ? '' : undefined
}

/** Whether a title has none of the characters that WordPress replaces, or puts in place of others. */
const isUnrendered = (text: string): boolean => !/[&<>‘’“”″′–—…×™]/.test(text)
