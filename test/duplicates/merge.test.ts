import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { dates, productionSite } from '../support/production-site.ts'

type Calctl = ReturnType<typeof calendar>

const json = async (calctl: Calctl, line: string) => JSON.parse((await calctl(`${line} --json`)).out)

/** Two venues that are one, and events of all kinds at the second. */
async function venuesAndEvents(calctl: Calctl) {
  await calctl('venues create --venue "Teatre Principal" --city Girona')
  await calctl('venues create --venue "T. Principal" --phone "972 000 111" --city Salt')
  const event = (title: string, more: string) =>
    calctl(`events create --title ${title} --start-date "2027-01-02 19:00" --end-date "2027-01-02 21:00" ${more}`)
  await event('Jazz', '--venue 2')
  await event('Draft', '--venue 2 --status draft')
  await event('Other', '--venue 1')
  await calctl('events create --title Past --start-date "2020-01-02 19:00" --end-date "2020-01-02 21:00" --venue 2')
}

const venueIds = async (calctl: Calctl) => {
  const events = await json(calctl, 'events list --all-dates --all')
  return Object.fromEntries(
    events.map(({ title, venue }: { title: string; venue: { id: number } }) => [title, venue.id]),
  )
}

for (const quirks of [false, true]) {
  const site = quirks ? 'a site' : 'a calendar file'

  test(`a venue gets what it lacks, and the events of its duplicate, whatever their status and date, at ${site}`, async () => {
    const calctl = calendar({ quirks })
    await venuesAndEvents(calctl)
    const { status, err } = await calctl('venues merge 1 2 --yes')
    expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('5 done. Undo: calctl undo') })
    expect(err).toContain('venue "Teatre Principal" (1) keeps its own city, not that of 2')
    expect(await venueIds(calctl)).toEqual({ Jazz: 1, Draft: 1, Past: 1, Other: 1 })
    const [venue, ...others] = await json(calctl, 'venues list')
    expect(venue).toMatchObject({ id: 1, city: 'Girona', phone: '972 000 111' })
    expect(others).toEqual([])
  })

  test(`an undo of a merge brings everything back at ${site}`, async () => {
    const calctl = calendar({ quirks })
    await venuesAndEvents(calctl)
    const withoutTimes = async (line: string) =>
      (await json(calctl, line)).map((record: Record<string, unknown>) => ({
        ...record,
        modified: '',
        modified_utc: '',
        venue: Object(record.venue).id ?? record.venue,
        // A site shows its own page for a website that was never set, until the first update.
        website: '',
      }))
    const before = [await withoutTimes('events list --all-dates --all'), await withoutTimes('venues list')]
    await calctl('venues merge 1 2 --yes')
    expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
    expect([await withoutTimes('events list --all-dates --all'), await withoutTimes('venues list')]).toEqual(before)
  })
}

test('an event of both organizers has the one that stays once, in its place', async () => {
  const calctl = calendar()
  for (const name of ['Ajuntament', 'Ateneu', 'Ajuntment']) await calctl(`organizers create --organizer ${name}`)
  await calctl(
    'events create --title Jazz --start-date "2027-01-02 19:00" --end-date "2027-01-02 21:00" --organizer 3,2,1',
  )
  expect(await calctl('organizers merge 1 3 --yes')).toMatchObject({ status: 0 })
  const [{ organizer }] = await json(calctl, 'events list --all-dates')
  expect(organizer.map(({ id }: { id: number }) => id)).toEqual([1, 2])
})

test('a tag that was merged comes back with its events, although the one that stayed has nearly its name', async () => {
  const calctl = calendar()
  await calctl('tags create --name Música')
  await calctl('tags create --name Musica --description Concerts')
  const event = (title: string, tags: string) =>
    calctl(
      `events create --title ${title} --start-date "2027-01-02 19:00" --end-date "2027-01-02 21:00" --tags ${tags}`,
    )
  await event('One', '2')
  await event('Both', '1,2')
  expect(await calctl('tags merge 1 2 --yes')).toMatchObject({ status: 0 })
  const tagsOf = async () =>
    Object.fromEntries(
      (await json(calctl, 'events list --all-dates')).map(
        ({ title, tags }: { title: string; tags: { name: string }[] }) => [title, tags.map(({ name }) => name)],
      ),
    )
  expect(await tagsOf()).toEqual({ One: ['Música'], Both: ['Música'] })
  expect(await json(calctl, 'tags get 1')).toMatchObject({ description: 'Concerts' })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await tagsOf()).toEqual({ One: ['Musica'], Both: ['Música', 'Musica'] })
  expect(await json(calctl, 'tags get 1')).toMatchObject({ description: '' })
})

test('categories below a duplicate move below the one that stays, and none below itself', async () => {
  const calctl = calendar()
  await calctl('categories create --name Cultura')
  await calctl('categories create --name Cultures')
  await calctl('categories create --name Música --parent 2')
  await calctl('categories create --name Art --parent 2')
  await calctl('categories create --name Jazz --parent 3')
  const parents = async () =>
    Object.fromEntries(
      (await json(calctl, 'categories list --no-hide-empty')).map(({ id, parent }: { id: number; parent: number }) => [
        id,
        parent,
      ]),
    )
  expect(await calctl('categories merge 1 2 --yes')).toMatchObject({ status: 0 })
  expect(await parents()).toEqual({ 1: 0, 3: 1, 4: 1, 5: 3 })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await parents()).toEqual({ 1: 0, 6: 0, 3: 6, 4: 6, 5: 3 })
  // The survivor stands two steps below what goes.
  expect(await calctl('categories merge 5 6 --yes')).toMatchObject({ status: 0 })
  expect(await parents()).toEqual({ 1: 0, 3: 0, 4: 5, 5: 3 })
})

