import { expect, test } from 'vitest'
import { lines, type Records, storySite } from '../support/story-site.ts'

const venues = ['Teatre Principal', 'Plaça Major', 'Biblioteca']
const organizers = ['Ajuntament', 'Ateneu']
const categories = ['Música', 'Teatre', 'Fires']

/** Events of a town and what they link to, in Catalan; one venue and one event are there in English, and one tag in Spanish. */
const town = (size: number) => [
  ...venues.map((venue, number) => ({ resource: 'venues', lang_code: 'ca', venue, address: `C. Nou, ${number}` })),
  { resource: 'venues', lang_code: 'en', venue: 'Main Theatre', address: 'C. Nou, 0' },
  ...organizers.map(organizer => ({ resource: 'organizers', lang_code: 'ca', organizer })),
  ...categories.map(name => ({ resource: 'categories', lang_code: 'ca', name })),
  { resource: 'tags', lang_code: 'ca', name: 'Aire lliure', slug: 'open-air' },
  { resource: 'tags', lang_code: 'es', name: 'Aire libre', slug: 'open-air' },
  ...Array.from({ length: size }, (_, number) => ({
    resource: 'events',
    lang_code: 'ca',
    slug: `act-${number}`,
    title: `Acte ${number}`,
    start_date: `2035-0${1 + (number % 9)}-12 19:00`,
    end_date: `2035-0${1 + (number % 9)}-12 21:00`,
    venue: venues[number % 3],
    organizer: [organizers[number % 2]],
    categories: [categories[number % 3]],
    tags: ['Aire lliure'],
    description: `Què passa a l’acte ${number}`,
    cost: String(number + 1),
  })),
  {
    resource: 'events',
    lang_code: 'en',
    slug: 'act-0',
    title: 'Act 0',
    start_date: '2035-01-12 19:00',
    end_date: '2035-01-12 21:00',
  },
]

const live = (records: Records = []) => records.filter(({ status }) => status !== 'trash')

/** How many records that are not in the trash a calendar has in each language. */
const sizes = (content: Record<string, Records>) =>
  Object.fromEntries(
    Object.entries(content).map(([name, records]) => [
      name,
      ['ca', 'en', 'es'].map(language => live(records).filter(({ lang_code }) => lang_code === language).length),
    ]),
  )

const linked = { venues: [3, 3, 3], organizers: [2, 2, 2], categories: [3, 3, 3], tags: [1, 1, 1] }

/** Lists what each event says of itself and of what it links to, by its language and slug: translations say the same. */
function factsOf(content: Record<string, Records>) {
  const nameOf = (table: string, key: unknown) => content[table]?.find(({ id }) => id === key)?.lang_code
  return live(content.events)
    .filter(({ slug }) => slug !== 'act-0')
    .map(({ lang_code, slug, cost, start_date, venue, organizer, categories, tags }) => ({
      lang_code,
      facts: { slug, cost, start_date },
      links: [
        nameOf('venues', venue),
        ...(organizer as number[]).map(id => nameOf('organizers', id)),
        ...(categories as number[]).map(id => nameOf('categories', id)),
        ...(tags as number[]).map(id => nameOf('tags', id)),
      ],
    }))
}

const copy = 'languages copy --to en,es --all-dates --create-missing --yes'

for (const site of ['', '--no-wp'])
  test(`a copy of 20 events into two languages, killed in the middle and resumed, doubles nothing and is undone exactly${site && ' on a site without wp/v2'}`, {
    timeout: 300_000,
  }, async () => {
    const { served } = await storySite()
    const before = await served(site, async ({ calctl }) => {
      const applied = await calctl('apply - --format ndjson --allow-similar --create-missing --yes', lines(town(20)))
      expect(applied, applied.err).toMatchObject({ status: 0 })
    })
    const copied = await served(site, async ({ calctl, killed }) => {
      expect(await killed(copy, 45)).toBe('SIGKILL')
      const resumed = await calctl('runs resume')
      expect(resumed, resumed.err).toMatchObject({ status: 0 })
      const status = await calctl('languages status --all-dates')
      expect(status.err).toMatch(
        /^20 events in Catalan, English and Spanish; English: 19 not published, [^;]*; Spanish: 20 not published, [^;]*\n$/,
      )
      expect(status.status).toBe(0)
      for (const resource of ['venues', 'organizers', 'categories', 'tags'])
        expect(await calctl(`languages status ${resource}`), resource).toMatchObject({ status: 0 })
      expect(await calctl(copy)).toMatchObject({
        status: 0,
        err: expect.stringContaining('40 unchanged'),
      })
    })
    expect(sizes(copied)).toEqual({ events: [20, 20, 20], ...linked })
    for (const { lang_code, links } of factsOf(copied)) expect(links).toEqual(links.map(() => lang_code))
    const undone = await served(site, async ({ calctl }) => {
      const outcome = await calctl('undo --yes')
      expect(outcome, outcome.err).toMatchObject({ status: 0 })
    })
    for (const name of ['categories', 'tags']) expect(undone[name]).toEqual(before[name])
    for (const name of ['events', 'venues', 'organizers']) expect(live(undone[name])).toEqual(live(before[name]))
  })

test('a copy of 12 events reads what they link to once, and is whole although a tenth of all requests fails', {
  timeout: 300_000,
}, async () => {
  const { served } = await storySite()
  await served('', async ({ calctl }) => {
    await calctl('apply - --format ndjson --allow-similar --create-missing --yes', lines(town(12)))
    const { err } = await calctl(`${copy} --dry-run --print-curl`)
    const [single, stored] = [
      /\/(venues|organizers|categories|tags)\/\d+/g,
      /\/tribe_(venue|organizer)\?.*include=[\d,]+/g,
    ]
    for (const pattern of [single, stored]) {
      const reads = err.match(pattern) ?? []
      expect(reads).not.toEqual([])
      expect(reads).toEqual([...new Set(reads)])
    }
  })
  const copied = await served('--fail 10%:503 --seed 5', async ({ calctl }) => {
    let outcome = await calctl(copy)
    for (let round = 0; round < 5 && outcome.status !== 0; round++) outcome = await calctl('runs resume')
    expect(outcome, outcome.err).toMatchObject({ status: 0 })
  })
  expect(sizes(copied)).toEqual({ events: [12, 12, 12], ...linked })
  for (const { lang_code, links } of factsOf(copied)) expect(links).toEqual(links.map(() => lang_code))
})
