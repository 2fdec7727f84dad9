import { describe, expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

const dates = { start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00' }
const money = (cost: string, symbol: string, position: string, code = '') => ({
  meta: {
    _EventCost: cost,
    _EventCurrencySymbol: symbol,
    _EventCurrencyPosition: position,
    _EventCurrencyCode: code,
  },
})

/** Kinds of events as the events API and WordPress's editor make them. */
const kinds: readonly (readonly [events: object, wp?: object])[] = [
  ...['', '15', '0', '15 €', '€20', '20€', '12,50', '10 - 20', '10€ - 20€', 'Free', 'taquilla inversa', '1,000'].map(
    cost => [{ cost }] as const,
  ),
  ...[
    money('15', '€', 'postfix'),
    money('15', '€', 'suffix'),
    money('15', '€', 'prefix'),
    money('15', '€', ''),
    money('15', '', ''),
    money('15', '', 'postfix'),
    money('15', '', '', 'EUR'),
    money('15', '€', 'postfix', 'EUR'),
    money('15 €', '€', 'postfix', 'EUR'),
    money('15€', '', ''),
    money('10 - 20', '€', 'postfix'),
    money('10 – 20', '€', 'postfix', 'EUR'),
    money('Free', '€', 'postfix'),
    money('', '€', 'postfix', 'EUR'),
    money('0', '€', 'postfix'),
    money('12,50', '€', 'postfix'),
  ].map(wp => [{}, wp] as const),
  [{}, { meta: { _EventCostDescription: 'Members & children: half', _EventDateTimeSeparator: ' @ ' } }],
  [{}, { meta: { _tribe_events_status: 'canceled', _tribe_events_status_reason: 'Rain & wind' } }],
  [{ title: 'Música & “Dansa” <em>now</em>', description: 'A & B\n\n[gallery]', excerpt: 'Once & again' }],
  [{}, { title: 'A &amp; B', content: '<!-- wp:paragraph --><p>A & B</p><!-- /wp:paragraph -->', excerpt: '[x]' }],
  [{ all_day: true }],
  [{ sticky: true, featured: true, show_map: true, show_map_link: true }],
  [{ hide_from_listings: true }],
  [{ status: 'draft' }],
  [{ status: 'pending' }],
  [{ status: 'private' }],
  [{ website: 'https://example.org/?a=1&b=2' }],
  [{ timezone: 'America/New_York' }],
  [{ timezone: 'UTC+2' }],
  [{ slug: 'own-slug' }],
]

describe.each([
  ['json', '', ''],
  ['csv', '', ''],
  ['csv', '--no-wp', '--no-wp'],
])('as %s, from a site %s, to a site %s', (form, source, target) => {
  test('an export of all kinds of events, applied to another site, is unchanged the second time', async () => {
    const [from, to] = [await wordpressSite({ options: source }), await wordpressSite({ options: target })]
    const { id: venue } = await from.ask('POST /venues', { venue: 'Hall & Bar', city: 'Vic' })
    const { id: organizer } = await from.ask('POST /organizers', { organizer: 'Town & Co.' })
    const { id: tag } = await from.ask('POST /tags', { name: 'Rock & roll' })
    const { id: category } = await from.ask('POST /categories', { name: 'Música & Dansa' })
    const linked = { venue, organizer: [organizer], tags: [tag], categories: [category] }
    const all = [...kinds, ...(form === 'csv' ? [] : [[linked] as const])]
    for (const [index, [events, wp]] of all.entries()) {
      const { id } = await from.ask('POST /events', { title: `Event ${index}`, ...dates, ...events })
      if (wp) await from.ask(`POST /wp/v2/tribe_events/${id}`, wp)
    }
    const exported = await from.calctl(`export -o ${form}${form === 'csv' ? ' events' : ''}`)
    expect(exported.status).toBe(0)
    const file = to.file(`export.${form}`, exported.out)
    const first = await to.calctl(['apply', file, '--yes', '--create-missing'])
    expect([first.status, first.err]).toEqual([0, expect.anything()])
    const { status, err } = await to.calctl(['diff', file, '--create-missing', '--exit-code'])
    const again = await to.calctl(['diff', file, '--create-missing'])
    expect([status, again.out + err]).toEqual([0, expect.stringContaining('unchanged')])
  })
})
