import type { Listing } from '../list/manner.ts'
import { links } from './page-links.ts'
import { dates } from './window.ts'

/** How The Events Calendar makes lists. */
export const productionListing: Listing = {
  /** Where the site's clock is UTC, instants are compared; elsewhere what clocks show, whichever zone they show it in. */
  clock: ({ timezone }) => (/^(Etc\/)?(UTC|GMT)([+-]0)?$/i.test(timezone) ? 'utc' : 'wall'),
  dates,
  showsHidden: () => false,
  links,
  /** A search for venues or organizers that finds none tells the total without the search. */
  total: (matching, { values }, { name }, all) =>
    matching === 0 && values.search !== undefined && (name === 'venues' || name === 'organizers') ? all() : matching,
  /** Venues and organizers with upcoming events are those of the first page of them. */
  upcomingLimit: ({ perPage }) => perPage,
  eventTexts: ['title', 'description', 'excerpt'],
  readSearch,
}

/** Words that must occur and, behind a minus, words that must not; quotes hold words together. */
function readSearch(text: string) {
  const words = [...text.matchAll(/(-?)(?:"([^"]+)"|([^\s"]+))/g)].map(([, minus, phrase, word]) => ({
    isUnwanted: minus === '-',
    word: phrase ?? word ?? '',
  }))
  return {
    wanted: words.filter(({ isUnwanted }) => !isUnwanted).map(({ word }) => word),
    unwanted: words.filter(({ isUnwanted }) => isUnwanted).map(({ word }) => word),
  }
}
