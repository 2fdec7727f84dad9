import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { productionSite } from '../support/production-site.ts'
import { worldOf } from '../support/world.ts'
import { townInThreeLanguages } from '../translations/town-in-three-languages.ts'

async function season() {
  const calctl = calendar()
  for (const [title, day] of [
    ['Festa major', '2026-11-28'],
    ['Concert', '2026-12-13'],
  ] as const)
    await calctl(['events', 'create', '--title', title, '--start-date', `${day} 19:00`, '--duration', '2h'])
  return calctl
}

test('several words are one text for find', async () => {
  const calctl = await season()
  expect((await calctl('find festa major -o ids')).out).toBe('1\n')
})

test('events list takes a day as agenda does, and only one', async () => {
  const calctl = await season()
  expect((await calctl('events list 13 December 2026 -o ids')).out).toBe('2\n')
  expect((await calctl('events list november -o ids --ui en')).out).toBe('1\n')
  expect(await calctl('events list saturday --month 2026-12')).toMatchObject({
    status: 2,
    err: expect.stringContaining('error: saturday and --month cannot be used together\n'),
  })
  expect((await calctl('venues list saturday')).err).toContain('too many arguments')
})

test('groups of statistics have names in the language of the interface', async () => {
  const calctl = await season()
  for (const by of ['mes', 'Categoria', 'lloc', 'preu', 'llengua'])
    expect((await calctl(`stats --by ${by} --ui ca -o count`)).status).toBe(0)
  expect((await calctl('stats --by lugar --ui es -o count')).status).toBe(0)
  expect((await calctl('stats --by color --ui ca')).err).toContain('month (mes), place (lloc)')
})

test('an update can leave the translations as they are, which is the default', async () => {
  const { calctl, json } = await townInThreeLanguages()
  expect((await calctl('events update mercat-2026-11-21 --cost 5 --no-all-languages')).status).toBe(0)
  expect((await json('events get mercat-2026-11-21 --lang en')).cost).not.toBe('$5')
})

test('a file in place of a format is answered with the line that writes it', async () => {
  expect(await calendar()('export events -o december.xlsx')).toMatchObject({
    status: 2,
    err: 'error: -o takes a format, not a file: december.xlsx\nhint: use: calctl export -o xlsx > december.xlsx\n',
  })
})

test('open with an event opens its page', async () => {
  const { baseUrl, json } = await productionSite()
  const env = { CALCTL_BASE_URL: baseUrl, CALCTL_NAMESPACE: 'tribe/events/v1' }
  await json('events create --title Jazz --start-date 2026-12-05T19:00 --duration 2h --json')
  const opened: string[] = []
  const calctl = worldOf({ env, openPage: async page => void opened.push(page) })
  const { url } = await json('events get 1 --json')
  expect(await calctl('open 1')).toMatchObject({ status: 0 })
  expect(opened).toEqual([url])
  expect((await calctl('open 1 --month 2026-12')).status).toBe(2)
  expect(await calendar()('open 1')).toMatchObject({
    status: 2,
    err: expect.stringContaining('has no pages\nhint: show it here: calctl events get 1\n'),
  })
})
