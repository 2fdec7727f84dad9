import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import type { Rows } from '../store/rows.ts'
import { nameOf } from '../write/places.ts'
import type { PlaceTable } from '../write/write.ts'

/** Refuses a venue or organizer that cannot be made of what was sent. */
export function couldNotCreate(of: PlaceTable): Refusal {
  const singular = of === 'venues' ? 'venue' : 'organizer'
  const message = `The ${singular} could not be created from the provided data`
  return new Refusal(400, `could-not-create-${singular}`, message)
}

/** A venue or organizer of this name in any case, unless it is in the trash: a new one is written over it. */
export function twin<T extends PlaceTable>({ store, language }: Context, of: T, name: string): Rows[T] | undefined {
  const wanted = name.toLowerCase()
  for (const row of store.table(of).values())
    if (row.lang_code === language && row.status !== 'trash' && nameOf(row).toLowerCase() === wanted) return row
  return undefined
}
