import { createHash } from 'node:crypto'

/**
 * The slug that a feed's event has each time it is read, made from its UID, and from what tells it from the others where it is
 * one of a series. At most 155 characters of `[a-z0-9-]`; a digest keeps UIDs apart that differ in other characters.
 */
export function slugOf(uid: string, occurrence?: string): string {
  const readable = uid
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 120)
    .replace(/^-|-$/g, '')
  const digest = createHash('sha256').update(uid).digest('hex').slice(0, 10)
  return [readable, digest, occurrence].filter(part => part).join('-')
}

/** What a slug tells: the one of all that its UID has, and the day of one of a series as `20261205`, else nothing. */
export function slugParts(slug: string): { readonly whole: string; readonly day: string } {
  const [, whole = slug, day = ''] = /^(.+)-(\d{8})(?:t\d{6})?$/.exec(slug) ?? []
  return { whole, day }
}
