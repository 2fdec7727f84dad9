import { describe, expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

/** Kinds of events as WordPress's editor makes them: by name, what differs from a plain one. */
const kinds: Record<string, { readonly events?: object; readonly wp?: object; readonly hasLinks?: true }> = {
  plain: {},
  'an amount with a code': {
    wp: {
      meta: {
        _EventCost: '15',
        _EventCurrencySymbol: '€',
        _EventCurrencyPosition: 'postfix',
        _EventCurrencyCode: 'EUR',
      },
    },
  },
  'a code alone': { wp: { meta: { _EventCost: '', _EventCurrencyCode: 'EUR' } } },
  'words and a code': { wp: { meta: { _EventCost: 'Free', _EventCurrencyCode: 'EUR' } } },
  'a description of the cost': {
    wp: { meta: { _EventCost: '12', _EventCostDescription: 'Members & children: half' } },
  },
  separators: { wp: { meta: { _EventDateTimeSeparator: ' @ ', _EventTimeRangeSeparator: ' to ' } } },
  flags: {
    events: { sticky: true, featured: true, hide_from_listings: true, show_map: true, show_map_link: true },
  },
  texts: { wp: { content: '<!-- wp:paragraph --><p>A & B</p><!-- /wp:paragraph -->', excerpt: 'One [gallery]' } },
  'all day': { events: { all_day: true } },
  links: { events: { website: 'https://example.org/?a=1&b=2' }, hasLinks: true },
}

/** What a copy may have of its own. */
const own =
  /^(id|slug|date|date_gmt|modified|modified_gmt|guid|link|_links|class_list|generated_slug|permalink_template)$/
const ownMeta = /^_Event(Start|End)Date/

const copied = ({ meta, ...record }: Record<string, unknown>): object => ({
  ...Object.fromEntries(Object.entries(record).filter(([key]) => !own.test(key))),
  meta: Object.fromEntries(Object.entries(meta as object).filter(([key]) => !ownMeta.test(key))),
})

describe('a copy has all that an API shows of the event', () => {
  test.each(Object.entries(kinds))('%s', async (_, { events = {}, wp, hasLinks }) => {
    const { ask, calctl } = await wordpressSite()
    const made = async (path: string, body: object) => String((await ask(`POST /${path}`, body)).id)
    const links = hasLinks && {
      categories: [await made('categories', { name: 'Music' })],
      tags: [await made('tags', { name: 'Jazz & more' })],
      venue: await made('venues', { venue: 'Hall' }),
      organizer: [
        await made('organizers', { organizer: 'Choir' }),
        await made('organizers', { organizer: 'Town' }),
      ].reverse(),
    }
    const dates = { start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00' }
    const { id } = await ask('POST /events', { title: 'Concert & Co.', ...dates, ...events, ...links })
    if (wp) await ask(`POST /wp/v2/tribe_events/${id}`, wp)
    const stored = (id: number) => ask(`GET /wp/v2/tribe_events/${id}?context=edit`)
    const before = await stored(id)
    const { status, out, err } = await calctl(`events duplicate ${id} --to 2026-12-12 --json`)
    expect([status, err]).toEqual([0, expect.not.stringContaining('differs')])
    const copy = JSON.parse(out)
    const copyId = Array.isArray(copy) ? copy[0].id : copy.id
    expect(copied(await stored(copyId))).toEqual(copied(before))
    const shown = async (id: number) => {
      const { sticky, featured, hide_from_listings, show_map, all_day, cost } = await ask(`GET /events/${id}`)
      return { sticky, featured, hide_from_listings, show_map, all_day, cost }
    }
    expect(await shown(copyId)).toEqual(await shown(id))
  })
})

test.each([
  ['', { password: 'sesame' }, /not copied: post_password/],
  ['--no-wp', {}, /not copied, because .* this user: cost_description, date_time_separator and time_range_separator/],
])('what cannot be copied is named once %s', async (options, wp, named) => {
  const { ask, calctl } = await wordpressSite({ options })
  const dates = { start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00' }
  const { id } = await ask('POST /events', { title: 'Concert', ...dates })
  if (options === '') await ask(`POST /wp/v2/tribe_events/${id}`, wp)
  const { status, err } = await calctl(`events duplicate ${id} --to 2026-12-12,2026-12-19`)
  expect(status).toBe(0)
  expect(err.match(new RegExp(named, 'g'))).toHaveLength(1)
})
