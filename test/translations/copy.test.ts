import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CreateStep } from '../../src/changes/plan/plan.ts'
import { createSetMemory } from '../../src/changes/run/written-sets.ts'
import type { Client } from '../../src/client/client.ts'
import { calendar } from '../support/calendar.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { townInThreeLanguages } from './town-in-three-languages.ts'

const times = { start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' }

/** A calendar with a concert in Catalan (4), whose venue (2) and category (1) are in Spanish, too, and whose organizer (1) is not. */
async function town() {
  const setup = calendarWithFiles()
  const { calctl, file } = setup
  const records = [
    { resource: 'categories', lang_code: 'ca', name: 'Música', slug: 'musica' },
    { resource: 'categories', lang_code: 'es', name: 'Músicas', slug: 'musica' },
    { resource: 'venues', lang_code: 'ca', venue: 'Teatre', address: 'C. Nou, 3', phone: '972 00 00 00' },
    { resource: 'venues', lang_code: 'es', venue: 'Teatro', address: 'C. Nou, 3', phone: '972 00 00 00' },
    { resource: 'organizers', lang_code: 'ca', organizer: 'Ateneu' },
    {
      resource: 'events',
      lang_code: 'ca',
      slug: 'concert',
      title: 'Concert & més',
      description: '<p>Música</p>',
      venue: 'Teatre',
      organizer: ['Ateneu'],
      categories: ['Música'],
      cost: '12',
      featured: true,
      website: 'https://example.org/c',
      ...times,
    },
  ]
  const applied = await calctl([
    'apply',
    '--yes',
    file('town.ndjson', records.map(one => JSON.stringify(one)).join('\n')),
  ])
  expect(applied.status).toBe(0)
  const json = async (line: string) => JSON.parse((await calctl(`${line} --json -q`)).out)
  return { ...setup, json }
}

test('a copy is a draft with the same facts and texts, linked to the same things in its own language', async () => {
  const { calctl, json } = await town()
  expect(await calctl('languages copy 4 --to es --create-missing --yes')).toMatchObject({
    status: 0,
    err: expect.stringMatching(/^2 to create.*\n2 done\. Undo: calctl undo \w+\n$/),
  })
  const copy = await json('events get concert --lang es')
  expect(copy).toMatchObject({
    lang_code: 'es',
    status: 'draft',
    slug: 'concert',
    title: 'Concert & més',
    description: '<p>Música</p>',
    cost: '12',
    featured: true,
    website: 'https://example.org/c',
    ...times,
    venue: { venue: 'Teatro' },
    categories: [{ name: 'Músicas' }],
    organizer: [{ organizer: 'Ateneu', status: 'draft' }],
  })
  expect((await json('events get concert --lang ca')).status).toBe('publish')
  expect(await calctl('undo --yes')).toMatchObject({
    status: 0,
    err: expect.stringContaining('2 to move to the trash'),
  })
  expect((await calctl('events get concert --lang es')).status).toBe(4)
})

test('what a record links to, and is not in the language, is named with what to type', async () => {
  const { calctl } = await town()
  expect(await calctl('languages copy concert --to es --yes')).toMatchObject({
    status: 2,
    err: expect.stringContaining(
      '! event 4 in Spanish: organizer "Ateneu" (1) has no translation in Spanish (copy it too with --create-missing, or alone with: calctl languages copy organizers 1 --to es)',
    ),
  })
  expect((await calctl('languages copy organizers 1 --to es --yes')).status).toBe(0)
  expect((await calctl('languages copy concert --to es --yes')).status).toBe(0)
})

test('a dry run shows what would be created in which language, and creates nothing', async () => {
  const { calctl } = await town()
  const shown = await calctl('languages copy concert --to es,en --create-missing --dry-run')
  expect(shown.status).toBe(0)
  expect(shown.out).toContain('+ category "Música" (English, from Catalan 1)')
  expect(shown.out).toContain('+ "Concert & més", Sat 5 Dec 19:00 (Spanish, from Catalan 4): ')
  expect(shown.out).toContain('venue "Teatro"')
  expect(shown.out).toContain('6 to create')
  expect((await calctl('events get concert --lang es')).status).toBe(4)
})

test('a copy whose target exists is refused, and one of several is left out', async () => {
  const { calctl } = await town()
  await calctl('languages copy 4 --to es --create-missing --yes')
  expect(await calctl('languages copy 4 --to es --create-missing --yes')).toMatchObject({
    status: 4,
    err: 'error: event 4 has a translation: es 6\nhint: change it with: calctl events update 6 --lang es\n',
  })
  expect(await calctl('languages copy 4 --to es,en --create-missing --yes')).toMatchObject({
    status: 0,
    err: expect.stringMatching(/^event 4 has a translation: es 6\n4 to create/),
  })
})

test('without records, all that is missing is copied', async () => {
  const { calctl } = await town()
  await calctl(`events create --lang ca --title Fira --start-date "2026-12-06 10:00" --end-date "2026-12-06 12:00"`)
  expect(await calctl('languages copy --to es --where title=Fira --yes')).toMatchObject({
    err: expect.stringContaining('1 to create'),
  })
  expect(await calctl('languages copy --to es --create-missing --yes')).toMatchObject({
    err: expect.stringMatching(/2 to create, 1 unchanged/),
  })
  expect(await calctl('languages copy --to es --yes')).toMatchObject({
    status: 0,
    err: expect.stringContaining('2 unchanged'),
  })
})

test('terms keep their parents', async () => {
  const { calctl, json } = await town()
  await calctl('categories create --lang ca --name Jazz --parent 1')
  expect((await calctl('languages copy categories 3 --to es --yes')).status).toBe(0)
  expect(await json('categories get 4 --lang es')).toMatchObject({ name: 'Jazz', parent: 2 })
  expect((await calctl('languages copy categories 3 --to en --create-missing --yes')).status).toBe(0)
  const { parent } = await json('categories get 6 --lang en')
  expect(await json(`categories get ${parent} --lang en`)).toMatchObject({ name: 'Música' })
})

test('what cannot be copied is named for whatever links to it, in any order', async () => {
  const { calctl } = await town()
  await calctl('categories create --lang ca --name Arts')
  await calctl('categories create --lang ca --name Jazz --parent 3')
  await calctl('categories create --lang ca --name Bebop --parent 4')
  for (const refs of ['4 5', '5 4']) {
    const { status, err } = await calctl(`languages copy categories ${refs} --to es --dry-run`)
    expect(status).toBe(2)
    expect(err).toMatch(
      /^! category (4 in Spanish and category 5|5 in Spanish and category 4) in Spanish: category "Arts" \(3\) has no /,
    )
  }
})

test('a linked venue that may have one of several translations gets no double', async () => {
  const { calctl, json } = await town()
  const place = '--address "C. Llarg, 5" --city Riumajor --phone "972 11 22 33"'
  await calctl(`venues create --lang ca --venue "Sala gran" ${place}`)
  await calctl(`venues create --lang es --venue "Sala uno" ${place}`)
  await calctl(`venues create --lang es --venue "Sala dos" ${place}`)
  const venues = await json('venues list --lang es --all')
  await calctl('events update 4 --venue "Sala gran"')
  const { status, err } = await calctl('languages copy 4 --to es --create-missing --yes')
  expect(status, err).toBe(2)
  expect(err).toMatch(/! event 4 in Spanish: the translation of venue "Sala gran" \(\d+\) may be venue \d+ or \d+ /)
  expect(await json('venues list --lang es --all')).toHaveLength(venues.length)
})

test.each([
  [
    'languages copy 4 --to fr',
    'error: --to: the calendar file /nowhere/.local/share/calctl/calendar.json has no language "fr"\nhint: use one of ca, en or es\n',
  ],
  [
    'languages copy 4 --from xx',
    'error: --from: the calendar file /nowhere/.local/share/calctl/calendar.json has no language "xx"\nhint: use one of ca, en or es\n',
  ],
  [
    'languages copy 4 --to ca',
    'error: --to: Catalan is the language of the originals\nhint: leave it out, or choose originals in another language\n',
  ],
  ['languages copy 4 --to es --on saturday', 'error: --on and IDs or slugs cannot be used together'],
])('%s is refused', async (line, message) => {
  const { calctl } = await town()
  expect(await calctl(line)).toMatchObject({ status: 2, err: expect.stringContaining(message) })
})

test('a record that does not exist in the language is named', async () => {
  const { calctl } = await town()
  expect(await calctl('languages copy 99 --to es')).toMatchObject({ status: 4, err: expect.stringContaining('99') })
  expect(await calctl('languages copy 4 --from es --to en')).toMatchObject({
    status: 4,
    err: expect.stringContaining('it is in Catalan'),
  })
})

test('on a site that makes slugs of its own, calctl remembers which venue a copy belongs to', async () => {
  const { calctl, json } = await townInThreeLanguages()
  const venue = await json('venues create --venue "Sala Nova"')
  const copied = await calctl(`languages copy venues ${venue.id} --to es --yes -o ids`)
  expect(copied.status).toBe(0)
  const copy = copied.out.trim()
  // Whatever becomes of its name and place.
  await calctl(`venues update ${copy} --lang es --venue "Otra Sala" --slug otra-sala --status publish`)
  expect((await calctl(`venues get ${venue.id}`)).err).toContain(`Spanish ${copy}`)
  expect(await calctl(`languages copy venues ${venue.id} --to es`)).toMatchObject({ status: 4 })
})

test.each(['--quirks --open', ''])(
  'copy closes the gaps that status shows, and one undo opens them again: serve %s',
  async options => {
    const { calctl } = await townInThreeLanguages(options)
    const status = () => calctl('languages status --all-dates --json -q')
    const before = await status()
    expect(before.status).toBe(1)
    const copied = await calctl('languages copy --all-dates --yes')
    expect(copied).toMatchObject({ status: 0, err: expect.stringContaining('\n6 done. Undo: calctl undo ') })
    const after = await calctl('languages status --all-dates')
    expect(after).toMatchObject({
      status: 0,
      err: expect.stringContaining('English: 4 not published, 4 with the same text'),
    })
    expect((await calctl('undo --yes')).status).toBe(0)
    expect(JSON.parse((await status()).out)).toEqual(JSON.parse(before.out))
  },
)

test('the Tab key offers resources and languages to languages copy', async () => {
  const { calctl } = calendarWithFiles()
  const offered = async (...words: string[]) => (await calctl(['__complete', '--', 'languages', 'copy', ...words])).out
  expect(await offered('ven')).toBe('venues\n:none\n')
  expect(await offered('4', '--from', '')).toBe('ca\nen\nes\n:none\n')
  expect(await offered('4', '--to', 'en,')).toContain('en,es\n')
})

test('venues that came by apply are known as translations where their slugs and fields do not say so', async () => {
  const { calctl, json, folder } = await townInThreeLanguages('--quirks --open --no-wp')
  const file = join(folder, 'venues.csv')
  writeFileSync(file, 'lang_code,slug,venue\nca,moli,Molí\nen,moli,Mill\nes,moli,Molino\n')
  const applied = await calctl(`apply ${file} --resource venues --yes`)
  expect(applied.status, applied.err).toBe(0)
  const [{ id: ca }] = await json('venues list --search Molí')
  const [{ id: en, slug }] = await json('venues list --search Mill --lang en')
  const [{ id: es }] = await json('venues list --search Molino --lang es')
  expect(slug).toBe('mill')
  expect((await calctl(`venues get ${ca} --fields id`)).err).toBe(`translations: English ${en}, Spanish ${es}\n`)
  expect((await calctl(`venues get ${en} --fields id --lang en`)).err).toBe(
    `translations: Catalan ${ca}, Spanish ${es}\n`,
  )
  const updated = await calctl(`venues update ${ca} --city Girona --all-languages --yes`)
  expect(updated.status, updated.err).toBe(0)
  expect(await json(`venues get ${es} --lang es`)).toMatchObject({ city: 'Girona' })
  expect((await calctl('languages status venues --gaps -o count')).out).toBe('0\n')
})

test('a run remembers each translation as soon as it is there, with those of the session before', async () => {
  const pairings: object[] = []
  const client = {
    language: undefined,
    languages: () => ({ own: 'ca', all: [] }),
    pairings: { of: async () => [], remember: async (_: string, ids: object) => void pairings.push(ids) },
  } as unknown as Client
  const steps = ['ca', 'en', 'es'].map(
    language =>
      ({
        key: `venues ${language} mill`,
        action: 'create',
        resource: 'venues',
        lang_code: language,
        values: {},
      }) as unknown as CreateStep,
  )
  const [, en, es] = steps as [CreateStep, CreateStep, CreateStep]
  const remember = createSetMemory(client, { steps }, new Map([['venues ca mill', 1]]))
  await remember(en, 2)
  expect(pairings).toEqual([{ ca: 1, en: 2 }])
  await remember(es, 3)
  expect(pairings.at(-1)).toEqual({ ca: 1, en: 2, es: 3 })
})

test('--all-languages is refused where there is one language, and a text in a language that is not there', async () => {
  const { calctl, server } = await townInThreeLanguages()
  const { origin } = new URL(server.url)
  await calctl(
    `profiles add two --base-url ${origin}/wp-json --base-url-for en=${origin}/en/wp-json --lang ca --namespace tribe/events/v1`,
  )
  expect(await calctl('events update 97 -p two --title.es Mercado')).toMatchObject({
    status: 2,
    err: expect.stringMatching(/has no records in es\nhint: use one of ca or en\n$/),
  })
  const lonely = calendar()
  await lonely('events create --title Mercat --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"')
  expect(await lonely('events update 1 --cost 5 --all-languages --yes')).toMatchObject({
    status: 2,
    err: expect.stringMatching(/has records in one language only, Catalan\nhint: leave out --all-languages\n$/),
  })
  expect((await lonely('events update 1 --cost 5')).err).not.toContain('translation')
})