test('a dry run shows the whole plan and changes nothing', async () => {
  const calctl = calendar()
  await venuesAndEvents(calctl)
  const { status, out } = await calctl('venues merge 1 2 --dry-run')
  expect({ status, out }).toMatchInlineSnapshot(`
    {
      "out": "~ venue "Teatre Principal" (1): phone (none) → "972 000 111"
    ~ "Past", Thu 2 Jan 2020 19:00, T. Principal (6): venue "T. Principal" → "Teatre Principal"
    ~ "Jazz", Sat 2 Jan 2027 19:00, T. Principal (3): venue "T. Principal" → "Teatre Principal"
    ~ "Draft", Sat 2 Jan 2027 19:00, T. Principal (4): venue "T. Principal" → "Teatre Principal"
    - venue "T. Principal" (2): merged into venue 1
    venue "Teatre Principal" (1) keeps its own city, not that of 2
    Teatre Principal is taken Sat 2 Jan 2027 19:00–21:00 by "Other" (5)
    Teatre Principal is taken Sat 2 Jan 2027 19:00–21:00 by "Draft" (4)
    4 to update, 1 to move to the trash
    ",
      "status": 0,
    }
  `)
  expect(await venueIds(calctl)).toEqual({ Jazz: 2, Draft: 2, Past: 2, Other: 1 })
})

test('translations that are two as well are named with what merges them, and --all-languages does it', async () => {
  const calctl = calendar()
  for (const lang of ['ca', 'en', 'es'])
    for (const venue of ['Casino', 'El Casino']) await calctl(`venues create --lang ${lang} --venue "${venue}"`)
  const { err } = await calctl('venues merge 1 2 --dry-run')
  expect(err + (await calctl('venues merge 1 2 --dry-run')).out).toContain(
    'the translations in en are not merged: calctl venues merge 3 4 --lang en (or add --all-languages)',
  )
  expect(await calctl('venues merge 1 2 --all-languages --yes')).toMatchObject({ status: 0 })
  for (const [lang, id] of [
    ['ca', 1],
    ['en', 3],
    ['es', 5],
  ])
    expect((await calctl(`venues list --lang ${lang} -o ids`)).out).toBe(`${id}\n`)
})

test('an event that is linked to a duplicate after the plan was made keeps the duplicate', async () => {
  const seen: string[] = []
  const calctl = calendar({ seen })
  await venuesAndEvents(calctl)
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const plan = join(folder, 'plan.json')
  writeFileSync(plan, (await calctl('venues merge 1 2 --dry-run --json')).out)
  await calctl('events create --title Late --start-date "2027-01-02 19:00" --end-date "2027-01-02 21:00" --venue 2')
  // Somebody else moves an event elsewhere meanwhile: that is not taken back.
  await calctl('venues create --venue Ateneu')
  await calctl('events update jazz --venue 8')
  const { status, err } = await calctl(`apply ${plan} --yes`)
  expect({ status, err }).toMatchObject({
    status: 7,
    err: expect.stringContaining('kept venue 2: event 7 still uses it'),
  })
  expect(await venueIds(calctl)).toMatchObject({ Late: 2, Jazz: 8, Draft: 1, Past: 1, Other: 1 })
  expect(await calctl('venues merge 1 2 --yes')).toMatchObject({ status: 0 })
  expect(await venueIds(calctl)).toMatchObject({ Late: 1, Jazz: 8 })
})

test('without a terminal a merge needs --yes', async () => {
  const calctl = calendar()
  await venuesAndEvents(calctl)
  expect(await calctl('venues merge 1 2')).toMatchObject({ status: 8 })
})

test.each([
  ['venues merge 1', 2, "missing required argument 'other'"],
  ['venues merge 1 1', 2, 'cannot merge venue 1 with itself'],
  ['venues merge 1 teatre-principal', 2, 'cannot merge venue 1 with itself'],
  ['venues merge 1 2 2', 2, 'venue 2 is given twice'],
  ['venues merge 1 99', 4, 'no venue 99'],
  ['venues merge 1 3', 2, '3 is an event, and only venues can be merged here'],
  ['venues merge 1 7', 2, 'venue 7 is in en, and 1 in ca'],
  ['venues merge 8 1', 4, 'venue 8 is in the trash'],
  ['venues merge 1 8', 4, 'venue 8 is in the trash'],
])('%s is refused', async (line, status, message) => {
  const calctl = calendar()
  await venuesAndEvents(calctl)
  await calctl('venues create --venue "Main Theatre" --lang en')
  await calctl('venues create --venue Old')
  await calctl('venues delete 8 --yes')
  const answer = await calctl(`${line} --yes`)
  expect(answer).toMatchObject({ status, err: expect.stringContaining(message) })
  expect(answer.err).toContain('hint: ')
})

test('a duplicate below another duplicate is removed with it, and both come back', async () => {
  const { calctl, json } = await productionSite()
  for (const options of ['Music', 'Concerts', 'Jazz --parent 2'])
    await json(`categories create --name ${options} --json`)
  await json(`events create --title Gala --categories 3 ${dates} --json`)
  const tree = async () =>
    (await json('categories list --no-hide-empty --json')).map(({ name }: { name: string }) => name)
  expect(await calctl('categories merge 1 2 3 --yes')).toMatchObject({ status: 0 })
  expect(await tree()).toEqual(['Music'])
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await tree()).toEqual(['Concerts', 'Jazz', 'Music'])
  const [event] = await json('events list --all-dates --json')
  expect(event.categories).toEqual([expect.objectContaining({ name: 'Jazz' })])
  const [, jazz] = await json('categories list --no-hide-empty --json')
  expect(await json(`categories get ${jazz.parent} --json`)).toMatchObject({ name: 'Concerts' })
})
