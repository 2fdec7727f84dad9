import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Ref, Values } from '../context.ts'
import { find } from '../find.ts'
import { Refusal } from '../refusal.ts'
import type { Rows } from '../store/rows.ts'
import { writeEvent } from './event.ts'
import { writeOrganizer, writeVenue } from './places.ts'
import { writeTerm } from './terms.ts'
import { type PostTable, trash, untrashed } from './trash.ts'
import type { Write } from './write.ts'

/** Writes a record, new where no `ref` names one. */
export function put(write: Write, of: ResourceName, ref?: Ref): Rows[ResourceName] {
  const { values } = write.context
  switch (of) {
    case 'events':
      return putPost(write, of, ref, (given, old) => writeEvent(write, given, old))
    case 'venues':
      return putPost(write, of, ref, (given, old) => writeVenue(write, given, old))
    case 'organizers':
      return putPost(write, of, ref, (given, old) => writeOrganizer(write, given, old))
    default:
      return writeTerm(write, of, values, ref && find(write.context, of, ref))
  }
}

/** The status `trash` is a delete after the rest is written; any other brings a trashed post back. */
function putPost<T extends PostTable>(
  write: Write,
  of: T,
  ref: Ref | undefined,
  writeRow: (values: Values, old?: Rows[T]) => Rows[T],
): Rows[T] {
  const { status, ...others } = write.context.values
  const old = ref && find(write.context, of, ref)
  if (old?.status === 'trash' && (status === undefined || status === 'trash')) throw inTrash(of)
  const before = old?.status === 'trash' ? untrashed(old) : old
  return status === 'trash' ? trash(write, of, writeRow(others, before)) : writeRow(write.context.values, before)
}

/** Refuses what cannot be done to a trashed post. */
export function inTrash(of: PostTable): Refusal {
  const { singular } = resourceNamed(of)
  return new Refusal(410, `${singular}-is-in-trash`, `The ${singular} is already trashed`)
}
