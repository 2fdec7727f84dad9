import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'

const dates = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

/** A calendar with event 1, which has tag 1, and a command that writes as if it was killed before it noted the last answer. */
async function town() {
  const site = calendarWithFiles({ quirks: true })
  await site.calctl(`events create --title Jazz ${dates} --tags Swing --create-missing`)
  const runs = site.path('state/calctl/runs')
  const killed = async (line: string, expected = 0) => {
    const { status } = await site.calctl(line)
    expect(status).toBe(expected)
    const file = `${runs}/${readdirSync(runs).toSorted().at(-1)}`
    const lines = readFileSync(file, 'utf8').split('\n')
    const last = lines.findLastIndex(text => text.startsWith('{"done"'))
    writeFileSync(file, `${lines.slice(0, last).join('\n')}\n`)
  }
  const state = async () => {
    const events = await site.calctl(
      'events list --all-dates --status publish,draft,trash --fields title,status,tags.name -o csv',
    )
    return events.out + (await site.calctl('tags list --fields name -o csv')).out
  }
  return { ...site, killed, state }
}

test.each([
  ['events update 1 --title Blues --start-date "2026-12-05 18:00"'],
  ['events delete 1 --yes'],
  ['tags delete 1 --yes'],
])('undo takes back a write that was killed before its answer was noted: %s', async line => {
  const { calctl, killed, state } = await town()
  const before = await state()
  await killed(line)
  expect(await state()).not.toBe(before)
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await state()).toBe(before)
})

test('undo takes back all that a killed run had sent', async () => {
  const { calctl, killed, file } = await town()
  await killed(`apply ${file('town.csv', head + row('Opera') + row('Fado'))} --jobs 1 --yes`)
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect((await calctl('events list --fields title -o csv')).out).toBe('title\nJazz\n')
})

test('the undo of a killed write keeps what somebody changed since', async () => {
  const { calctl, killed, state } = await town()
  await killed('events update 1 --title Blues')
  await calctl('events update 1 --title Swing')
  const before = await state()
  const [, second = ''] = /^(\w+)/.exec((await calctl('history -o csv --fields run')).out.split('\n')[2] ?? '') ?? []
  expect(await calctl(`undo ${second} --yes`)).toMatchObject({ status: 4 })
  expect(await state()).toBe(before)
})

test('an undo ends with 7 while it is unknown whether a create was done', async () => {
  const { calctl, killed } = await town()
  await killed(`events create --title Opera ${dates}`)
  await calctl(`events create --title Opera ${dates}`)
  const [, run] = (await calctl('runs list -o ids')).out.split('\n')
  const { status, err } = await calctl(`undo ${run} --yes`)
  expect(status).toBe(7)
  expect(err).toContain(
    `error: could not determine whether run ${run} created event "Opera"; nothing else was left to undo\n`,
  )
  expect(err).toMatch(/\nhint: look for it with: calctl events list [^;]*; if the run created it, delete it\n$/)
  expect((await calctl('events list --fields title -o csv')).out).toBe('title\nJazz\nOpera\nOpera\n')
})

test('an undo takes back the rest of a run of which one create stays unknown, and ends with 7', async () => {
  const { calctl, killed, file } = await town()
  await killed(`apply ${file('town.csv', head + row('Fado') + row('Opera'))} --jobs 1 --yes`)
  await calctl(`events create --title Opera ${dates}`)
  const [, run] = (await calctl('runs list -o ids')).out.split('\n')
  const { status, err } = await calctl(`undo ${run} --yes --json`)
  expect([status, JSON.parse(err.trim().split('\n').at(-1) ?? '').error]).toEqual([
    7,
    expect.objectContaining({
      kind: 'conflict',
      message: `could not determine whether run ${run} created event "Opera" (row 3); everything else was undone`,
    }),
  ])
  expect((await calctl('events list --fields title -o csv')).out).toBe('title\nJazz\nOpera\nOpera\n')
})

test('the rest of an undo that was killed ends with 7 too while it is unknown whether a create was done', async () => {
  const { calctl, killed, file } = await town()
  await killed(`apply ${file('town.csv', head + row('Fado') + row('Opera'))} --jobs 1 --yes`)
  await calctl(`events create --title Opera ${dates}`)
  const [, run] = (await calctl('runs list -o ids')).out.split('\n')
  await killed(`undo ${run} --yes`, 7)
  for (const line of ['runs resume', `runs resume ${(await calctl('runs list -o ids')).out.split('\n')[0]}`]) {
    const { status, err } = await calctl(line)
    expect(status).toBe(7)
    expect(err).toContain(
      `error: could not determine whether run ${run} created event "Opera" (row 3); everything else was undone\nhint: look for it with: `,
    )
  }
  expect((await calctl('events list --fields title -o csv')).out).toBe('title\nJazz\nOpera\nOpera\n')
})
