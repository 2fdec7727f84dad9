import { expect, test } from 'vitest'
import { json, type Staged } from '../support/staged-site.ts'
import { multilingualSite } from './multilingual-site.ts'

/** A site whose answers say nothing of languages, as the real plugin: only its addresses do. */
async function silentSite() {
  const site = await multilingualSite({ tells: false, obeys: true })
  const times = '--start-date "2027-12-05 19:00" --end-date "2027-12-05 21:00"'
  const create = async (line: string) => {
    const { status, err } = await site.calctl(line)
    expect(status, err).toBe(0)
  }
  await create('venues create --lang ca --venue Teatre')
  await create('venues create --lang es --venue Teatre')
  await create(`events create --lang ca --title Concert --slug concert --venue Teatre ${times}`)
  await create(`events create --lang es --title Concierto --slug concert --venue Teatre ${times}`)
  await create(`events create --lang ca --title Fira --slug fira --venue Teatre ${times}`)
  const json = async (line: string) => JSON.parse((await site.calctl(`${line} --json -q`)).out)
  return { ...site, json }
}

test('all languages are listed, in agendas too, each record once', async () => {
  const { calctl, json } = await silentSite()
  const listed = await json('events list --lang all --all')
  expect(listed.map(({ lang_code, title }: Record<string, string>) => `${lang_code} ${title}`).toSorted()).toEqual([
    'ca Concert',
    'ca Fira',
    'es Concierto',
  ])
  expect((await calctl('events list --lang all -o count')).out).toBe('3\n')
  const agenda = await calctl('agenda --lang all --from 2027-12-05 --to 2027-12-05')
  expect(agenda.out).toContain('Concert (ca)')
  expect(agenda.out).toContain('Concierto (es)')
})

test('an export of all languages has the languages of the site, each record once', async () => {
  const { calctl } = await silentSite()
  const { status, out, err } = await calctl('export events --lang all --format ndjson')
  expect(status, err).toBe(0)
  const records = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(records.map(({ lang_code, title }) => `${lang_code} ${title}`).toSorted()).toEqual([
    'ca Concert',
    'ca Fira',
    'es Concierto',
  ])
})

test('languages status knows what is missing, and languages copy creates it', async () => {
  const { calctl, json } = await silentSite()
  const gaps = await calctl('languages status --all-dates -o csv')
  expect(gaps.status).toBe(1)
  expect(gaps.out).toMatch(/^title,start_date,ca,en,es\nConcert,[^,]+,\d+,,\d+\nFira,[^,]+,\d+,,missing\n$/)
  expect((await calctl('languages copy fira --to es --dry-run')).out).toContain('venue "Teatre"')
  const copied = await calctl('languages copy fira --to es --yes')
  expect(copied.status, copied.err).toBe(0)
  expect(await json('events get fira --lang es')).toMatchObject({ status: 'draft', venue: { venue: 'Teatre' } })
  expect((await calctl('languages copy fira --to es --yes')).err).toMatch(
    /has a translation: es (\d+)\nhint: change it with: calctl events update \1 --lang es -p site\n/,
  )
  await calctl('venues create --lang ca --venue Ateneu')
  await calctl('events update fira --venue Ateneu')
  await calctl('events delete fira --lang es --yes')
  expect((await calctl('languages copy fira --to es')).err).toMatch(
    /calctl languages copy venues \d+ --to es -p site\)/,
  )
  expect((await calctl('languages copy fira --to en')).err).toContain('has no language "en"')
})

test('without addresses of other languages, a site is read once', async () => {
  const { plain } = await silentSite()
  const exported = await plain('export events --lang all --format csv --fields title')
  expect(exported.status, exported.err).toBe(0)
  expect(exported.out.match(/Concert/g)).toHaveLength(1)
  expect(await plain('events list --lang all -o count')).toMatchObject({ status: 0, out: '2\n' })
})

test('a profile that does not say the language of its main address finds it in answers, or asks for it', async () => {
  const languagesOf = async (tells: boolean) => {
    const { calctl, origin } = await multilingualSite({ tells, obeys: true })
    await calctl(
      `profiles add unsaid --base-url ${origin}/wp-json --base-url-for es=${origin}/es/wp-json --namespace tribe/events/v1 --user admin --secret env:CALCTL_PASSWORD`,
    )
    const times = '--start-date "2027-12-05 19:00" --end-date "2027-12-05 21:00"'
    await calctl(`events create --lang ca --title Fira --slug fira ${times}`)
    return calctl('-p unsaid languages status -o csv')
  }
  expect(await languagesOf(true)).toMatchObject({
    status: 1,
    out: expect.stringMatching(/^title,start_date,ca,en,es\nFira,[^,]+,\d+,,missing\n$/),
  })
  expect(await languagesOf(false)).toMatchObject({
    status: 2,
    err: expect.stringContaining(
      'hint: set the language of its main address with: calctl profiles edit NAME --lang LANGUAGE\n',
    ),
  })
})

const when = '--start-date "2027-12-05 19:00" --end-date "2027-12-05 21:00"'

/** A site whose Spanish address answers all requests like this, after a concert was created in Catalan. */
async function siteWithout(spanish: () => Staged | 'nothing') {
  let isDown = false
  const site = await multilingualSite({ tells: true, obeys: true, spanish: () => (isDown ? spanish() : undefined) })
  const created = await site.calctl(`events create --lang ca --title Concert ${when}`)
  expect(created.status, created.err).toBe(0)
  isDown = true
  site.seen.splice(0)
  return site
}

const inSpanish = (seen: readonly string[]) => seen.filter(line => line.includes(' /es/'))

test('a broken address of another language is asked once for a notice, and the command ends as if there were none', async () => {
  const { calctl, seen } = await siteWithout(() => json(503, { code: 'busy', message: 'Busy' }))
  expect(await calctl('events get concert --fields title')).toEqual({ status: 0, out: 'Concert\n', err: '' })
  expect(inSpanish(seen)).toHaveLength(1)
  seen.splice(0)
  const updated = await calctl('events update concert --cost 5')
  expect(updated.status, updated.err).toBe(0)
  expect(updated.err).not.toMatch(/translation|retrying/)
  expect(inSpanish(seen)).toHaveLength(1)
})

test('an address of another language that never answers holds up nothing for long', async () => {
  const { calctl } = await siteWithout(() => 'nothing')
  expect(await calctl('events get concert --fields title')).toEqual({ status: 0, out: 'Concert\n', err: '' })
})
