import { isObject } from '../../contract/resource.ts'
import { renderCost } from '../production/cost.ts'
import type { EventRow, OrganizerRow, VenueRow } from '../store/rows.ts'

type PostRow = EventRow | VenueRow | OrganizerRow

/** The `meta` of a post: the plugin registers all of its keys for every one of its post types. */
export function metaOf(row: PostRow): object {
  const event = 'title' in row ? row : undefined
  const venue = 'venue' in row && !event ? (row as VenueRow) : undefined
  const organizer = 'organizer' in row && !event ? (row as OrganizerRow) : undefined
  return {
    _EventAllDay: event?.all_day ?? false,
    _EventTimezone: event?.timezone ?? '',
    _EventStartDate: event?.start_date ?? '',
    _EventEndDate: event?.end_date ?? '',
    _EventStartDateUTC: event?.utc_start_date ?? '',
    _EventEndDateUTC: event?.utc_end_date ?? '',
    _EventShowMap: event?.show_map ?? venue?.show_map ?? false,
    _EventShowMapLink: event?.show_map_link ?? venue?.show_map_link ?? false,
    _EventURL: event?.website ?? '',
    _EventCost: event?.cost ?? '',
    _EventCostDescription: '',
    _EventCurrencySymbol: '',
    _EventCurrencyCode: '',
    _EventCurrencyPosition: '',
    _EventDateTimeSeparator: '',
    _EventTimeRangeSeparator: '',
    _EventOrganizerID: event?.organizer ?? [],
    _EventVenueID: event ? [event.venue ?? 0] : [],
    _OrganizerEmail: organizer?.email ?? '',
    _OrganizerPhone: organizer?.phone ?? '',
    _OrganizerWebsite: organizer?.website ?? '',
    _VenueAddress: venue?.address ?? '',
    _VenueCity: venue?.city ?? '',
    _VenueCountry: venue?.country ?? '',
    _VenueProvince: venue?.province ?? '',
    _VenueState: venue?.state ?? '',
    _VenueZip: venue?.zip ?? '',
    _VenuePhone: venue?.phone ?? '',
    _VenueURL: venue?.website ?? '',
    _VenueStateProvince: venue?.stateprovince ?? '',
    _VenueLat: venue?.geo_lat ?? '',
    _VenueLng: venue?.geo_lng ?? '',
    _VenueShowMap: venue?.show_map ?? false,
    _VenueShowMapLink: venue?.show_map_link ?? false,
    ...(event && { _tribe_events_status: '', _tribe_events_status_reason: '' }),
    footnotes: '',
  }
}

const text = (value: unknown): string => String(value ?? '')
const flag = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true'
const ids = (value: unknown): number[] =>
  [value]
    .flat()
    .map(Number)
    .filter(id => id > 0)

/** How each key of `meta` is stored in an event. */
const eventKeys: Readonly<Record<string, (value: unknown) => Partial<EventRow>>> = {
  _EventCost: value => ({ cost: text(value) }),
  _EventURL: value => ({ website: text(value) }),
  _EventVenueID: value => ({ venue: ids(value)[0] ?? null }),
  _EventOrganizerID: value => ({ organizer: ids(value) }),
  _EventShowMap: value => ({ show_map: flag(value) }),
  _EventShowMapLink: value => ({ show_map_link: flag(value) }),
  _EventTimezone: value => ({ timezone: text(value) }),
  _EventAllDay: value => ({ all_day: flag(value) }),
  _EventStartDate: value => ({ start_date: text(value) }),
  _EventEndDate: value => ({ end_date: text(value) }),
  _EventStartDateUTC: value => ({ utc_start_date: text(value) }),
  _EventEndDateUTC: value => ({ utc_end_date: text(value) }),
}

const venueKeys: Readonly<Record<string, (value: unknown) => Partial<VenueRow>>> = {
  _VenueAddress: value => ({ address: text(value) }),
  _VenueCity: value => ({ city: text(value) }),
  _VenueCountry: value => ({ country: text(value) }),
  _VenueProvince: value => ({ province: text(value) }),
  _VenueState: value => ({ state: text(value) }),
  _VenueZip: value => ({ zip: text(value) }),
  _VenuePhone: value => ({ phone: text(value) }),
  _VenueURL: value => ({ website: text(value) }),
  _VenueStateProvince: value => ({ stateprovince: text(value) }),
  _VenueShowMap: value => ({ show_map: flag(value) }),
  _VenueShowMapLink: value => ({ show_map_link: flag(value) }),
}

const organizerKeys: Readonly<Record<string, (value: unknown) => Partial<OrganizerRow>>> = {
  _OrganizerEmail: value => ({ email: text(value) }),
  _OrganizerPhone: value => ({ phone: text(value) }),
  _OrganizerWebsite: value => ({ website: text(value) }),
}

/** What a patch of `meta` changes in a row; unknown keys are ignored. */
export function metaPatch(row: PostRow, meta: unknown): object {
  if (!isObject(meta)) return {}
  const keys = 'title' in row ? eventKeys : 'venue' in row ? venueKeys : organizerKeys
  return Object.assign({}, ...Object.entries(meta).map(([name, value]) => keys[name]?.(value) ?? {}))
}

/** A cost as a save without `_EventCost` leaves it: `0` becomes `Free`, `$20` becomes `20`, `1.234,56` becomes `1.234`. */
export const storedFromDisplayed = (stored: string): string =>
  stored === '' ? '' : renderCost(stored).replaceAll('$', '')
