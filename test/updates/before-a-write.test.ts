import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import type { Keys } from '../support/world.ts'

const dates = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'
const enter = (text: string) => `${text}\r`

interface Setup {
  keys?: Keys[]
  quirks?: boolean
}

/** Two venues, events 3 and 4 in the first one, and a tag of event 3; then the user comes to a terminal. */
async function town({ keys = [], quirks = false }: Setup = {}) {
  const answers: Keys[] = []
  const site = calendarWithFiles({ terminal: 180, keys: answers, quirks })
  await site.calctl('venues create --venue "Plaça Major"')
  await site.calctl('venues create --venue "Teatre Principal"')
  await site.calctl(`events create --title "Mercat de pagès" ${dates} --venue 1 --tags Mercats --create-missing`)
  await site.calctl(`events create --title Concert ${dates} --venue 1`)
  answers.push(...keys)
  const titles = async () => (await site.calctl('events list --fields title,venue.venue -o csv')).out
  return { ...site, titles }
}

test('the question before a removal names the record with its day and venue', async () => {
  const { calctl } = await town({ keys: [enter('n')] })
  const { status, err } = await calctl('events delete 3')
  expect(status).toBe(8)
  expect(err).toContain('Move to the trash: "Mercat de pagès", Sat 5 Dec 19:00, Plaça Major (3)?')
})

test('before several are removed each is shown, and with one that is missing none is removed', async () => {
  const { calctl } = await town({ keys: [enter('y')] })
  const refused = await calctl('events delete 3 99 4')
  expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('no event 99')])
  const { status, err } = await calctl('events delete 3 4')
  expect(status).toBe(0)
  const [first, second, question] = err.split('\n')
  expect([first, second]).toEqual([
    '"Mercat de pagès", Sat 5 Dec 19:00, Plaça Major (3)',
    '"Concert", Sat 5 Dec 19:00, Plaça Major (4)',
  ])
  expect(question).toContain('Move to the trash: these 2 events?')
})

test.each([
  ['venues delete 1', 'Move to the trash: venue "Plaça Major" (1)? 2 events use it.'],
  ['tags delete 1', 'Delete tag "Mercats" (1) permanently? 1 event uses it.'],
  ['venues delete 2', 'Move to the trash: venue "Teatre Principal" (2)? (y/N)'],
])('%s says how many events use it, and so does a dry run', async (command, question) => {
  const production = await town({ keys: [enter('n')], quirks: true })
  expect((await production.calctl(command)).err).toContain(question)
  const { calctl } = await town({ keys: [enter('n')] })
  const { status, err } = await calctl(command)
  expect([status, err]).toEqual([8, expect.stringContaining(question)])
  const [uses] = /\d+ events? uses? it/.exec(question) ?? []
  const dry = await calctl(`${command} --dry-run`)
  expect([dry.out, dry.err]).toEqual([expect.stringMatching(/^Would /), uses === undefined ? '' : `${uses}\n`])
})

const rows = 'id,title,venue\n3,Mercat de pagès,Teatre Principal\n4,Recital,Teatre Principal\n'

test('a plan shows its steps with titles, days and names before it asks', async () => {
  const { calctl, file, titles } = await town({ keys: [enter('y')] })
  const { status, err } = await calctl(`apply ${file('rows.csv', rows)}`)
  expect(status).toBe(0)
  expect(err).toContain(
    '~ "Mercat de pagès", Sat 5 Dec 19:00, Plaça Major (3, row 2): venue "Plaça Major" → "Teatre Principal"\n',
  )
  expect(err).toContain('change the venue and title of 2 events. Go on? (y/N, ? for more)')
  expect(await titles()).toContain('Mercat de pagès,Teatre Principal')
})

test('the venues and tags that a plan creates are shown by their names', async () => {
  const { calctl, file } = await town({ keys: [enter('n')] })
  const sheet = file('rows.csv', 'id,title,venue,tags\n3,Mercat de pagès,Sala Nova,Nou\n')
  const { err } = await calctl(`apply ${sheet} --create-missing`)
  expect(err).toContain('+ venue "Sala Nova"\n')
  expect(err).toContain('+ tag "Nou"\n')
  expect(err).toContain('venue "Plaça Major" → new "Sala Nova"')
})

test('the question says which days new events are on, whether they are published, and what the letters are', async () => {
  const { calctl, file } = await town({
    keys: [enter('n'), ['?\r', 'd: show all 3 steps', 'n\r'], enter('n'), enter('n')],
  })
  const concerts =
    'title,start_date,end_date\nConcert de Reis,2026-12-05 19:00,2026-12-05 20:00\nConcert de Sant Josep,2027-02-28 19:00,2027-02-28 20:00\n'
  expect((await calctl(`apply ${file('new.csv', concerts)}`)).err).toContain(
    'publish 2 new events from 5 December to 28 February 2027. Go on? (y/N, ? for more)',
  )
  const mixed =
    'title,start_date,end_date,id,venue,status\nConcert de Reis,2026-12-05 19:00,2026-12-05 20:00,,,draft\n,,,3,Teatre Principal,\n,,,4,Teatre Principal,\n'
  expect((await calctl(`apply ${file('mixed.csv', mixed)}`)).err).toContain(
    'create 1 event on 5 December and change the venue of 2 events. Go on? (y/N, ? for more)',
  )
  expect((await calctl(`apply ${file('new.csv', concerts)} --ui ca`)).err).toContain(
    'publicar 2 esdeveniments nous, entre el 5 de desembre i el 28 de febrer de 2027.',
  )
  expect(
    (await calctl(`apply ${file('first.csv', concerts.replaceAll('2027-02-28', '2027-01-01'))} --ui ca`)).err,
  ).toContain('entre el 5 de desembre i l’1 de gener de 2027.')
})

test('d shows all steps of a plan, of which only ten are shown before, and asks again', async () => {
  const { calctl, file } = await town({ keys: [enter('d'), enter('n')] })
  const season = Array.from(
    { length: 12 },
    (_, day) => `Nit ${day + 1},2027-01-${day + 10} 19:00,2027-01-${day + 10} 20:00\n`,
  )
  const { status, out, err } = await calctl(
    `apply ${file('season.csv', `title,start_date,end_date\n${season.join('')}`)}`,
  )
  expect(status).toBe(8)
  expect(err).toContain('+ "Nit 10", Tue 19 Jan 2027 19:00 (row 11)')
  expect(err).toContain('\n… and 2 more\n')
  expect(err).not.toContain('Nit 12')
  expect(out).toContain('+ "Nit 12", Thu 21 Jan 2027 19:00 (row 13)')
})

test('a plan that deletes terms says how many events use them', async () => {
  const { calctl, file } = await town({ keys: [enter('n')] })
  const sheet = file('tags.csv', 'id,name,action\n1,Mercats,trash\n')
  const { status, err } = await calctl(`apply ${sheet} --resource tags`)
  expect([status, err]).toEqual([
    8,
    expect.stringMatching(/^1 event uses it$.*permanently delete 1 tag\. Go on\? \(y\/N, \? for more\)/ms),
  ])
})
