import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { bilingual } from './bilingual.ts'
import { multilingualSite } from './multilingual-site.ts'
import { townInThreeLanguages } from './town-in-three-languages.ts'

/** When events of a slug begin, by language. */
const startsOf = (json: (line: string) => Promise<{ start_date: string }>) => async (slug: string) => {
  const starts: string[] = []
  for (const language of ['ca', 'en', 'es'])
    starts.push((await json(`events get ${slug} --lang ${language}`)).start_date.slice(0, 16))
  return starts
}

test('a cancelled Saturday moves in three languages by one command, and comes back by one undo', async () => {
  const { calctl, json } = await townInThreeLanguages()
  const starts = startsOf(json)
  const market = 'mercat-2026-11-21'
  expect(await starts(market)).toEqual(['2026-11-21 08:00', '2026-11-21 08:00', '2026-11-21 08:00'])
  const moved = await calctl('events update --where start_date=2026-11-21 --shift 1d --all-languages --yes')
  expect(moved.status, moved.err).toBe(0)
  expect(moved.err).toMatch(/6 to update.*\n6 done\. Undo: calctl undo \w+\n$/)
  expect(await starts(market)).toEqual(['2026-11-22 08:00', '2026-11-22 08:00', '2026-11-22 08:00'])
  const undone = await calctl('undo --yes')
  expect(undone.status, undone.err).toBe(0)
  expect(await starts(market)).toEqual(['2026-11-21 08:00', '2026-11-21 08:00', '2026-11-21 08:00'])
})

test('get names the translations of a record, and those that are missing', async () => {
  const { calctl } = await townInThreeLanguages()
  expect(await calctl('events get mercat-2026-11-21 --fields id')).toMatchObject({
    out: '97\n',
    err: 'translations: English 156, Spanish 217\n',
  })
  expect((await calctl('events get 57')).err).toBe('translations: Spanish 185; none in English\n')
  expect((await calctl('events get 57 -q')).err).toBe('')
})

test('an update of facts says which translations were left, an update of texts does not', async () => {
  const { calctl } = await townInThreeLanguages()
  const facts = await calctl('events update mercat-2026-11-21 --cost 5')
  expect(facts.err).toContain('2 translations not changed: English')
  const hidden = await calctl('events update mercat-2026-11-21 --status draft')
  expect(hidden.err).toContain('2 translations not changed: English')
  const published = await calctl('events update mercat-2026-11-21 --status publish --title Fira')
  expect(published.err).not.toContain('translation')
  const both = await calctl('events update 97 90 --cost 6')
  expect(both.err).toContain(
    '4 translations not changed: English 156, English 149, Spanish 217, Spanish 210 (add --all-languages)',
  )
  const text = await calctl('events update mercat-2026-11-21 --title Mercat')
  expect(text.err).not.toContain('translation')
  const removed = await calctl('events delete mercat-2026-11-21 --yes')
  expect(removed.err.match(/translation.*/g)).toEqual([
    'translations kept: English 156, Spanish 217 (add --all-languages)',
  ])
  const restored = await calctl('events restore mercat-2026-11-21')
  expect(restored.err).not.toContain('translation')
})

test('a removal says once that translations are kept, and a question says it instead of the answer', async () => {
  const kept = /1 translation kept: Spanish 3 \(add --all-languages\)/g
  const times = ({ err }: { err: string }) => err.match(kept)?.length
  const { calctl } = await bilingual()
  expect(times(await calctl('events delete 2 --dry-run'))).toBe(1)
  expect(times(await calctl('events delete 2'))).toBe(1)
  expect(times(await calctl('events delete 2 --yes'))).toBe(1)
  expect((await calctl('events delete 3 --lang es --yes')).err).not.toContain('translation')
  expect((await calctl('events restore 2 --dry-run')).err).toContain(
    '1 translation not restored: Spanish 3 (add --all-languages)',
  )
  const asked = await bilingual({ terminal: 200, keys: ['y\r'] })
  const answered = await asked.calctl('events delete 2')
  expect(answered.err).toContain('Moved to the trash: ')
  const sayings = stripVTControlCharacters(answered.err)
    .replaceAll('\r', '')
    .split('Moved to the trash: "Concert", Sat 5 Dec 19:00, Teatre Principal (2). ')
  expect(sayings.at(-1)).not.toMatch(kept)
})

test('a step of another language than that of the command names it, in its undo as well', async () => {
  const { calctl } = await townInThreeLanguages()
  expect((await calctl('events update 97 --title.es Mercado --dry-run')).out).toContain(
    ', Plaça Major (217, es): title ',
  )
  await calctl('events update 97 --title.es Mercado --yes')
  expect((await calctl('history --fields what')).out).toContain(', Plaça Major (217, es): title ')
  expect((await calctl('undo --dry-run')).out).toContain(', Plaça Major (217, es): title ')
  await calctl('events update 217 --lang es --title Otro')
  const [, run] = (await calctl('history --fields run -o tsv')).out.match(/^[a-z\d]{3}$/gm) ?? []
  expect((await calctl(`undo ${run} --yes`)).err).toContain('kept title of event 217 (es): changed after the run')
})

