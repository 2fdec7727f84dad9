/** The last line that writers printed about a record. */
export type Acknowledgement = { readonly version: number } | 'deleting' | 'deleted'

/** The number of acknowledged writes, and those that were not found. */
export interface Outcome {
  readonly acknowledged: number
  readonly lost: readonly string[]
}

/** Whether the version found (or none) contradicts the last acknowledgement. An unanswered write may have been done. */
export const isLost = (last: Acknowledgement, found: number | undefined): boolean => {
  if (last === 'deleting') return false
  if (last === 'deleted') return found !== undefined
  return found === undefined || found < last.version
}

/** The acknowledgement in words. */
export const inWords = (last: Acknowledgement): string => (typeof last === 'string' ? last : `version ${last.version}`)
