import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { tempCalendarFile } from '../support/temp-calendar-file.ts'

/** An event behind a protected profile, and a user who answers at a terminal; without `keys` there is no terminal. */
async function protectedSite(keys?: readonly string[]) {
  const { folder } = tempCalendarFile()
  const file = join(folder, 'site.json')
  const answers: string[] = []
  const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, NO_COLOR: '1' }
  const calctl = calendar({ env, ...(keys && { terminal: 200, keys: answers }) })
  await calctl(`profiles add site --base-url file:${file} --protected`)
  const dates = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'
  await calctl(`events create --title Concert ${dates} --confirm site -p site`)
  // A calendar file that is read must be there; its records come from the calendar of the test.
  writeFileSync(file, '')
  answers.push(...(keys ?? []))
  const title = async () => (await calctl('events get 1 --fields title,status -o csv -p site')).out
  return { calctl, folder, title }
}

const question = 'The profile site is protected; type its name to go on:'

test('a protected profile is confirmed by its name, after what will be written has been shown', async () => {
  const { calctl, title } = await protectedSite(['site\r'])
  const { status, err } = await calctl('events update 1 --title Recital -p site')
  expect(status).toBe(0)
  expect(err).toMatch(/^Would change "Concert", Sat 5 Dec 19:00 \(1\): title "Concert" → "Recital"\n/)
  expect(err).toContain(question)
  expect(await title()).toContain('Recital')
})

test('anything but the name writes nothing', async () => {
  const { calctl, title } = await protectedSite(['yes\r'])
  const { status, err } = await calctl('events update 1 --title Recital -p site')
  expect([status, err]).toEqual([8, expect.stringContaining('error: the profile site is protected\n')])
  expect(await title()).toContain('Concert')
})

test('the name is the only answer to the question before a removal', async () => {
  const { calctl, title } = await protectedSite(['site\r'])
  const { status, err } = await calctl('events delete 1 -p site')
  expect([status, err]).toEqual([
    0,
    expect.stringContaining(`Move to the trash: "Concert", Sat 5 Dec 19:00 (1)? ${question}`),
  ])
  expect(await title()).toBe('')
})

test('a plan is confirmed first, and then the profile', async () => {
  const { calctl, folder, title } = await protectedSite(['y\r', 'site\r'])
  const sheet = join(folder, 'rows.csv')
  writeFileSync(sheet, 'id,title\n1,Recital\n')
  const { status } = await calctl(`apply ${sheet} --resource events -p site`)
  expect([status, await title()]).toEqual([0, expect.stringContaining('Recital')])
})

test('a record that does not exist is reported before the name is asked for', async () => {
  const { calctl } = await protectedSite([])
  const { status, err } = await calctl('events update 99 --title Recital -p site')
  expect([status, err]).toEqual([4, expect.stringMatching(/^error: no event 99 /)])
})

test('without a terminal, and with --yes, only --confirm does it, before anything is read', async () => {
  const { calctl, folder } = await protectedSite()
  const refused = { status: 8, err: 'error: the profile site is protected\nhint: to write to it add: --confirm site\n' }
  const sheet = join(folder, 'rows.csv')
  writeFileSync(sheet, 'id,title\n1,Recital\n')
  for (const command of ['events update 99 --title X', 'events delete 1', 'events delete 1 --yes'])
    expect(await calctl(`${command} -p site`), command).toMatchObject(refused)
  for (const flags of ['', '--yes']) {
    const { status, err } = await calctl(`apply ${sheet} --resource events -p site ${flags}`)
    expect([status, err]).toEqual([8, expect.stringContaining(refused.err)])
  }
  expect((await calctl(`apply ${sheet} --resource events -p site --yes --confirm site`)).status).toBe(0)
})
