import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jointKey, KeyIndex, keyOf, keyWithin, nameKey, sameKey } from '../../src/base/text/match-key.ts'
import { createCandidateIndex } from '../../src/care/doubles/find-candidates.ts'
import { createTranslationFacts } from '../../src/care/lint/translation-facts.ts'
import { sharedSlug, translationSets } from '../../src/care/translations/sets.ts'
import { createLinkResolver } from '../../src/changes/plan/making/links.ts'
import { createRecordIndex } from '../../src/changes/plan/record-index.ts'
import { isReferredTo } from '../../src/client/answers.ts'
import { hasName } from '../../src/client/find/slugs.ts'
import { pathOf } from '../../src/client/http/request.ts'
import { withName } from '../../src/client/name-lookup.ts'
import { resourceNamed, resources } from '../../src/contract/contract.ts'
import type { Answer } from '../../src/contract/resource.ts'
import { slugKey } from '../../src/contract/slug.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

type Site = Awaited<ReturnType<typeof productionSite>>

const head = 'title,slug,start_date,end_date,status\n'
const dates = '2026-12-04 19:00,2026-12-04 21:00'
const draft = '--start-date 2026-10-01T10:00 --end-date 2026-10-01T11:00 --status'

/** A site with a draft and a pending event, whose slugs are empty, and that have nothing to do with the files below. */
async function siteWithDrafts() {
  const site = await productionSite()
  await site.json(`events create --title "Sense relació" ${draft} draft -o json`)
  await site.json(`events create --title "Tampoc" ${draft} pending -o json`)
  return site
}

const untouched = 'id,title,slug,start_date\n1,Sense relació,,2026-10-01 10:00:00\n2,Tampoc,,2026-10-01 10:00:00\n'

const drafts = async ({ calctl }: Site) =>
  (
    await calctl(
      'events list --include 1,2 --all-dates --status draft,pending --fields id,title,slug,start_date -o csv',
    )
  ).out

const applied = (site: Site, path: string, ...more: string[]) =>
  site.calctl(['apply', '--resource', 'events', '--yes', ...more, path])

test.each([
  ['one row without a slug', `Primer,primer,${dates},publish\nTercer,,${dates},publish\n`, 2],
  ['two rows without a slug', `Primer,primer,${dates},publish\nSegon,,${dates},draft\nTercer,,${dates},pending\n`, 3],
  ['no row with a slug', `Segon,,${dates},draft\nTercer,,${dates},publish\n`, 2],
  ['a slug of spaces', `Primer,primer,${dates},publish\nTercer,"  ",${dates},publish\n`, 2],
])('%s: the events are created, and drafts of the site are left alone', async (_, rows, count) => {
  const site = await siteWithDrafts()
  const path = site.file('season.csv', head + rows)
  expect(await applied(site, path)).toMatchObject({ status: 0, err: expect.stringContaining(`${count} to create\n`) })
  expect(await drafts(site)).toBe(untouched)
  // Those without a slug are found by their titles and dates.
  expect(await applied(site, path)).toEqual({ status: 0, out: '', err: `${count} unchanged\n` })
  expect(await site.calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await drafts(site)).toBe(untouched)
})

test('an export with drafts is applied to another site once, however often', async () => {
  const site = await siteWithDrafts()
  await site.json('events create --title Obert --start-date 2026-10-02T10:00 --end-date 2026-10-02T11:00 -o json')
  const exported = (await site.calctl('export --status publish,draft,pending')).out
  const other = await productionSite()
  await other.json(`events create --title "Un altre" ${draft} draft -o json`)
  const path = other.file('all.ndjson', exported)
  expect(await applied(other, path)).toMatchObject({ status: 0, err: expect.stringContaining('3 to create\n') })
  expect(await applied(other, path)).toEqual({ status: 0, out: '', err: '3 unchanged\n' })
  expect((await other.calctl('events get 1 --fields title -o csv')).out).toBe('title\nUn altre\n')
})

