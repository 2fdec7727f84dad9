import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'
import { wordpressSite } from '../support/wordpress-site.ts'
import { undoLine } from '../support/world.ts'

const dates = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

/** A calendar with event 1, and what its event is now. */
async function town(quirks: boolean) {
  const requests: string[] = []
  const site = calendarWithFiles({ quirks, seen: requests })
  await site.calctl(`events create --title Jazz ${dates}`)
  const event = async () => {
    const { out } = await site.calctl(
      'events list --all-dates --status publish,draft,trash --fields title,status -o csv',
    )
    return out.split('\n').slice(1, -1).join()
  }
  return { ...site, event, requests }
}

for (const quirks of [false, true]) {
  const dialect = quirks ? 'with --quirks' : 'as documented'

  test.each([
    ['events update 1 --title Blues', 'Changed "Blues" (1): title "Jazz" → "Blues"', 'Blues,publish'],
    ['events delete 1 --yes', 'Moved to the trash: "Jazz", Sat 5 Dec 19:00 (1)', 'Jazz,trash'],
  ])(`${dialect}, the line after a single write undoes it: %s`, async (command, sentence, changed) => {
    const { calctl, event } = await town(quirks)
    const { status, err } = await calctl(command)
    expect([status, err]).toEqual([0, expect.stringMatching(undoLine(sentence))])
    expect(await event()).toBe(changed)
    const [, undo = ''] = /Undo: calctl (.*)\n/.exec(err) ?? []
    expect(await calctl(`${undo} --yes`)).toMatchObject({ status: 0 })
    expect(await event()).toBe('Jazz,publish')
    expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
    expect(await event()).toBe(changed)
    expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
    expect(await event()).toBe('Jazz,publish')
  })

  test(`${dialect}, a create and a restore are undone, redone and undone`, async () => {
    const { calctl, event } = await town(quirks)
    for (const [command, expected] of [
      ['undo', 'Jazz,trash'],
      ['redo', 'Jazz,publish'],
      ['events delete 1', 'Jazz,trash'],
      ['events restore 1 --status publish', 'Jazz,publish'],
      ['undo', 'Jazz,trash'],
      ['redo', 'Jazz,publish'],
    ] as const) {
      expect(await calctl(`${command} --yes`), command).toMatchObject({ status: 0 })
      expect(await event(), command).toBe(expected)
    }
  })

  test(`${dialect}, a term that was deleted alone comes back to the events that had it`, async () => {
    const { calctl } = await town(quirks)
    await calctl('events update 1 --tags Jazz --create-missing')
    const tags = async () => (await calctl('events get 1 --fields tags.name -o ndjson')).out
    const before = await tags()
    expect(await calctl('tags delete 1 --yes')).toMatchObject({ status: 0 })
    expect(await tags()).not.toBe(before)
    expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
    expect(await tags()).toBe(before)
  })
}

test('what calctl creates by itself with an event is in its journal, and goes with it', async () => {
  const { calctl } = calendarWithFiles()
  const { err } = await calctl(`events create --title Jazz ${dates} --venue Sala --tags Swing --create-missing`)
  expect(err).toMatch(
    /^Created tag "Swing" \(1\)\nCreated venue "Sala" \(1\)\nCreated "Jazz", Sat 5 Dec 19:00, Sala \(2\)\nUndo: calctl undo \w+\n$/,
  )
  expect((await calctl('undo --yes')).status).toBe(0)
  for (const noun of ['events', 'venues', 'tags']) expect((await calctl(`${noun} list -o count`)).out).toBe('0\n')
})

test('several records are one run, and one that cannot be read stops them all unless it is skipped', async () => {
  const { calctl, journals } = calendarWithFiles()
  for (const title of ['Jazz', 'Opera']) await calctl(`events create --title ${title} ${dates}`)
  const { status, err } = await calctl('events update 1 99 2 --title Blues')
  expect([status, journals().length]).toEqual([2, 2])
  expect(err).toMatch(
    /^! 99: no event 99 .*\nerror: 1 record is invalid; nothing was sent\nhint: fix it, or add --skip-invalid/ms,
  )
  expect((await calctl('events update 1 99 2 --title Blues --skip-invalid')).status).toBe(6)
  expect(journals()).toHaveLength(3)
  await calctl('undo --yes')
  expect((await calctl('events list --fields title -o csv')).out).toBe('title\nJazz\nOpera\n')
})

test('undo after a single update takes that back, and not an older run', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl(`apply ${file('one.csv', head + row('Jazz'))} --yes`)
  await calctl('events update 1 --title Blues')
  expect((await calctl('undo --dry-run')).out).toContain('~ "Blues", Sat 5 Dec 19:00 (1): title "Blues" → "Jazz"\n')
})

test('an update stays two requests', async () => {
  const { calctl, requests } = await town(false)
  requests.length = 0
  await calctl('events update 1 --title Blues')
  expect(requests).toHaveLength(2)
})

test('a write that was refused leaves no journal', async () => {
  const { calctl, journals } = calendarWithFiles()
  await calctl('tags create --name Jazz')
  expect((await calctl('tags create --name Jazz')).status).toBe(4)
  expect(journals()).toHaveLength(1)
})

test('-q says nothing, and the password of an event is in no journal', async () => {
  const { calctl, journals } = await town(false)
  expect(await calctl('events update 1 --password hush-hush --title Blues -q')).toMatchObject({ err: '' })
  await calctl('events delete 1 --password hush-hush --yes')
  expect(journals().length).toBeGreaterThan(1)
  expect(JSON.stringify(journals())).not.toContain('hush')
})

test.each(['/proc/nope', '/dev/null/state'])('nothing is sent if no journal can be written, as in %s', async state => {
  const sent: string[] = []
  const blocked = calendar({ seen: sent, env: { XDG_STATE_HOME: state } })
  for (const line of [`events create --title Jazz ${dates}`, 'tags create --name Jazz'])
    expect(await blocked(line)).toMatchObject({
      status: 3,
      out: '',
      err: expect.stringContaining('hint: make the folder writable, or choose another with: XDG_STATE_HOME=…'),
    })
  expect(sent.filter(request => !request.startsWith('GET'))).toEqual([])
})

test('organizers stand in the order that was asked for, and an undo gives them their order back', async () => {
  const site = await wordpressSite()
  const ids: number[] = []
  for (const organizer of ['Colla', 'Ateneu', 'Ajuntament'])
    ids.push((await site.ask('POST /organizers', { organizer })).id)
  const [colla, ateneu, town] = ids
  const dates = { start_date: '2027-03-04 18:30:00', end_date: '2027-03-04 20:00:00' }
  const { id } = await site.ask('POST /events', { ...dates, title: 'Fira', organizer: [colla, ateneu] })
  const shown = async () => (await site.ask(`GET /events/${id}`)).organizer.map((one: { id: number }) => one.id)
  for (const order of [[ateneu, colla], [town, colla], [town], [ateneu, town, colla]]) {
    expect((await site.calctl(`events update ${id} --organizer ${order.join(',')}`)).status).toBe(0)
    expect(await shown()).toEqual(order)
    expect((await site.calctl('undo --yes')).status).toBe(0)
    expect(await shown()).toEqual([colla, ateneu])
  }
})
