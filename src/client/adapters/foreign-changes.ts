import { conflict, type Failure } from '../../base/failure.ts'
/**
 * What somebody else changed in a record after it was read. Input: the record as it was read, and the values of an update. Output: the
 * current record, on which the update is built again, or the failure `conflict` if both changed the same field.
 */

import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { differences } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { fieldLabel, namedRecord } from '../../contract/resource-words.ts'
import { baseFrom, hasAll, threeWayMerge } from '../../contract/three-way-merge.ts'
import { placeOf } from '../calendar.ts'
import type { CalendarApi, Values, WordPress } from '../client.ts'
import { isInTrash, readAnywhere } from './reconcile.ts'
import { blankedFailure, isBlanked } from './secret-values.ts'
import { withRawValues } from './stored-records.ts'
import { mergedAnswer, withoutFirstReadings } from './wp-record.ts'

interface RecordUpdate {
  readonly client: CalendarApi
  readonly resource: Resource
  /** The record as it was read. */
  readonly before: Answer
  readonly values: Values
}

/** The current record, for an update through the events API that is sent again. */
export async function readAgain(update: RecordUpdate): Promise<Answer> {
  const { client, resource, before, values } = update
  const record = await readAnywhere(client, resource, { id: before.id }, values)
  const wasHidden = before.status === 'trash' && before.hide_from_listings === true
  if (!record && wasHidden && (await isInTrash(client, resource, before.id, values.lang_code))) return before
  if (!record) throw movedRecordFailure(update)
  if (isBlanked(resource, record)) throw blankedFailure(resource, record, client.calendar)
  return unopposed(update, await withStoredForms(update, record))
}

/**
 * The current record with its stored forms, if the record had them before: otherwise the update would write back values that somebody has
 * changed since.
 */
async function withStoredForms({ client, resource, before, values }: RecordUpdate, record: Answer): Promise<Answer> {
  if (!before.raw) return record
  const wanted = { names: Object.keys(before.raw), language: values.lang_code }
  const [stored = record] = await withRawValues(client, resource, [record], wanted)
  if (stored.raw) return stored
  const changed = differences(resource, before, record)
  return { ...record, raw: Object.fromEntries(Object.entries(before.raw).filter(([name]) => !(name in changed))) }
}

/** The current record, for a patch that is sent again, with the stored cost, which goes along with the patch. */
export async function readStoredAgain(update: RecordUpdate, wordpress: WordPress): Promise<Answer> {
  const { resource, before } = update
  const rows = (await wordpress.list(resource, { include: before.id }))?.records
  // The site has closed `wp/v2` since then, and will refuse the patch, too.
  if (!rows) return before
  const row = rows.find(({ id }) => id === before.id)
  if (!row) throw movedRecordFailure(update)
  const merged = mergedAnswer(resource, before, row, {})
  return unopposed(update, await withoutFirstReadings(update.client, resource, { before, merged, patched: {} }))
}

/** The current record; throws `conflict` if the update would overwrite what somebody has changed in it. */
function unopposed(update: RecordUpdate, current: Answer): Answer {
  const { resource, before, values } = update
  const { conflicts } = threeWayMerge(resource, { base: baseFrom(before), mine: values, theirs: current })
  const isMoved = (current.status === 'trash') !== (before.status === 'trash')
  if (isMoved && !('status' in values && hasAll(resource, values, current))) throw movedRecordFailure(update)
  if (conflicts.length === 0) return current
  const message = phrase('{record} changed in the meantime: {fields}', {
    record: namedRecord(resource.name, before.id),
    fields: listOf(conflicts.map(name => fieldLabel(name, resource.fields[name]))),
  })
  throw conflict(message, leftAsItIs())
}

function movedRecordFailure({ client, resource, before }: RecordUpdate): Failure {
  const message = phrase('{record} was trashed, restored or deleted in the meantime {place}', {
    record: namedRecord(resource.name, before.id),
    place: placeOf(client.calendar),
  })
  return conflict(message, leftAsItIs())
}

const leftAsItIs = (): string =>
  phrase('it was kept; check its current values, and run the command again if the change is still needed')
