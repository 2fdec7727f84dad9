import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

/** A calendar of somebody with nothing kept, and a clock that goes on by a minute with each command. */
function keeper(terminal?: number, language = 'en') {
  const home = mkdtempSync(join(tmpdir(), 'changes-'))
  let now = Date.parse('2026-11-21T02:00:00Z')
  const calctl = calendar({
    env: { XDG_STATE_HOME: home, XDG_CONFIG_HOME: home, CALCTL_UI: language, NO_COLOR: '1' },
    ...(terminal !== undefined && { terminal }),
    now: () => {
      now += 60_000
      return new Date(now)
    },
  })
  const rows = async (more = '') =>
    (await calctl(`changes -o ndjson ${more}`)).out
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Record<string, unknown>)
  const kept = () =>
    readdirSync(join(home, 'calctl', 'changes')).flatMap(name => readdirSync(join(home, 'calctl', 'changes', name)))
  return {
    calctl,
    rows,
    kept,
    later(days: number) {
      now += days * 86_400_000
    },
  }
}

const create =
  'events create --title Concert --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00" --status publish'

test('the first time there is nothing to compare with, and it says so', async () => {
  const { calctl, kept } = keeper()
  expect(await calctl('changes')).toEqual({
    status: 0,
    out: '',
    err: 'nothing to compare with yet: the state of the calendar is kept for the next time; the events saved since: calctl events list --all-dates --modified-after 2026-11-20\n',
  })
  expect(kept()).toHaveLength(1)
})

test('what one changed oneself is said, and what was shown can be shown again', async () => {
  const { calctl } = keeper()
  await calctl('changes')
  const [, run] = /calctl undo (\w+)/.exec((await calctl(`${create} --yes`)).err) ?? []
  const first = await calctl('changes')
  expect(first.err).toContain(`among them may be what you changed: ${run}\n`)
  const again = await calctl('changes')
  const [, line = ''] = /earlier changes: calctl (.*)\n/.exec(again.err) ?? []
  expect(line).toMatch(/^changes --since "2026-11-21 03:0\d"$/)
  expect((await calctl(line)).out).toBe(first.out)
})

test('what is new, changed and gone, with old and new values', async () => {
  const { calctl, rows } = keeper()
  await calctl(`${create} --yes`)
  await calctl('changes')
  await calctl('events update 1 --title "Gran concert" --yes')
  await calctl('tags create --name Estiu')
  const [changed, added, ...others] = await rows()
  expect(changed).toEqual({
    state: 'changed',
    resource: 'events',
    id: 1,
    title: 'Gran concert',
    field: 'title',
    before: 'Concert',
    after: 'Gran concert',
  })
  expect(added).toMatchObject({ state: 'new', resource: 'tags', title: 'Estiu', field: null, before: null })
  expect(added?.after).toMatchObject({ name: 'Estiu' })
  expect(others).toEqual([])
  await calctl('events delete 1 --yes')
  expect(await rows()).toMatchObject([
    { state: 'gone', resource: 'events', id: 1, before: { title: 'Gran concert' }, after: null },
  ])
  expect(await rows()).toEqual([])
})

test('--since takes a name, a run and a time', async () => {
  const { calctl, rows, later } = keeper()
  await calctl('changes --name monday')
  later(1)
  await calctl(`${create} --yes`)
  later(1)
  await calctl('changes')
  await calctl('events update 1 --title "Gran concert" --yes')
  const { out } = await calctl('history --json')
  const [update] = JSON.parse(out) as { run: string }[]
  expect(await rows('--since monday')).toMatchObject([{ state: 'new', title: 'Gran concert' }])
  expect(await rows(`--since ${update?.run}`)).toMatchObject([{ state: 'changed', field: 'title' }])
  expect(await rows('--since yesterday')).toMatchObject([{ state: 'new' }])
  expect(await calctl('changes --since 2020-01-01')).toMatchObject({
    status: 4,
    err: expect.stringContaining('no state was kept before Wed 1 Jan 2020'),
  })
  expect(await calctl('changes --since nonsense')).toMatchObject({ status: 2 })
})

