import { expect, test } from 'vitest'
import { townInThreeLanguages } from './town-in-three-languages.ts'

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