test('a run that was interrupted is resumed without touching drafts', async () => {
  let isDown = true
  const site = await productionSite({
    intercept: async ({ method, body }) =>
      isDown && method === 'POST' && String(body).includes('Tercer')
        ? {
            status: 403,
            headers: { 'content-type': 'application/json' },
            body: '{"code":"rest_forbidden","message":"No."}',
          }
        : undefined,
  })
  isDown = false
  await site.json(`events create --title "Sense relació" ${draft} draft -o json`)
  await site.json(`events create --title "Tampoc" ${draft} pending -o json`)
  isDown = true
  const path = site.file('season.csv', `${head}Primer,primer,${dates},publish\nTercer,,${dates},publish\n`)
  const { status, err } = await applied(site, path)
  expect(status).not.toBe(0)
  isDown = false
  const [, resume = ''] = /calctl (runs resume \w+)/.exec(err) ?? []
  expect(await site.calctl(`${resume} --yes`)).toMatchObject({ status: 0 })
  expect(await drafts(site)).toBe(untouched)
  expect(await applied(site, path)).toEqual({ status: 0, out: '', err: '2 unchanged\n' })
})

test('serve --quirks: a row without a slug overwrites no draft', async () => {
  const site = await wordpressSite()
  await site.calctl(`events create --title Nostre ${draft} draft`)
  const rows = `${head}Primer,primer,${dates},publish\nTercer,,${dates},publish\n`
  const line = 'apply - --format csv --resource events --yes'
  expect(await site.calctl(line, rows)).toMatchObject({ status: 0, err: expect.stringContaining('2 to create\n') })
  expect(await site.calctl(line, rows)).toMatchObject({ status: 0, err: '2 unchanged\n' })
  expect((await site.calctl('events get 1 --fields title -o csv')).out).toBe('title\nNostre\n')
})

test.each(['{"slug":""}', '{"slug":" "}', '{"id":0,"slug":""}', '{"slug":null}'])(
  'a record without a key on stdin names no draft: %s',
  async line => {
    const site = await siteWithDrafts()
    for (const verb of ['delete - --yes', 'update - --title Nou --yes', 'history'])
      expect((await site.calctl(`events ${verb}`, `${line}\n`)).status).toBe(2)
    expect(await drafts(site)).toBe(untouched)
  },
)

test('--match by fields that are empty matches nothing, and makes no row a duplicate', async () => {
  const site = await siteWithDrafts()
  const path = site.file(
    'season.json',
    JSON.stringify(
      ['Primer', 'Segon'].map(title => ({
        title,
        website: '',
        start_date: '2026-12-04 19:00',
        end_date: '2026-12-04 21:00',
      })),
    ),
  )
  expect(await applied(site, path, '--match', 'website')).toMatchObject({
    status: 0,
    err: expect.stringContaining('2 to create\n'),
  })
  expect(await drafts(site)).toBe(untouched)
})

test('rows of venues without a name are matched by their slugs alone', async () => {
  const { calctl } = calendarWithFiles()
  await calctl('venues create --venue A --phone 1')
  await calctl('venues create --venue B --phone 2')
  const rows = 'slug,phone\na,10\nb,20\nc,30\n'
  const { err } = await calctl('apply - --format csv --resource venues --yes --skip-invalid', rows)
  expect(err).toContain('2 to update')
  expect((await calctl('venues list --fields venue,phone -o csv --order asc --orderby id')).out).not.toContain('30')
})

/** What is no key: nothing, blank, or invisible. */
const empty = fc.constantFrom<unknown>(undefined, null, '', ' ', '\t\n', '\u00a0', '\u200b', '\ufeff \u2060', '\0')
const resource = fc.constantFrom(...resources)
const both = fc.tuple(empty, empty)

/** Two records whose keys are all empty. */
const records = fc.tuple(resource, both, both).map(([of, slugs, names]) => {
  const [one, other] = ([0, 1] as const).map(at => ({ id: at + 1, slug: slugs[at], [of.title]: names[at] }) as Answer)
  return { of, one: one as Answer, other: other as Answer }
})

const asText = (value: unknown) => String(value ?? '')