test('an undo of the latest run names a later one at the address of another language', async () => {
  const { calctl, server } = await townInThreeLanguages()
  const { origin } = new URL(server.url)
  await calctl('events update 97 --cost 5')
  const { err } = await calctl('events update 156 --lang en --title Market')
  const [, later] = /Undo: calctl undo (\w+) --lang en\n/.exec(err) ?? []
  const undone = await calctl('undo --yes')
  expect(undone.err).toContain(
    `run ${later} (events update, Sat 21 Nov 03:00, 1 step) at ${origin}/en/wp-json is later, and was not undone; undo it with: calctl undo ${later} --lang en\n`,
  )
  await calctl(`undo ${later} --lang en --yes`)
  await calctl('events update 97 --cost 5')
  expect((await calctl('undo --yes')).err).not.toContain('which is later')
})

test('--all-languages writes facts everywhere, links in each language, and texts only where they are given', async () => {
  const { calctl, json } = await townInThreeLanguages()
  const update = 'events update mercat-2026-11-21 --all-languages --yes'
  const done = await calctl(
    `${update} --cost 5 --venue "Parc de la Riba" --add-tags cicle --title Mercat --title.es "Mercado nuevo"`,
  )
  expect(done.status, done.err).toBe(0)
  const read = async (language: string) => {
    const { title, cost, venue, tags } = await json(`events get mercat-2026-11-21 --lang ${language}`)
    return [title, cost, venue.venue, tags.map(({ slug }: { slug: string }) => slug).toSorted()]
  }
  expect(await read('ca')).toEqual(['Mercat', '$5', 'Parc de la Riba', ['aire-lliure', 'cicle']])
  expect(await read('en')).toEqual(['Farmers’ market', '$5', 'Riverside Park', ['aire-lliure', 'cicle']])
  expect(await read('es')).toEqual(['Mercado nuevo', '$5', 'Parque de la Riba', ['aire-lliure', 'cicle']])
})

test('delete and restore take the translations along', async () => {
  const { calctl, json } = await townInThreeLanguages()
  const removed = await calctl('events delete mercat-2026-11-21 --all-languages --yes')
  expect(removed.status, removed.err).toBe(0)
  const inTrash = async () =>
    Promise.all(
      ['ca', 'en', 'es'].map(
        async language => (await json(`events list --status trash --all-dates --lang ${language}`)).length,
      ),
    )
  const before = await inTrash()
  const restored = await calctl('events restore mercat-2026-11-21__trashed --all-languages --status publish --yes')
  expect(restored.status, restored.err).toBe(0)
  expect(await inTrash()).toEqual(before.map(count => count - 1))
})

test('a text of another language changes that translation alone', async () => {
  const { calctl, json } = await townInThreeLanguages()
  const done = await calctl('events update mercat-2026-11-21 --title.es "Mercado nuevo" --yes')
  expect(done.err).toMatch(/1 to update\n/)
  expect(await json('events get mercat-2026-11-21 --lang es')).toMatchObject({ title: 'Mercado nuevo' })
  expect(await json('events get mercat-2026-11-21')).toMatchObject({ title: 'Mercat de pagès' })
  expect((await calctl('events update nothing --title.es Res --yes')).err).toContain('no event')
})

test('a venue without a translation, and a set that is not complete, are named', async () => {
  const { calctl } = await townInThreeLanguages()
  const created = await calctl('venues create --venue "Sala nova" -o ids -q')
  const { status, err } = await calctl('events update mercat-2026-11-21 --venue "Sala nova" --all-languages --yes')
  expect(status).toBe(4)
  expect(err).toContain(`venue "Sala nova" (${created.out.trim()}) has no translation in English`)
  const moved = await calctl('events update 57 --shift 1d --all-languages --dry-run')
  expect(moved.out).toContain('no translation of 1 event in English')
  const left = await calctl('events update 97 --shift 1d --dry-run')
  expect(left.err).toContain('2 translations not changed: English 156, Spanish 217 (add --all-languages)')
})

test('--match finds translations with other slugs by their facts, and so does a selection on stdin', async () => {
  const { calctl, json } = await townInThreeLanguages()
  for (const [language, slug] of [
    ['en', 'farmers-market'],
    ['es', 'mercado'],
  ])
    await calctl(`events update mercat-2026-11-21 --lang ${language} --slug ${slug} -q`)
  const line = 'events update - --status draft --all-languages --yes'
  expect((await calctl(`${line} --dry-run`, '97\n')).out).toContain(
    'no translation of 1 event in English and 1 event in Spanish',
  )
  const done = await calctl(`${line} --match start_date+venue`, '97\n')
  expect(done.err).toContain('3 to update')
  expect(await json('events get 217 --lang es')).toMatchObject({ status: 'draft' })
})

