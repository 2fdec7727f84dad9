import type { Status } from '../../contract/posts.ts'
import type { Language } from '../../contract/words.ts'
import type { OrganizerSlug, VenueSlug } from './places.ts'
import type { CategorySlug, TagSlug } from './terms.ts'

/** When something happens: so many weeks from this one, on a day counted from Monday, which is 0. */
export interface Moment {
  readonly week: number
  readonly day: number
  /** `20:30`; none for what lasts whole days. */
  readonly at?: string
  /** Hours with `at`, days without. */
  readonly lasts: number
}

/** One event of the demo as its planner would note it down; a title and a description for each language it is announced in. */
export interface Act extends Moment {
  readonly slug: string
  readonly venue?: VenueSlug
  readonly organizers: readonly OrganizerSlug[]
  readonly categories: readonly CategorySlug[]
  readonly tags?: readonly TagSlug[]
  /** In euros; 0 is free, and without one nothing is said. */
  readonly euros?: number
  readonly picture?: string
  readonly website?: string
  readonly featured?: true
  readonly status?: Status
  readonly texts: Readonly<Partial<Record<Language, readonly [title: string, description: string]>>>
}
