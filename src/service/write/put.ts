import type { ResourceName } from '../../contract/field.ts'
import type { Write } from '../dialect.ts'
import { findRecord } from '../lookup.ts'
import type { ParameterValues, RecordRef } from '../request-context.ts'
import type { PostTable, Rows } from '../store/rows.ts'
import { writeEvent } from './event.ts'
import { writePlace } from './places.ts'
import { writeTerm } from './terms.ts'
import { trash, untrashed } from './trash.ts'

/** Writes a record, new where no `ref` names one. */
export function put(write: Write, of: ResourceName, ref?: RecordRef): Rows[ResourceName] {
  switch (of) {
    case 'events':
      return putPost(write, of, ref, (values, old) => writeEvent(write, values, old))
    case 'venues':
    case 'organizers':
      return putPost(write, of, ref, (values, old) => writePlace(write, of, values, old))
    default: {
      const old = ref && findRecord(write.context, of, ref)
      return writeTerm(write, of, write.dialect.prepare(write, of, write.context.values, old), old)
    }
  }
}

/** The status `trash` is a delete after the rest is written; any other brings a trashed post back. */
function putPost<T extends PostTable>(
  write: Write,
  of: T,
  ref: RecordRef | undefined,
  writeRow: (values: ParameterValues, old?: Rows[T]) => Rows[T],
): Rows[T] {
  const old = ref && findRecord(write.context, of, ref)
  const values = write.dialect.prepare(write, of, write.context.values, old)
  const before = old?.status === 'trash' ? untrashed(old) : old
  const { status, ...others } = values
  return status === 'trash' ? trash(write, of, writeRow(others, before)) : writeRow(values, before)
}
