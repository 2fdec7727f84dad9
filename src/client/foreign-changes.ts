/**
 * What somebody else changed in a record after it was read: whether it is in the way of an update, and what the update is to be built
 * on otherwise. Input: the record as it was read, and the values of the update. Output: the record as it is, or the failure `conflict`.
 */
import { type Answer, type Resource, withAffectedFields } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { listOf } from '../text/words.ts'
import type { Client, Values, WordPress } from './client.ts'
import { type Differences, differences, wasApplied } from './compare.ts'
import { blankedFailure, isBlanked } from './protected-record.ts'
import { readAnywhere } from './reconcile.ts'
import { isInTrash } from './trash.ts'
import { mergedAnswer } from './wordpress/merged-answer.ts'
import { withRawValues } from './wordpress/raw-values.ts'

/** The fields that say together when an event is. */
const schedule = ['start_date', 'end_date', 'timezone', 'all_day']

/**
 * The fields that somebody else changed and that the values would overwrite, or that say together with them what is meant. `wasSent`
 * if the values may have been written before.
 */
export function conflictingFields(
  resource: Resource,
  values: Values,
  changed: Differences,
  current: Answer,
  wasSent: boolean,
): string[] {
  const written = Object.keys(values)
  const touched = new Set(written.flatMap(name => touchedWith(resource, name)))
  return Object.keys(changed).filter(name => {
    const isTouched = touched.has(name) || withAffectedFields(resource, name).some(other => written.includes(other))
    if (!isTouched) return false
    // What changed along with a field that was written before is the doing of that write.
    return name in values ? !isApplied(resource, name, values, current) : !wasSent
  })
}

const touchedWith = (resource: Resource, name: string): readonly string[] =>
  schedule.includes(name) ? [...schedule, ...withAffectedFields(resource, name)] : withAffectedFields(resource, name)

function isApplied({ fields }: Resource, name: string, values: Values, record: Answer): boolean {
  const field = fields[name]
  return field !== undefined && wasApplied(name, field, values[name], record)
}

/** The record of an update through the events API that has to be sent again. */
export async function readAgain(client: Client, resource: Resource, before: Answer, values: Values): Promise<Answer> {
  const record = await readAnywhere(client, resource, { id: before.id }, values)
  const wasHidden = before.status === 'trash' && before.hide_from_listings === true
  if (!record && wasHidden && (await isInTrash(client, resource, before.id, values.lang_code))) return before
  if (!record) throw movedRecordFailure(client, resource, before)
  if (isBlanked(resource, record)) throw blankedFailure(resource, record, client.calendar)
  return unopposed(client, resource, before, await withStoredForms(client, resource, before, record, values), values)
}

/** The record with the stored forms that the one before had: what was changed meanwhile must not be written back. */
async function withStoredForms(
  client: Client,
  resource: Resource,
  before: Answer,
  record: Answer,
  { lang_code }: Values,
): Promise<Answer> {
  if (!before.raw) return record
  const [stored = record] = await withRawValues(client, resource, [record], Object.keys(before.raw), lang_code)
  if (stored.raw) return stored
  const changed = differences(resource, before, record)
  return { ...record, raw: Object.fromEntries(Object.entries(before.raw).filter(([name]) => !(name in changed))) }
}

/** The record of a patch that has to be sent again: the stored cost goes along with it. */
export async function readStoredAgain(
  client: Client,
  wordpress: WordPress,
  resource: Resource,
  before: Answer,
  values: Values,
): Promise<Answer> {
  const rows = await wordpress.list(resource, { include: before.id })
  // The site has closed `wp/v2` meanwhile: it refuses the patch, too.
  if (!rows) return before
  const row = rows.find(({ id }) => id === before.id)
  if (!row) throw movedRecordFailure(client, resource, before)
  return unopposed(client, resource, before, mergedAnswer(resource, before, row, {}), values)
}

function unopposed(client: Client, resource: Resource, before: Answer, current: Answer, values: Values): Answer {
  const isDone = Object.keys(values).every(
    name => !resource.fields[name] || resource.fields[name].queryOnly || isApplied(resource, name, values, current),
  )
  const isMoved = (current.status === 'trash') !== (before.status === 'trash')
  if (isMoved && !(isDone && 'status' in values)) throw movedRecordFailure(client, resource, before)
  const conflicts = conflictingFields(resource, values, differences(resource, before, current), current, isDone)
  if (conflicts.length === 0) return current
  const message = `${resource.singular} ${before.id} changed meanwhile: ${listOf(conflicts)}`
  throw new Failure('conflict', message, { hint: leftAsItIs })
}

const movedRecordFailure = ({ calendar }: Client, { singular }: Resource, { id }: Answer) =>
  new Failure('conflict', `${singular} ${id} was trashed, restored or deleted meanwhile at ${calendar.label}`, {
    hint: leftAsItIs,
  })

const leftAsItIs =
  'it was left as it is; check what it has now, and run the command again if the change is still needed'
