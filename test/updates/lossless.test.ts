import { describe, expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

/** What follows from a slug. */
const addresses = ['slug', 'url', 'link', 'guid', 'website', 'class_list']

/** How a field is changed alone, as typed, and what follows from it besides itself. */
interface Change {
  readonly options: readonly string[]
  readonly follows?: readonly string[]
}

const changes: Record<string, Change> = {
  title: { options: ['--title', 'Soul "&" Funk'] },
  description: { options: ['--description', '<!-- wp:paragraph --><p>Short</p><!-- /wp:paragraph -->'] },
  excerpt: { options: ['--excerpt', 'Stay'] },
  slug: { options: ['--slug', 'soul-night'], follows: addresses },
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
  author: { options: ['--author', '2'] },
  image: { options: ['--image', 'OTHER'] },
  date: { options: ['--date', '2026-01-05 10:00'], follows: ['date_utc'] },
  hide_from_listings: { options: ['HIDE'] },
  status: { options: ['--status', 'STATUS'], follows: ['date', 'date_utc', ...addresses] },
}

const kinds = {
  published: {},
  draft: { status: 'draft' },
  pending: { status: 'pending' },
  private: { status: 'private' },
  hidden: { hide_from_listings: true },
  protected: { password: 'sesame' },
}

type Kind = keyof typeof kinds

const event = {
  title: 'Jazz & Blues',
  description: 'A <b>long</b> night',
  excerpt: 'Come',
  start_date: '2026-12-05 19:00:00',
  end_date: '2026-12-05 21:00:00',
  timezone: 'America/New_York',
  image: 'https://example.org/jazz.jpg',
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

const kindNames = Object.keys(kinds) as Kind[]

/** Outside of the soak each way does half of the kinds, which divide the fields among them. */
const isSoak = process.env.SOAK_ROUNDS !== undefined
const half = (part: readonly Kind[]): readonly Kind[] => (isSoak ? kindNames : part)

const modes: Record<string, { site?: string; flags?: readonly string[]; kinds: readonly Kind[] }> = {
  'through wp/v2': { kinds: half(['published', 'draft', 'protected']) },
  'with --via events': { flags: ['--via', 'events'], kinds: half(['draft', 'hidden', 'protected']) },
  'with --no-wp': { site: '--no-wp', kinds: half(['published', 'pending', 'private']) },
}

for (const [mode, { site = '', flags = [], kinds: tested }] of Object.entries(modes))
  describe(mode, () => {
    test.each(tested)(
      'each field of a %s event changes alone and is taken back alone, and nothing else is reported',
      async kind => {
        const { ask, calctl } = await wordpressSite({ options: site })
        for (const venue of ['One', 'Two']) await ask('POST /venues', { venue })
        for (const organizer of ['Three', 'Four']) await ask('POST /organizers', { organizer })
        for (const name of ['One', 'Two']) await ask('POST /categories', { name })
        for (const name of ['Three', 'Four']) await ask('POST /tags', { name })
        const { image: other } = await ask('POST /events', { ...event, image: 'https://example.org/other.jpg' })
        const { id } = await ask('POST /events', { ...event, ...kinds[kind] })
        const state = async (): Promise<State> => {
          const shown = await ask(`GET /events/${id}?context=edit`)
          if (site !== '') return { ...shown, raw: {} }
          const { title, content, excerpt, meta, password } = await ask(`GET /wp/v2/tribe_events/${id}?context=edit`)
          const { _EventStartDateUTC, _EventEndDateUTC, ...stored } = meta
          return {
            ...shown,
            raw: { title: title.raw, content: content.raw, excerpt: excerpt.raw, password, ...stored },
          }
        }
        const rawKeys = (one: State, other: State) => differing(one.raw as State, other.raw as State)
        // The date of what was never published is that of its last save.
        const floats = kind === 'draft' || kind === 'pending'
        const isFloating = (key: string) => floats && /^date(_utc)?$/.test(key)
        const words: Readonly<Record<string, string>> = {
          OTHER: String(other.id),
          HIDE: kind === 'hidden' ? '--no-hide-from-listings' : '--hide-from-listings',
          STATUS: kind === 'private' ? 'pending' : 'private',
        }
        const isBack = async (name: string, command: 'undo' | 'redo', then: State) => {
          expect([name, command, (await calctl([command, '--yes', '-q'])).status]).toEqual([name, command, 0])
          const now = await state()
          const left = [...differing(then, now).filter(key => key !== 'raw'), ...rawKeys(then, now)]
          expect(
            left.filter(key => !isFloating(key)),
            `after ${command} of ${name}`,
          ).toEqual([])
        }
        let before = await state()
        if (mode === 'through wp/v2') {
          expect(await calctl(`events delete ${id} --yes -q`)).toMatchObject({ status: 0 })
          await isBack('delete', 'undo', before)
          expect(await calctl('redo --yes')).toMatchObject({ status: 0, err: expect.not.stringContaining('kept') })
          expect((await calctl(`events get ${id}`)).status).toBe(4)
          await isBack('delete', 'undo', before)
        }
        const share = Object.entries(changes).filter(
          (_, index) => isSoak || index % tested.length === tested.indexOf(kind),
        )
        for (const [name, { options, follows = [] }] of share) {
          if (floats && name === 'date') continue
          const typed = options.map(option => words[option] ?? option)
          const { status, err } = await calctl(['events', 'update', String(id), ...typed, ...flags, '-q'])
          expect([name, status, err]).toEqual([name, 0, ''])
          const after = await state()
          const changed = differing(before, after).filter(key => key !== 'raw' && !isFloating(key))
          expect(changed, `${name} itself`).toContain(name)
          expect(
            changed.filter(key => key !== name && !follows.includes(key)),
            `beside ${name}`,
          ).toEqual([])
          expect(rawKeys(before, after).length, `stored with ${name}`).toBeLessThanOrEqual(name === 'all_day' ? 3 : 1)
          if (mode === 'through wp/v2') {
            await isBack(name, 'undo', before)
            await isBack(name, 'redo', after)
          }
          before = await state()
        }
      },
    )
  })
