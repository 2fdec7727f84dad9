import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const dates = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

/** A calendar with two venues and an event, at a terminal. */
async function town(quirks = false) {
  const site = calendarWithFiles({ quirks, terminal: 100, seen: [] })
  await site.calctl('venues create --venue "Plaça Major"')
  await site.calctl('venues create --venue "Teatre Principal"')
  await site.calctl(`events create --title "Mercat de pagès" ${dates} --venue 1`)
  return site
}

/** What a command prints on stdout and stderr, without the names of runs. */
async function said(calctl: ReturnType<typeof calendarWithFiles>['calctl'], line: string) {
  const { status, out, err } = await calctl(line)
  return { status, out, err: err.replace(/(calctl undo) \w{3}$/gm, '$1 RUN') }
}

const sentence = (text: string) => ({ status: 0, out: '', err: `${text}. Undo: calctl undo RUN\n` })

for (const quirks of [false, true])
  test(`on a terminal a sentence says what a write did (quirks: ${quirks})`, async () => {
    const { calctl } = await town(quirks)
    const says = async (line: string, text: string) => expect(await said(calctl, line), line).toEqual(sentence(text))
    await says('events update 3 --title Mercat', 'Changed "Mercat" (3): title "Mercat de pagès" → "Mercat"')
    await says('events update 3 --venue 2', 'Changed "Mercat" (3): venue "Plaça Major" → "Teatre Principal"')
    await says('events update 3 --shift +1d', 'Changed "Mercat" (3): starts Sat 5 Dec 19:00 → Sun 6 Dec 19:00')
    await says(
      `events create --title Concert ${dates} --venue 2`,
      'Created "Concert", Sat 5 Dec 19:00, Teatre Principal (4)',
    )
    await says('events delete 4 --yes', 'Moved to the trash: "Concert", Sat 5 Dec 19:00, Teatre Principal (4)')
    await says('events restore 4', 'Restored "Concert", Sat 5 Dec 19:00, Teatre Principal (4), status draft')
    await says('tags create --name Jazz', 'Created tag "Jazz" (1)')
    await says('tags update 1 --name Swing', 'Changed tag "Swing" (1): name "Jazz" → "Swing"')
    await says('tags delete 1 --yes', 'Deleted tag "Swing" (1)')
    await says('venues update 2 --city Girona', 'Changed venue "Teatre Principal" (2): city (none) → "Girona"')
  })

test('what was like that already is said to be, and no undo is offered', async () => {
  const { calctl } = await town()
  const { err } = await calctl('events update 3 --title "Mercat de pagès"')
  expect(err).toBe('"Mercat de pagès" (3) already has these values; nothing was changed\n')
  const { err: both } = await calctl('venues update 1 2 --venue "Plaça Major" --yes')
  expect(both).toContain('Venue "Plaça Major" (1) already has these values; nothing was changed\n')
  expect(both).toMatch(/ Undo: calctl undo \w{3}\n$/)
})

test('a write that changes nothing is no run, so undo takes back the one before it', async () => {
  const { calctl } = await town()
  const { err } = await calctl('events update 3 --cost 9')
  const [, run] = /Undo: calctl undo (\w+)/.exec(err) ?? []
  expect((await calctl('events update 3 --cost 9')).err).not.toContain('Undo')
  expect((await calctl('undo --yes')).err).toContain(`undoing run ${run}`)
  expect((await calctl('events get 3 --fields cost -o ndjson')).out).toBe('{"cost":""}\n')
})

test('several records get a sentence each, and one line says how to undo them all', async () => {
  const { calctl } = await town()
  const { out, err } = await said(calctl, 'venues update 1 2 --city Girona')
  expect([out, err]).toEqual([
    '',
    'Changed venue "Plaça Major" (1): city (none) → "Girona"\nChanged venue "Teatre Principal" (2): city (none) → "Girona"\nUndo: calctl undo RUN\n',
  ])
})

test('the record is printed only where it is asked for', async () => {
  const { calctl } = await town()
  for (const flags of ['--json', '-o yaml', '--fields id,title', '-o ids'])
    expect((await calctl(`events update 3 --cost 5 ${flags}`)).out, flags).toMatch(/3/)
  for (const flags of ['', '-q']) expect((await calctl(`events update 3 --cost 5 ${flags}`)).out).toBe('')
})

test('in a pipe the record is printed as it always was', async () => {
  const { calctl } = calendarWithFiles({ terminal: undefined })
  const { out } = await calctl('venues create --venue Sala --city Olot')
  expect(out).toMatch(/^1\tSala\t\tOlot/)
})

test('a record that is reused is said to be there, and nothing is said to be undone', async () => {
  const { calctl } = await town()
  expect(await calctl('venues create --venue "Plaça Major" --if-exists reuse')).toEqual({
    status: 0,
    out: '',
    err: 'Venue "Plaça Major" (1) already exists; nothing was created\n',
  })
})

test('a dry run of a single write says what would be done, with names and not IDs', async () => {
  const { calctl } = await town()
  const would = async (line: string) => (await calctl(`${line} --dry-run`)).out
  expect(await would('events update 3 --title Mercat --venue 2')).toBe(
    'Would change "Mercat de pagès", Sat 5 Dec 19:00, Plaça Major (3): title "Mercat de pagès" →\n  "Mercat", venue "Plaça Major" → "Teatre Principal"\n',
  )
  expect(await would(`events create --title Concert ${dates} --venue 2 --tags Jazz --create-missing`)).toBe(
    'Would create tag "Jazz"\nWould create "Concert", Sat 5 Dec 19:00: ends 21:00, tags new "Jazz", venue "Teatre Principal"\n',
  )
  expect(await would('events delete 3')).toBe(
    'Would move to the trash: "Mercat de pagès", Sat 5 Dec 19:00, Plaça Major (3)\n',
  )
  expect(await would('venues update 1 --city Girona')).toBe(
    'Would change venue "Plaça Major" (1): city (none) → "Girona"\n',
  )
})

test('a dry run says what would change, and with --json prints a plan that apply carries out', async () => {
  const { calctl, file } = await town()
  expect((await calctl('events update 3 --title Mercat --dry-run')).out).toMatch(/^Would change/)
  const { out } = await calctl('events update 3 --title Mercat --dry-run --json')
  expect(JSON.parse(out)).toMatchObject({ steps: [{ action: 'update', id: 3, values: { title: 'Mercat' } }] })
  expect((await calctl('events get 3 --fields title -o ndjson')).out).toBe('{"title":"Mercat de pagès"}\n')
  expect((await calctl(`apply ${file('plan.json', out)} --yes`)).status).toBe(0)
  expect((await calctl('events get 3 --fields title -o ndjson')).out).toBe('{"title":"Mercat"}\n')
})

test('a dry run of several records says which of them cannot be written', async () => {
  const { calctl } = await town()
  const { status, out, err } = await calctl('events update 3 99 --cost 5 --dry-run')
  expect([status, out.split('\n').length]).toEqual([2, 2])
  expect(err).toContain('no event 99')
})
