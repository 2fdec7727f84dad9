import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSetMemory } from '../../src/care/translations/written-sets.ts'
import type { Step } from '../../src/changes/plan/plan.ts'
import type { Client } from '../../src/client/client.ts'
import { calendar } from '../support/calendar.ts'
import { townInThreeLanguages } from './town-in-three-languages.ts'

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
  expect((await calctl(`venues get ${ca} --fields id`)).err).toBe(`translations: en ${en}, es ${es}\n`)
  expect((await calctl(`venues get ${en} --fields id --lang en`)).err).toBe(`translations: ca ${ca}, es ${es}\n`)
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
        language,
        values: {},
      }) as unknown as Step,
  )
  const [, en, es] = steps as [Step, Step, Step]
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
    err: expect.stringMatching(/has records in one language only, ca\nhint: leave out --all-languages\n$/),
  })
  expect((await lonely('events update 1 --cost 5')).err).not.toContain('translation')
})
