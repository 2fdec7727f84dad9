import type { Field } from '../../contract/field.ts'
import { roundTrip } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { isObject } from '../../text/json.ts'
import type { Client, WordPress } from '../client.ts'
import { listByIds } from './wp-client.ts'
import { storedForms } from './wp-record.ts'

/**
 * Records with `raw`: their texts and costs as they are stored, for the fields that are named (all by default), and for the
 * cost, which every patch sends along. What the rendered form shows exactly needs no request; the others are read a hundred at a
 * time; `complete` gets those with what `wp/v2` shows. Records that the site does not show stay as they are, and so do all of them
 * where it has the events API alone.
 */
export async function withRawValues(
  client: Client,
  resource: Resource,
  records: readonly Answer[],
  names?: readonly string[],
  language?: unknown,
  complete = (record: Answer, _row: Answer): Answer => record,
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

/** After so many records in a row that are not shown alone either, the others are taken for records that this user may not edit. */
const mostHidden = 3

/**
 * The records as `wp/v2` has them. Lists leave out what a user may not edit, and on some sites what is in another language: what is
 * missing is read alone.
 */
async function readStored(
  wordpress: WordPress,
  resource: Resource,
  ids: readonly number[],
): Promise<Map<number, Answer> | undefined> {
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
  if (field.emptyAs !== undefined) return roundTrip(name, field, record)
  if (typeof shown !== 'string') return undefined
  if (field.wordpress === 'title') return isUnrendered(shown) ? shown : undefined
  // A description without text can still have blocks and shortcodes that show nothing.
  return field.wordpress === 'excerpt' && shown === '' ? '' : undefined
}

/** Whether a title has none of the signs that WordPress puts in place of others. */
const isUnrendered = (text: string): boolean => !/[&<>‘’“”″′–—…×™]/.test(text)

/** The cost that an update has just stored, if its answer shows one number: that without the symbol that the site adds. */
export function costJustStored({ cost, cost_details: details }: Answer): string | undefined {
  const shown = String(cost ?? '')
  if (shown === '') return ''
  if (!isObject(details) || !Array.isArray(details.values) || details.values.length !== 1) return undefined
  if (details.currency_symbol !== '' || details.currency_code) return undefined
  return /^[^\d\p{L}\s.,-]?(\d+([.,]\d+)?)[^\d\p{L}\s.,-]?$/u.exec(shown)?.[1]
}
