import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { productionSite } from '../support/production-site.ts'

const dates = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

/** A town with two events, a venue that both have, an organizer, two categories and two tags, and an event in the trash. */
async function town() {
  const calendar = calendarWithFiles()
  const { calctl } = calendar
  for (const line of [
    'venues create --venue Sala --city Girona',
    'venues create --venue Plaça',
    'organizers create --organizer Colla',
    'categories create --name Música',
    'tags create --name Jazz',
    'tags create --name Jazzz',
    `events create --title Concert ${dates} --venue 1 --cost "10 €" --tags 2`,
    `events create --title Ball ${dates} --venue 1 --status draft`,
    `events create --title Gone ${dates}`,
    'events delete 6 --yes',
  ])
    expect(await calctl(line), line).toMatchObject({ status: 0 })
  /** Everything that the calendar shows, except when it was changed. */
  const state = async () => {
    const kinds = ['events', 'venues', 'organizers', 'categories', 'tags']
    const lists = kinds.map(kind => `${kind} list --all --json${kind === 'events' ? ' --all-dates --status any' : ''}`)
    const texts = []
    for (const line of [
      ...lists.map(line => line.replace(' --status any', '')),
      'events list --status trash --all-dates --json',
    ])
      texts.push((await calctl(line)).out.replace(/"(modified|modified_utc|date|date_utc)":\s*"[^"]*"/g, ''))
    return texts
  }
  return { ...calendar, state }
}

/** Each command that writes, and the record that it changes, which somebody else can change meanwhile. */
const commands: readonly (readonly [command: string, foreign?: string])[] = [
  [`events create --title Fira ${dates} --venue Mercat --create-missing`],
  ['venues create --venue Teatre'],
  ['events update 4 --title Recital --cost "12 €"', 'events update 4 --title Altres'],
  ['events update 4 5 --shift +1d'],
  ['events update 4 --add-tags 3', 'events update 4 --tags ""'],
  ['venues update 1 --city Olot', 'venues update 1 --city Salt'],
  ['events cancel 4 --reason Pluja', 'events cancel 4 --reason Vent'],
  [
    'events postpone 4 --to 2027-03-01',
    'events update 4 --start-date "2027-01-01 10:00" --end-date "2027-01-01 11:00"',
  ],
  ['events move 4 2027-02-01', 'events update 4 --start-date "2027-01-01 10:00" --end-date "2027-01-01 11:00"'],
  ['events publish 5', 'events update 5 --status pending'],
  ['events duplicate 4 --to 2027-02-02,2027-02-03'],
  ['events delete 4', 'events update 4 --title Altres'],
  ['events restore 6', 'events restore 6'],
  ['organizers delete 3', 'organizers update 3 --organizer Altres'],
  ['tags delete 2', 'tags update 2 --name Altres'],
  ['tags merge 2 3'],
  ['venues merge 1 2'],
]

test.each(commands)('the printed plan of "%s" does what the command does', async command => {
  const [direct, planned] = [await town(), await town()]
  const { out, status } = await planned.calctl(`${command} --dry-run --json`)
  expect(status).toBe(0)
  const plan = JSON.parse(out)
  expect(plan).toMatchObject({
    calctl: 1,
    calendar: { id: expect.any(String) },
    checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  for (const step of plan.steps) expect(step).toMatchObject({ values: expect.any(Object) })
  expect(await planned.state()).toEqual(await direct.state())
  expect(await planned.calctl(`apply ${planned.file('plan.json', out)} --yes`)).toMatchObject({ status: 0 })
  expect(await direct.calctl(`${command} --yes`)).toMatchObject({ status: 0 })
  expect(await planned.state()).toEqual(await direct.state())
  // What was applied can be taken back, as that of the command.
  for (const one of [direct, planned]) expect(await one.calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await planned.state()).toEqual(await direct.state())
})

/** Commands, and changes of other fields that nobody who approved their plans has seen. */
const unseen = [
  ['events update 4 --title Recital', 'events update 4 --website https://example.org'],
  ['events cancel 4', 'events update 4 --title Altres'],
  ['events publish 5', 'events update 5 --title Altres'],
  ['events move 4 2027-02-01', 'events update 4 --cost 5'],
  ['venues update 1 --city Olot', 'venues update 1 --phone 972'],
  ['tags update 2 --slug altres', 'tags update 2 --description Altres'],
] as const

test.each([...commands.flatMap(([command, foreign]) => (foreign ? [[command, foreign] as const] : [])), ...unseen])(
  'the printed plan of "%s" writes nothing after "%s" of somebody else',
  async (command, foreign) => {
    const { calctl, file, state } = await town()
    const { out } = await calctl(`${command} --dry-run --json`)
    expect(await calctl(`${foreign} -q`)).toMatchObject({ status: 0 })
    const before = await state()
    expect(await calctl(`apply ${file('plan.json', out)} --yes`)).toMatchObject({ status: 7 })
    expect(await state()).toEqual(before)
  },
)

test('--save keeps the plan of any command that writes, and writes nothing', async () => {
  const { calctl, path, state } = await town()
  const before = await state()
  const plan = path('plan.json')
  expect(await calctl(`events update 4 --title Recital --save ${plan}`)).toMatchObject({ status: 0 })
  expect(await state()).toEqual(before)
  expect(await calctl(`apply ${plan} --yes`)).toMatchObject({ status: 0 })
  expect((await calctl('events get 4 --fields title -o ndjson')).out).toBe('{"title":"Recital"}\n')
})

test('a plan that somebody has changed is refused, unless its checksum is removed', async () => {
  const { calctl, file } = await town()
  const { out } = await calctl('events update 4 --title Recital --dry-run --json')
  const forged = out.replace('"title":"Recital"', '"title":"Forged"')
  expect(await calctl(`apply ${file('forged.json', forged)} --yes`)).toMatchObject({
    status: 7,
    err: expect.stringMatching(/was changed after it was made\nhint: .*remove "checksum"/),
  })
  const own = JSON.stringify({ ...JSON.parse(forged), checksum: undefined })
  expect(await calctl(`apply ${file('own.json', own)} --yes`)).toMatchObject({ status: 0 })
  expect((await calctl('events get 4 --fields title -o ndjson')).out).toBe('{"title":"Forged"}\n')
})

test('a saved plan leaves an event alone that got a tag since which the plan changes itself', async () => {
  const { calctl, json, file, folder } = await productionSite()
  await json('tags create --name Jazz --json')
  const { id } = await json('events create --title Ball --start-date 2027-02-01T10:00 --duration 1h --json')
  const records = [
    { resource: 'tags', id: 1, description: 'Now' },
    { resource: 'events', id, title: 'Gala' },
  ]
  const plan = join(folder, 'plan.json')
  expect((await calctl(`diff ${file('both.json', JSON.stringify(records))} --save ${plan}`)).status).toBe(0)
  await calctl(`events update ${id} --add-tags Jazz`)
  expect(await calctl(`apply ${plan} --yes`)).toMatchObject({ status: 7 })
  expect((await json(`events get ${id} --json`)).title).toBe('Ball')
})
