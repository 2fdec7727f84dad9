/** What writers said of a record last. */
export type Said = { readonly version: number } | 'deleting' | 'deleted'

/** How many writes were acknowledged in all, and which of them were not found. */
export interface Outcome {
  readonly acknowledged: number
  readonly lost: readonly string[]
}

/** Whether what is found, a version or nothing, cannot be after what was said. What was not answered may have been done. */
export const isLost = (last: Said, found: number | undefined): boolean => {
  if (last === 'deleting') return false
  if (last === 'deleted') return found !== undefined
  return found === undefined || found < last.version
}

/** What was said of a record, for people. */
export const inWords = (last: Said): string => (typeof last === 'string' ? last : `version ${last.version}`)