test('the last thirty states are kept, and none in which nothing changed', async () => {
  const { calctl, kept } = keeper()
  for (let time = 0; time < 3; time++) await calctl('changes')
  expect(kept()).toHaveLength(1)
  for (let time = 0; time < 32; time++) await calctl(`changes --name s${time}`)
  expect(kept()).toHaveLength(30)
})

test('a table for people has no whole records', async () => {
  const { calctl } = keeper()
  await calctl('changes')
  await calctl('tags create --name Estiu')
  expect((await calctl('changes -o csv --fields state,resource,title')).out).toBe(
    'state,resource,title\nnew,tags,Estiu\n',
  )
})

for (const columns of [60, 80, 120])
  test(`at a terminal of ${columns} columns, changes are shown as those of a plan, in the language of the interface`, async () => {
    const { calctl, later } = keeper(columns, 'ca')
    await calctl('venues create --venue "Plaça Major" --yes')
    await calctl(`${create} --yes`)
    await calctl('events create --title Fira --start-date 2026-12-06 --all-day --yes')
    await calctl('changes')
    later(1)
    const long = 'Un títol llarg que no cap en una columna'
    await calctl(['events', 'update', '2', '--title', `${long} i acaba així`, '--venue', '1', '--yes'])
    await calctl('events move 2 "2026-12-05 20:00" --yes')
    await calctl('events delete 3 --yes')
    await calctl('tags create --name Estiu --yes')
    const { out, err } = await calctl('changes')
    expect(err.replaceAll('\n', ' ')).toMatch(/^comparat amb l’estat del ds. 21 nov. 2026 03:\d\d /)
    expect(out.replaceAll(/\n +/g, ' ').split('\n').filter(Boolean)).toEqual([
      `~ "Concert", ds. 5 des. 19:00 (2): títol "Concert" → "${long} i acaba així", comença ds. 5 des. 19:00 → ds. 5 des. 20:00, acaba 21:00 → 22:00, lloc (cap) → "Plaça Major"`,
      '+ l’etiqueta "Estiu" (1)',
      '- "Fira", dg. 6 des. (3)',
    ])
    for (const line of `${out}${err}`.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
  })

test('a calendar and a user are shown at a terminal as a small record, in the language of the interface', async () => {
  const { calctl } = keeper(60, 'ca')
  const { out } = await calctl('whoami')
  expect(out).toMatch(/^Calendari +el fitxer de calendari/)
  expect(out).not.toContain('{')
})

for (const [language, unchanged, none] of [
  ['en', /^nothing has changed since Sat 21 Nov 2026 03:\d\d\n$/, 'no state was kept before Fri 20 Nov 2026 00:00'],
  [
    'ca',
    /^no ha canviat res des del ds. 21 nov. 2026 03:\d\d\n$/,
    'no es va desar cap estat abans del dv. 20 nov. 2026 00:00',
  ],
  [
    'es',
    /^no ha cambiado nada desde el sáb 21 nov 2026 03:\d\d\n$/,
    'no se guardó ningún estado antes del vie 20 nov 2026 00:00',
  ],
] as const)
  test(`a state in which nothing has changed, and one that is missing, in sentences: ${language}`, async () => {
    const { calctl } = keeper(80, language)
    await calctl('changes')
    expect(await calctl('changes')).toMatchObject({ out: '', err: expect.stringMatching(unchanged) })
    const word = { en: 'yesterday', ca: 'ahir', es: 'ayer' }[language]
    expect((await calctl(`changes --since ${word}`)).err.replaceAll(/\s+/g, ' ')).toContain(none)
  })

test('for people, a date of publication is said once, in local time', async () => {
  const { calctl, later } = keeper(200)
  await calctl(`${create} --yes`)
  await calctl('changes')
  later(1)
  await calctl('events update 1 --date "2026-11-20 10:00" --yes')
  const { out } = await calctl('changes')
  expect(out).toContain('publication date')
  expect(out).not.toContain('UTC')
})
