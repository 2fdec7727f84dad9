import type { events } from '../contract/events.ts'
import type { Fields } from '../contract/field.ts'
import type { Status } from '../contract/post-status.ts'

/** The checked values of a resource's fields; null clears. A link is an ID, or what the linked record shall be made of. */
export type ValuesOf<F extends Fields> = {
  readonly [N in keyof F]?: N extends 'status' ? Status | null : NonNullable<F[N]['kind']['checked']> | null
}

/** The checked values of an event's fields. */
export type EventValues = ValuesOf<typeof events.fields>
