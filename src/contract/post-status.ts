/** The statuses that events, venues and organizers can have. */
export const statuses = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const

/** The publication status: whether the public sees a record, and if not, why. */
export type Status = (typeof statuses)[number]

/** The statuses that WordPress stores: those of the API, and two that it assigns itself. */
export const wordpressStatuses: readonly string[] = [...statuses, 'auto-draft', 'inherit']

const unpublished = new Set(['draft', 'pending', 'auto-draft'])

/** Whether a post has never been published: it has no publication date in UTC, and in production no slug. */
export const isUnpublished = (status: string): boolean => unpublished.has(status)

/** What stands for the date in UTC of a post that has never been published. */
export const noDate = '0000-00-00 00:00:00'
