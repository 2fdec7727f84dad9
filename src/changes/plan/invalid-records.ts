import type { Invalid, Plan } from './plan.ts'

/** What is wrong, and what to do about it, in one text. */
export const withHint = ({ message, hint }: Pick<Invalid, 'message' | 'hint'>): string =>
  hint ? `${message} (${hint})` : message

/** The invalid records because of which nothing is applied, unless they are skipped. */
export const blockingRecords = ({ invalid }: Pick<Plan, 'invalid'>): readonly Invalid[] =>
  invalid.filter(({ stopsOnlyItself, isConflict }) => stopsOnlyItself !== true && isConflict !== true)

/** The records that stay as somebody else has changed them. */
export const conflictsIn = ({ invalid }: Pick<Plan, 'invalid'>): readonly Invalid[] =>
  invalid.filter(({ isConflict }) => isConflict === true)

/** The same plan, in which every invalid record keeps the plan from being applied. */
export const withBlockingRecords = (plan: Plan): Plan => ({
  ...plan,
  invalid: plan.invalid.map(({ stopsOnlyItself, ...record }) => record),
})
