import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

const dates = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

/** A draft at a venue, on a terminal in Catalan. */
async function town() {
  const calctl = calendar({ terminal: 120, env: { CALCTL_UI: 'ca' } })
  await calctl('venues create --venue "Plaça Major" --yes')
  await calctl(`events create --title Concert ${dates} --venue 1 --status draft --yes`)
  return calctl
}

test('tables have the words of the contract as headings, and name statuses and days of the week', async () => {
  const calctl = await town()
  const { out } = await calctl('events list --status draft --no-color')
  expect(out.split('\n')).toEqual([
    'ID  Inici             Títol    Lloc         Categories  Estat',
    '2   ds. 5 des. 19:00  Concert  Plaça Major              esborrany',
    '',
  ])
})

test('a whole record says yes and no in words', async () => {
  const calctl = await town()
  const { out } = await calctl('events get 2 --full --no-color')
  expect(out).toMatch(/^Estat +esborrany$/m)
  expect(out).toMatch(/^Dura tot el dia +no$/m)
})

test('what is for programs stays as it is', async () => {
  const calctl = await town()
  expect((await calctl('events list --status draft --fields title,status -o csv')).out).toBe(
    'title,status\nConcert,draft\n',
  )
})

/** The first words of each line of a table. */
const cells = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map(line => line.split(/ {2,}/))

test('tables say in words what the program names: actions, kinds, fields, states and severities', async () => {
  const calctl = await town()
  const diff = cells((await calctl('events update 2 --cost 5 --status private --dry-run -o table --no-color')).out)
  expect(diff.map(row => [...row.slice(0, 2), ...row.slice(6)])).toEqual([
    ['Acció', 'Tipus', 'Camp', 'Abans', 'Després'],
    ['modificar', 'esdeveniment', 'Estat', 'esborrany', 'privat'],
    ['modificar', 'esdeveniment', 'Preu', '5'],
  ])
  await calctl('events update 2 --cost 5 --yes')
  expect((await calctl('runs show -o table --no-color')).out).toMatch(/\nfet +modificar +esdeveniment +2 /)
  expect((await calctl('doctor -o table --no-color')).out).toMatch(/^\S+ +fet /m)
  expect((await calctl('lint --fields severity,resource,field --no-color --severity info')).out).toMatch(
    /^(avís|informació) +(esdeveniment|lloc)/m,
  )
  expect((await calctl('events list --all-dates --fields id,venue.status --no-color --status draft')).out).toMatch(
    /^2 +publicat$/m,
  )
})

test('what is written to programs names these in English', async () => {
  const calctl = await town()
  const { out } = await calctl('events update 2 --cost 5 --dry-run -o csv')
  expect(out.split('\n')[1]).toMatch(/^update,events,2,.*,cost,,5$/)
  expect((await calctl('doctor -o csv')).out).toMatch(/^\w+,done,/m)
})

test.each(['esborrany', 'borrador', 'draft'])('restore takes the status %s', async status => {
  const calctl = await town()
  await calctl('events delete 2 --yes')
  expect((await calctl(`events restore 2 --status ${status} --yes --fields status -o csv`)).out).toBe('status\ndraft\n')
})
