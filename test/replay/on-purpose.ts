const summer = 'a fixed offset such as UTC+2 stays fixed here; there it follows the summer time of a guessed country'
const setting = 'The Events Calendar was set to compare by instants on a site in Madrid, which is no setting of ours'

const site = 'the name of the site, its plugins and their namespaces are its own'

const described = 'what a route takes is described from the contract, in our words'

/** Exchanges that our service answers differently on purpose, and why. */
export const onPurpose: ReadonlyMap<string, string> = new Map([
  ['event-create-bad-author', 'there are no accounts here that an author could be looked up in'],
  ['auth-get-bad-basic', 'the total counts the event of that author'],
  ['list-categories-orderby-term_group', 'all groups are equal, and the order of equals is not specified'],
  ['list-events-tag-accents', summer],
  ['list-events-venue-two', summer],
  ['list-events-venue-array', summer],
  ['window-tz-starts-after', summer],
  ['window-tz-starts-before', summer],
  ['offset2-site-create-no-tz-summer', summer],
  ['offset2-site-list-start_date-2026-12-05T00-00-00Z-strict_dates-1', summer],
  ['event-options', described],
  ['cors-preflight', described],
  ['route-case', 'of events that start together the last published comes last, and the clock is held here'],
  ['sitemode-madrid-list-start_date-2026-12-05T00-00-00Z-strict_dates-1', setting],
  ['sitemode-madrid-list-start_date-2026-12-05-end_date-2026-12-05', setting],
  ['sitemode-madrid-list-start_date-2028-01-11-end_date-2028-01-11', setting],
  ['index-anon', site],
  ['index-rest-route', site],
  ['editor-list-edit', 'of events that were published in one second the last comes first, and the clock is held here'],
  [
    'POST /events/by-slug/my-full-event',
    'there an author may change any event by its slug, which is a hole of the plugin',
  ],
  ['index-any', site],
  ['index-html', site],
  ['ical-events', 'that site had other events, too, and the recording was cut off; a test of serve compares the parts'],
  ['method-get-2-array', 'where WordPress fails with a page of its own, there is an error of the API'],
  ['jsonp', 'only the ID in the script is another one'],
  ['rest-route-1', 'calctl asks for no single type of posts'],
  ['me', 'the capabilities that count here are those about events, venues and organizers'],
])
