import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

const dates = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

/** A draft, a private event and a published one with a price, in a calendar whose user reads this language. */
async function town(language = 'ca') {
  const calctl = calendar({ terminal: 120, env: { CALCTL_UI: language } })
  await calctl('venues create --venue "Plaça Major" --city Girona --yes')
  await calctl(`events create --title Esborrany ${dates} --status draft --yes`)
  await calctl(`events create --title Assaig ${dates} --status private --yes`)
  await calctl(`events create --title Concert ${dates} --cost "8 €" --venue 1 --yes`)
  return calctl
}

test.each([
  ['ca', '--where estat=esborrany', ['Esborrany']],
  ['ca', '--status esborrany', ['Esborrany']],
  ['ca', '--status privat', ['Assaig']],
  ['es', '--status privado', ['Assaig']],
  ['es', '--where estado=borrador --status draft,private', ['Esborrany']],
  ['ca', '--where status=privat --status private', ['Assaig']],
  ['ca', '--where "preu>5"', ['Concert']],
  ['ca', '--where títol~concert', ['Concert']],
  ['ca', '--where "lloc.població=Girona i preu<10"', ['Concert']],
  ['ca', '--where "Data i hora d’inici>=2026-12-01 and lloc=none" --status draft', ['Esborrany']],
  ['es', '--where "inicio=5/12/2026 and precio=8"', ['Concert']],
])('in %s, events list %s selects by the words of people', async (language, options, titles) => {
  const calctl = await town(language)
  const { status, out, err } = await calctl(`events list ${options} --fields title -o csv`)
  expect({ status, err, out }).toEqual({ status: 0, err: '', out: `${['title', ...titles].join('\n')}\n` })
})

test('--fields and --sort take the words of headings too, and the names for programs stay as they are', async () => {
  const calctl = await town()
  const { out } = await calctl('events list --fields títol,preu,lloc.població,estat --sort Títol -o csv')
  expect(out).toBe('title,cost,venue.city,status\nAssaig,,,private\nConcert,8 €,Girona,publish\nEsborrany,,,draft\n')
  expect((await calctl('find concert --fields títol -o csv')).out).toBe('title\nConcert\n')
})

test('a message says the name as it was typed, and words of another language than that of the interface are unknown', async () => {
  const calctl = await town()
  expect((await calctl('events list --where "estat>3" --no-color')).err).toContain('error: --where "estat>3": ')
  expect((await (await town('en'))('events list --where preu=8 --ui en')).err).toContain('events have no field "preu"')
})

test.each([
  ['ca', 'títol,inici,preu', 'Títol+Inici'],
  ['es', 'título,inicio,precio', 'título+inicio'],
  ['en', 'title,start_date,cost', 'title+start-date'],
])('in %s, export --fields and apply --match take the names of columns, too', async (language, fields, match) => {
  const calctl = await town(language)
  const { out } = await calctl(`export events --fields ${fields} --format csv`)
  expect(out.split('\n')[0]).toMatch(/\btitle,start_date,cost\b/)
  const sheet = `resource,title,start_date,cost\nevents,Concert,2026-12-05 19:00,9 €\n`
  const matched = await calctl(`apply - --format csv --match ${match} --dry-run`, sheet)
  expect(matched).toMatchObject({ status: 0, out: expect.stringMatching(/"Concert".*8.*→.*9/) })
  const wrong = await calctl(`apply - --format csv --match preuet --resource tags --ui en`, sheet)
  expect(wrong).toMatchObject({ status: 2, err: expect.stringContaining('--match: tags have no field "preuet"') })
})
