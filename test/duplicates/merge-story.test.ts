import { expect, test } from 'vitest'
import { lines, type Records, storySite } from '../support/story-site.ts'

const languages = ['ca', 'en', 'es']

/** Three venues that are one, in three languages, and their events, of which some are drafts, long past, or in the trash. */
const seed = languages.flatMap(lang_code => [
  { resource: 'venues', lang_code, venue: 'Teatre Principal', city: 'Girona' },
  { resource: 'venues', lang_code, venue: 'T. Principal', phone: '972 000 111' },
  { resource: 'venues', lang_code, venue: 'Teatre Principal de Girona', website: 'https://teatre.example' },
])

/** `npm run soak` has more. */
const count = process.env.SOAK_ROUNDS === undefined ? 30 : 200

const events = Array.from({ length: count }, (_, number) => ({
  resource: 'events',
  lang_code: languages[number % 3],
  title: `Act ${number}`,
  start_date: `${number % 10 === 0 ? 2015 : 2027}-0${1 + (number % 9)}-12 19:00`,
  end_date: `${number % 10 === 0 ? 2015 : 2027}-0${1 + (number % 9)}-12 21:00`,
  venue: seed[3 * (number % 3) + (Math.floor(number / 3) % 3)]?.venue,
  status: number % 7 === 0 ? 'draft' : 'publish',
  description: `What happens in act ${number}`,
}))

test('a merge of three venues with events in three languages on a bad line, killed in the middle and resumed, loses no event and is undone exactly', {
  timeout: 600_000,
}, async () => {
  const { served } = await storySite()

  const before = await served('', async ({ calctl }) => {
    expect(await calctl('apply - --format ndjson --allow-similar --yes', lines([...seed, ...events]))).toMatchObject({
      status: 0,
    })
    expect(await calctl('events delete act-3 --yes')).toMatchObject({ status: 0 })
  })
  const venueCounts = (content: Record<string, Records>) => {
    const counts: Record<string, number> = {}
    for (const { venue } of content.events ?? []) counts[String(venue)] = (counts[String(venue)] ?? 0) + 1
    return counts
  }
  expect(Object.values(venueCounts(before))).toHaveLength(9)

  const merged = await served('--fail 10%:503', async ({ calctl, killed }) => {
    const signal = await killed(
      'venues merge teatre-principal t-principal teatre-principal-de-girona --all-languages --yes',
      count * 0.3,
    )
    expect(signal).toBe('SIGKILL')
    for (let round = 0; round < 5; round++) if ((await calctl('runs resume')).status === 0) break
    expect((await calctl('runs list --fields command,state -o tsv')).out).toContain('venues merge\tdone')
  })
  expect(Object.values(venueCounts(merged)).toSorted()).toEqual([0, 1, 2].map(more => Math.floor((count + more) / 3)))
  const liveVenues = (merged.venues ?? []).filter(({ status }) => status !== 'trash')
  expect(liveVenues).toHaveLength(3)
  for (const venue of liveVenues)
    expect(venue).toMatchObject({ city: 'Girona', phone: '972 000 111', website: 'https://teatre.example' })

  const undone = await served('--fail 10%:503', async ({ calctl }) => {
    let outcome = await calctl('undo --yes')
    for (let round = 0; round < 5 && outcome.status !== 0; round++) outcome = await calctl('runs resume')
    expect(outcome, outcome.err).toMatchObject({ status: 0 })
  })
  expect(undone).toEqual(before)
})
