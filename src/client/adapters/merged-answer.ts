import { equal } from '../../contract/kinds/kind-values.ts'
import { isUnpublished } from '../../contract/post-status.ts'
import { isShownEmpty } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { isObject } from '../../text/json.ts'
import type { Reads, Values } from '../client.ts'
import { storedForms } from './wp-record.ts'

/**
 * A record after a patch: the answer to it, completed with what only the events API shows. What was not patched keeps the form that
 * it had, since both APIs render texts and costs in forms of their own; what is shown in place of an empty field changes with it.
 */
export function mergedAnswer(resource: Resource, before: Answer, after: Answer, patched: Values): Answer {
  const rendered = new Set(storedForms(resource).map(([name]) => name))
  const merged: Answer = { ...before, ...after }
  for (const [name, field] of Object.entries(resource.fields)) {
    const hasOldForm = field.kind.identity !== undefined || rendered.has(name)
    if (!hasOldForm || before[name] === undefined || after[name] === undefined) continue
    const isSame = rendered.has(name)
      ? !(name in patched)
      : equal(field.kind.canonical(before[name], field), field.kind.canonical(after[name], field))
    if (isSame) merged[name] = isShownEmpty(name, field, before) ? merged[String(field.site?.emptyAs)] : before[name]
    else if (Array.isArray(after[name])) merged[name] = after[name].map(link => embedded(before[name], link))
  }
  // They describe the cost that the site showed before.
  if ('cost' in patched) delete merged.cost_details
  // Both dates are shown as that of the last save, for as long as a record is not published.
  if (String(before.date_utc).startsWith('0000') && isUnpublished(String(after.status)))
    merged.date_utc = before.date_utc
  return merged
}

/** A link with the record that was embedded for it before. */
const embedded = (before: unknown, link: unknown): unknown =>
  [before].flat().find(one => isObject(one) && isObject(link) && one.id === link.id) ?? link

/** The record with the names of those that a patch has linked, which `wp/v2` does not show: read once more, if there are any. */
export async function withLinkedRecords(client: Reads, resource: Resource, record: Answer): Promise<Answer> {
  const isComplete = Object.entries(resource.fields).every(([name, { kind }]) =>
    [kind.identity && record[name]].flat().every(link => !isObject(link) || Object.keys(link).length > 1),
  )
  if (isComplete) return record
  try {
    const read = await client.get(resource, { id: record.id }, { lang_code: record.lang_code })
    return { ...read, ...(record.raw && { raw: record.raw }) }
  } catch (error) {
    // The update is done all the same.
    if (error instanceof Failure) return record
    throw error
  }
}