/** Each place that matches records, and whether it takes two records for the same. */
const places: Readonly<
  Record<string, (given: { of: (typeof resources)[number]; one: Answer; other: Answer }) => boolean>
> = {
  'a key': ({ of, one, other }) =>
    [keyOf, nameKey, slugKey, (value: unknown) => keyWithin('events ca', keyOf(value))].some(
      makeKey =>
        sameKey(makeKey(one.slug), makeKey(other.slug)) || sameKey(makeKey(one[of.title]), makeKey(other[of.title])),
    ),
  'a joint key': ({ of, one, other }) =>
    sameKey(jointKey([of.title, 'id'], one), jointKey([of.title, 'id'], { ...other, id: one.id })),
  'an index of keys': ({ one, other }) => {
    const index = new KeyIndex<number>()
    index.add(keyOf(one.slug), 1)
    return index.get(keyOf(other.slug)).length > 0 || [...index.groups()].length > 0
  },
  'the records of a list': ({ of, one, other }) => {
    const index = createRecordIndex(of)
    index.add(one)
    const found = [
      ...index.allBySlug(other.slug),
      ...index.byName(other[of.title]),
      ...index.bySlugOfName(asText(other.slug)),
      ...index.byFields([of.title, 'slug'], other),
      ...(index.hasSlug(asText(other.slug)) ? [one] : []),
    ]
    return found.length > 0
  },
  'names of the site': ({ of, one, other }) => withName(of, asText(other[of.title]), [one]).length > 0,
  'a lost create': ({ of, one, other }) => hasName(of, other, one),
  'a ref': ({ one, other }) => isReferredTo({ slug: asText(other.slug) }, { ...one, slug: asText(one.slug) }),
  'a record in the trash': ({ one, other }) =>
    isReferredTo({ slug: asText(other.slug) }, { ...one, slug: '__trashed' }),
  translations: ({ of, one, other }) => {
    const sets = translationSets(
      new Map([
        ['ca', [one]],
        ['es', [{ ...other, id: 9 }]],
      ] as const),
      { resource: of, match: [of.title] },
    )
    return sets.some(({ records: members }) => members.size > 1)
  },
  'slugs of translations': ({ one, other }) => sameKey(sharedSlug(one), sharedSlug(other)),
  'lint of translations': ({ of, one }) => {
    const facts = createTranslationFacts()
    facts.add(of, one, { id: one.id } as never, 'ca')
    return [...facts.ofEvents()].length > 0
  },
  doubles: ({ of, one, other }) => {
    const dated = { start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' }
    const index = createCandidateIndex(of)
    index.add({ ...one, ...(of.name === 'events' && dated) })
    return index.add({ ...other, ...(of.name === 'events' && dated) }).length > 0
  },
}

test.each(Object.entries(places))('an empty key is no key: %s', (_, isMatch) => {
  fc.assert(
    fc.property(records, given => {
      expect(isMatch(given)).toBe(false)
    }),
  )
})

test('a venue of a plan without a name or a slug is linked by no other without them', async () => {
  const venues = resourceNamed('venues')
  await fc.assert(
    fc.asyncProperty(both, both, async (slugs, names) => {
      const nameless: Answer = { id: 7, slug: slugs[0], venue: names[0] }
      const source = {
        calendar: { id: 'x', label: 'x' },
        find: async (of: typeof venues, name: string) => withName(of, name, [nameless]),
        names: async () => [],
        unknownId: async () => undefined,
      }
      const links = createLinkResolver(() => source as never)
      links.register(venues, undefined, { slug: slugs[0], name: names[0], values: nameless }, 7)
      const inline = { slug: slugs[1], venue: asText(names[1]) }
      const { venue } = await links.namesFor({} as never).resolve(resourceNamed('events'), { venue: inline })
      expect(venue).not.toBe(7)
    }),
  )
})

test('no request is made for an empty slug', () => {
  fc.assert(
    fc.property(empty, slug => {
      expect(() => pathOf('calendar/events/v1', resourceNamed('events'), { slug: asText(slug) })).toThrow(
        /empty string/,
      )
    }),
  )
})
