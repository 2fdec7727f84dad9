/**
 * The data for search engines of records, as The Events Calendar writes them: schema.org's Event, Place and Person. Texts come in as
 * they are to stand there. The service answers with it as `json_ld` where a site does, and pages have it in their heads.
 */

interface Described {
  readonly name: string
  readonly description: string
  /** Its address; undefined if there is none. */
  readonly image: string | undefined
  readonly phone: string
  readonly website: string
}

export interface PlaceFacts extends Described {
  readonly address: string
  readonly city: string
  readonly region: string
  readonly zip: string
  readonly country: string
}

export interface PersonFacts extends Described {
  readonly email: string
}

export interface EventFacts extends Pick<Described, 'name' | 'description' | 'image'> {
  readonly url: string
  /** The `event_status`. */
  readonly status: string
  /** `2026-12-05T19:00:00+01:00` */
  readonly start: string
  readonly end: string
  readonly place: PlaceFacts | undefined
  readonly organizer: PersonFacts | undefined
  readonly offer: { readonly price: string; readonly currency: string; readonly validFrom: string } | undefined
}

export function eventData({ name, description, image, url, offer, ...event }: EventFacts): object {
  return {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name,
    description,
    ...imageOf(image),
    url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: `https://schema.org/${statusNames.get(event.status) ?? 'EventScheduled'}`,
    startDate: event.start,
    endDate: event.end,
    ...(event.place && { location: placeData(event.place) }),
    ...(event.organizer && { organizer: personData(event.organizer) }),
    ...(offer && {
      offers: {
        '@type': 'Offer',
        price: offer.price,
        priceCurrency: offer.currency,
        url,
        category: 'primary',
        availability: 'inStock',
        validFrom: offer.validFrom,
      },
    }),
    performer: 'Organization',
  }
}

const statusNames: ReadonlyMap<string, string> = new Map([
  ['canceled', 'EventCancelled'],
  ['postponed', 'EventPostponed'],
])

export const placeData = ({ name, description, image, phone, website, ...place }: PlaceFacts): object => ({
  '@type': 'Place',
  name,
  description,
  ...imageOf(image),
  url: '',
  address: {
    '@type': 'PostalAddress',
    ...withoutEmpty({
      streetAddress: place.address,
      addressLocality: place.city,
      addressRegion: place.region,
      postalCode: place.zip,
      addressCountry: place.country,
    }),
  },
  telephone: phone,
  sameAs: website,
})

export const personData = ({ name, description, image, phone, website, email }: PersonFacts): object => ({
  '@type': 'Person',
  name,
  description,
  ...imageOf(image),
  url: website,
  telephone: phone,
  email: email.replaceAll('@', '&#64;'),
  sameAs: website,
})

const imageOf = (image: string | undefined): object => (image === undefined ? {} : { image })

const withoutEmpty = (fields: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
