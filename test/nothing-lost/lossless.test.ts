import { describe, expect, test } from 'vitest'
import { wordpressSite } from './wordpress-site.ts'

/** What each field is changed to alone, as typed, and what follows from it besides itself. */
const changes: Record<string, { options: string[]; follows?: string[] }> = {
  title: { options: ['--title', 'Soul "&" Funk'] },
  description: { options: ['--description', '<!-- wp:paragraph --><p>Short</p><!-- /wp:paragraph -->'] },
  excerpt: { options: ['--excerpt', 'Stay'] },
  slug: { options: ['--slug', 'soul-night'], follows: ['url', 'link', 'guid', 'website', 'class_list'] },
  start_date: { options: ['--start-date', '2026-12-05 18:00'] },
  end_date: { options: ['--end-date', '2026-12-05 22:30'] },
  timezone: { options: ['--timezone', 'Europe/Paris'] },
  cost: { options: ['--cost', '20'] },
  website: { options: ['--website', 'https://example.org/?a=1&b=2'] },
  show_map: { options: ['--no-show-map'] },
  show_map_link: { options: ['--no-show-map-link'] },
  sticky: { options: ['--no-sticky'] },
  featured: { options: ['--no-featured'] },
  categories: { options: ['--categories', '2'], follows: ['class_list'] },
  tags: { options: ['--tags', '4'], follows: ['class_list'] },
  venue: { options: ['--venue', '2'] },
  organizer: { options: ['--organizer', '4'] },
  all_day: { options: ['--all-day'], follows: ['start_date', 'end_date'] },
}

const kinds = {
  published: {},
  draft: { status: 'draft' },
  pending: { status: 'pending' },
  private: { status: 'private' },
  hidden: { hide_from_listings: true },
  protected: {},
}

/** All that a site has of a record: what it shows, and what it stores. */
type State = Readonly<Record<string, unknown>>

/** Dates in parts and in UTC follow from dates; the moment of the last save, from every save. */
const isIgnored = (key: string): boolean => /^(modified|json_ld|_links|utc_|timezone_abbr)|_details$|_gmt$/.test(key)

const withoutCounts = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner) => (/^(count|modified\w*|json_ld|date\w*)$/.test(key) ? 0 : inner)) ?? 'null',
  )

const differing = (before: State, after: State): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    key => !isIgnored(key) && JSON.stringify(withoutCounts(before[key])) !== JSON.stringify(withoutCounts(after[key])),
  )

for (const [mode, extra] of [
  ['through wp/v2', ''],
  ['with --via events', '--via events'],
] as const)
  describe(mode, () => {
    for (const [kind, values] of Object.entries(kinds))
      test(`each field of a ${kind} event changes alone, and nothing is reported that did not happen`, async () => {
        const { ask, calctl } = await wordpressSite()
        for (const venue of ['One', 'Two']) await ask('POST /venues', { venue })
        for (const organizer of ['Three', 'Four']) await ask('POST /organizers', { organizer })
        for (const name of ['One', 'Two']) await ask('POST /categories', { name })
        for (const name of ['Three', 'Four']) await ask('POST /tags', { name })
        const { id } = await ask('POST /events', {
          title: 'Jazz & Blues',
          description: 'A <b>long</b> night',
          excerpt: 'Come',
          start_date: '2026-12-05 19:00:00',
          end_date: '2026-12-05 21:00:00',
          timezone: 'America/New_York',
          cost: '15',
          website: 'https://example.org/',
          show_map: true,
          show_map_link: true,
          sticky: true,
          featured: true,
          categories: [1],
          tags: [3],
          venue: 1,
          organizer: [3, 4],
          ...values,
        })
        if (kind === 'protected')
          await ask(`POST /wp/v2/tribe_events/${id}`, { password: 'sesame', meta: { _EventCost: '15' } })
        const state = async (): Promise<State> => {
          const shown = await ask(`GET /events/${id}?context=edit`)
          const { title, content, excerpt, meta, password } = await ask(`GET /wp/v2/tribe_events/${id}?context=edit`)
          const { _EventStartDateUTC, _EventEndDateUTC, ...stored } = meta
          return {
            ...shown,
            raw: { title: title.raw, content: content.raw, excerpt: excerpt.raw, password, ...stored },
          }
        }
        const rawKeys = (one: State, other: State) => differing(one.raw as State, other.raw as State)
        let before = await state()
        for (const [name, { options, follows = [] }] of Object.entries(changes)) {
          const { status, err } = await calctl([
            'events',
            'update',
            String(id),
            ...options,
            ...extra.split(' ').filter(Boolean),
            '-q',
          ])
          expect([name, status, err]).toEqual([name, 0, ''])
          const after = await state()
          // The date of what was never published is that of its last save.
          const floats = kind === 'draft' || kind === 'pending'
          const changed = differing(before, after).filter(key => key !== 'raw' && !(floats && key === 'date'))
          expect(changed, `${name} itself`).toContain(name)
          expect(
            changed.filter(key => key !== name && !follows.includes(key)),
            `beside ${name}`,
          ).toEqual([])
          expect(rawKeys(before, after).length, `stored with ${name}`).toBeLessThanOrEqual(name === 'all_day' ? 3 : 1)
          before = after
        }
      })
  })
