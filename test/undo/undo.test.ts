import { expect, test } from 'vitest'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'
import { productionSite } from '../support/production-site.ts'

test.each([false, true])('undoing an undo leaves everything as it was (quirks: %s)', async quirks => {
  const { calctl, file } = calendarWithFiles({ quirks })
  const sheet = file(
    'town.csv',
    `title,start_date,end_date,venue,organizer,tags,categories
Jazz,2026-12-05 19:00,2026-12-05 21:00,Sala,"Colla, Orfeó","Open air, Swing",Música
Opera,2026-12-06 19:00,2026-12-06 21:00,Sala,Colla,Open air,Música
`,
  )
  const exported = async () => {
    const { out } = await calctl('export events venues organizers categories tags --format ndjson')
    return out
      .split('\n')
      .filter(line => line !== '')
      .map(line => {
        const { modified: _, modified_utc: __, ...record } = JSON.parse(line)
        return record.resource === 'tags' || record.resource === 'categories' ? { ...record, id: 0 } : record
      })
  }
  expect(await calctl(`apply ${sheet} --create-missing --yes --jobs 1`)).toMatchObject({ status: 0 })
  const before = await exported()
  expect(before).toHaveLength(8)
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await exported()).toEqual([])
  expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
  expect(await exported()).toEqual(before)
})

test('undo removes as many records as the run created, within --max-trash if it is given', async () => {
  const { calctl, file } = calendarWithFiles()
  const rows = Array.from({ length: 21 }, (_, index) => row(`Concert ${index}`)).join('')
  await calctl(`apply ${file('many.csv', head + rows)} --yes`)
  expect(await calctl('undo --yes --max-trash 5')).toMatchObject({
    status: 8,
    err: expect.stringContaining('error: this would remove 21 records, more than the limit of 5\n'),
  })
  expect((await calctl('undo --yes')).status).toBe(0)
  expect((await calctl('events list -o count')).out).toBe('0\n')
})

test.each([
  ['a calendar in this process', async () => calendarWithFiles()],
  ['a site', () => productionSite()],
])('undoing a move to a new venue removes that venue, in %s', async (_, open) => {
  const { calctl } = await open()
  const venue = async () => JSON.parse((await calctl('events get 1 --json')).out).venue?.venue
  const venues = async () => (await calctl('venues list --fields venue -o csv')).out
  await calctl('events create --title Jazz --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"')
  await calctl('events update 1 --venue Sala --create-missing')
  expect(await calctl('events update 1 --venue New --create-missing')).toMatchObject({ status: 0 })
  expect([await venue(), await venues()]).toEqual(['New', 'venue\nNew\nSala\n'])
  expect(await calctl('undo --yes')).toMatchObject({ status: 0, err: expect.not.stringContaining('kept') })
  expect([await venue(), await venues()]).toEqual(['Sala', 'venue\nSala\n'])
})

test('undo restores what an update moved to the trash, and keeps in the trash what somebody moved there since', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl(`apply ${file('two.csv', head + row('Jazz') + row('Opera'))} --yes --jobs 1`)
  await calctl('events update - --status trash --title Gone --yes', '1\n')
  expect((await calctl('undo --yes')).status).toBe(0)
  expect((await calctl('events get 1 --fields title,status,slug --json')).out).toBe(
    '{\n  "title": "Jazz",\n  "status": "publish",\n  "slug": "jazz"\n}\n',
  )
  await calctl('events update - --title Recital --yes', '1\n2\n')
  const [update] = (await calctl('runs list -o ids')).out.split('\n')
  await calctl('events delete 2 --yes')
  const shown = '~ "Recital", Sat 5 Dec 19:00 (1): title "Recital" → "Jazz"\n'
  const notice = 'kept event 2 (line 2): it was moved to the trash after the run\n'
  expect((await calctl(`undo ${update} --dry-run`)).out).toBe(`${shown}${notice}1 to update\n`)
  expect(await calctl(`undo ${update} --yes`)).toMatchObject({ status: 0, err: expect.stringContaining(notice) })
})

test('undo counts as same what is as before, and not what it keeps', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl(`apply ${file('three.csv', head + row('Jazz') + row('Opera') + row('Rock'))} --yes --jobs 1`)
  await calctl('events delete 2 --yes')
  await calctl('events update 3 --title Pop')
  expect((await calctl('undo q3u --dry-run')).out).toBe(`- "Jazz", Sat 5 Dec 19:00 (1)
kept event "Rock" (row 4): title changed after the run
1 to move to the trash, 1 unchanged
`)
})

test.each([false, true])('undo keeps what somebody else uses by now, with a note (quirks: %s)', async quirks => {
  const { calctl, file } = calendarWithFiles({ quirks })
  const linked = 'title,start_date,end_date,venue,organizer,tags,categories\n'
  const of = (title: string) => `${title},2026-12-05 19:00,2026-12-05 21:00,Sala,Colla,Swing,Música\n`
  await calctl(`apply ${file('one.csv', linked + of('Jazz'))} --create-missing --yes`)
  const [run] = (await calctl('runs list --fields run -o tsv')).out.split('\n').slice(1)
  await calctl(`apply ${file('two.csv', linked + of('Opera'))} --yes`)
  const dryRun = (await calctl(`undo ${run} --dry-run`)).out
  expect(dryRun.match(/^[+~-] .*/gm)).toEqual([expect.stringMatching(/^- "Jazz", Sat 5 Dec 19:00, Sala/)])
  expect(dryRun).toContain('\n1 to move to the trash')
  const { status, err } = await calctl(`undo ${run} --yes`)
  expect(status).toBe(0)
  expect(err.match(/(?<=^kept )\S+(?= \S+: still used by event \d+$)/gm)).toEqual([
    'category',
    'tag',
    'organizer',
    'venue',
  ])
  const shown = await calctl(
    'events list --fields title,venue.venue,organizer.organizer,tags.name,categories.name -o csv',
  )
  expect(shown.out.split('\n')[1]).toBe('Opera,Sala,Colla,Swing,Música')
})

test.each([false, true])('undo removes a new category with the ones below it (quirks: %s)', async quirks => {
  const { calctl, file } = calendarWithFiles({ quirks })
  const rows = [
    { resource: 'categories', name: 'Música' },
    { resource: 'categories', name: 'Jazz', parent: 'Música' },
  ]
  await calctl(`apply ${file('categories.json', JSON.stringify(rows))} --yes`)
  expect((await calctl('categories list --no-hide-empty -o count')).out).toBe('2\n')
  const { err } = await calctl('undo --yes')
  expect(err).not.toContain('kept')
  expect((await calctl('categories list --no-hide-empty -o count')).out).toBe('0\n')
})

test('the plan of undoing an undo names the records that come back with others', async () => {
  const { calctl, file } = calendarWithFiles()
  const season = file('one.csv', `categories,venue,${head}Música,Sala,${row('Jazz')}`)
  await calctl(`apply ${season} --create-missing --yes`)
  await calctl('undo --yes')
  const { out } = await calctl('redo --dry-run')
  expect(out).toMatch(/\n\^ "Jazz", Sat 5 Dec 19:00 \(2\): .*categories \(none\) → new "Música"/)
  expect(out).toMatch(/\n\^ "Jazz", Sat 5 Dec 19:00 \(2\): .*venue \(none\) → "Sala"/)
})