test('a term is deleted in all languages, and undo creates it in each of them', async () => {
  const { calctl, json } = await townInThreeLanguages()
  const [{ id }] = await json('tags list --no-hide-empty')
  const removed = await calctl(`tags delete ${id} --all-languages --yes`)
  expect(removed.status, removed.err).toBe(0)
  const counts = async () => {
    const lists = ['ca', 'en', 'es'].map(language => json(`tags list --no-hide-empty --all --lang ${language}`))
    return (await Promise.all(lists)).map(list => list.length)
  }
  const after = await counts()
  expect((await calctl('undo --yes')).status).toBe(0)
  expect(await counts()).toEqual(after.map(count => count + 1))
})

test('the translations of an updated record take one request in each language, and none with --quiet', async () => {
  const { calctl } = await townInThreeLanguages()
  const reads = async (line: string) => {
    const { err } = await calctl(`${line} --debug`)
    return err.split('\n').filter(text => /GET \S*\/(en|es)\/wp-json/.test(text))
  }
  expect(await reads('events update mercat-2026-11-21 --cost 5')).toHaveLength(2)
  expect(await reads('events update mercat-2026-11-21 --cost 6 -q')).toHaveLength(0)
})

test('--lang all lists the records of all languages in order, each with its language', async () => {
  const { calctl, json } = await townInThreeLanguages()
  const page = await calctl('events list --lang all --per-page 2 --fields lang_code,start_date,title')
  const languagesOf = (out: string) => out.split('\n').map(line => line.slice(0, 2))
  expect(languagesOf(page.out)).toEqual(['ca', 'en', 'es', 'ca', 'en', 'es', ''])
  const all = await json('events list --lang all --all')
  const languages = all.map(({ lang_code }: { lang_code: string }) => lang_code)
  expect(new Set(languages)).toEqual(new Set(['ca', 'en', 'es']))
  const starts = all.map(({ start_date }: { start_date: string }) => start_date)
  expect(starts).toEqual(starts.toSorted())
  let count = 0
  for (const language of ['ca', 'en', 'es']) count += (await json(`events list --all --lang ${language}`)).length
  expect(all).toHaveLength(count)
  expect(await json('venues list --lang all --all --where city=Riumajor')).toHaveLength(24)
})

test('--lang all shows the languages in agendas and months', async () => {
  const { calctl } = await townInThreeLanguages()
  const agenda = await calctl('agenda --lang all --from 2026-11-21 --to 2026-11-21')
  expect(agenda.out).toContain('Mercat de pagès (ca)')
  expect(agenda.out).toContain('Farmers’ market (en)')
  expect((await calctl('month 2026-11 --lang all -o csv')).out).toMatch(/^id,lang_code,start_date/)
})

test('--lang all refuses filters by records of one language, and commands that work in one', async () => {
  const { calctl } = await townInThreeLanguages()
  expect(await calctl('events list --lang all --venue "Teatre Principal"')).toMatchObject({
    status: 2,
    err: expect.stringContaining('--venue names venues of one language, and --lang all lists all of them'),
  })
  for (const line of ['events get 1', 'profiles list', 'runs list'])
    expect(await calctl(`${line} --lang all`)).toMatchObject({
      status: 2,
      err: expect.stringContaining(
        '--lang all works only with lists of records, agenda, month, export, lint, dedupe and languages status',
      ),
    })
  expect((await calctl('dedupe venues --lang all')).err).not.toContain('--lang all works only')
})

const concert = '--title Concert --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

test.each([
  ['answers say', true],
  ['the address says, which is asked again,', false],
])('a record that %s is in another language than asked for is a conflict, with what to type', async (_, tells) => {
  const { calctl } = await multilingualSite({ tells })
  const created = await calctl(`events create --lang es ${concert}`)
  expect(created).toMatchObject({
    status: 7,
    err: expect.stringMatching(
      /error: event \d+ is in the language ca, not in es\nhint: remove it with: calctl events delete \d+ --lang ca; or set its language in WordPress/,
    ),
  })
  expect(await calctl('events list --lang ca --all-dates -o count')).toMatchObject({ out: '1\n' })
  expect(await calctl('undo --lang es --yes')).toMatchObject({
    status: 0,
    err: expect.stringContaining('1 to move to the trash'),
  })
  expect(await calctl('events list --lang ca --all-dates -o count')).toMatchObject({ out: '0\n' })
})

test.each([true, false])('a record in the language that was asked for is none (its site says so: %s)', async tells => {
  const { calctl, seen } = await multilingualSite({ tells, obeys: true })
  expect((await calctl(`events create --lang es ${concert}`)).status).toBe(0)
  expect((await calctl(`events create --lang ca ${concert}`)).status).toBe(0)
  seen.splice(0)
  expect((await calctl(`events update concert --lang es --title Concierto`)).status).toBe(0)
  expect(seen.filter(line => line.startsWith('POST'))).toHaveLength(1)
})

test('the same holds for the records of a file', async () => {
  const { apply } = await multilingualSite({ tells: false })
  const row = 'es,Concierto,2026-12-05 19:00,2026-12-05 21:00'
  expect(await apply(`lang_code,title,start_date,end_date\n${row}\n`)).toMatchObject({
    status: 7,
    err: expect.stringContaining('is in the language ca, not in es'),
  })
})
