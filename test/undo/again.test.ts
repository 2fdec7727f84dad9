import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendarWithFiles, row } from '../support/calendar-with-files.ts'
import { dates, productionSite } from '../support/production-site.ts'

test('a tag that is deleted and taken back is on its hidden events again', async () => {
  const { calctl, json } = await productionSite()
  await calctl(`events create --title Open ${dates} --tags Swing --create-missing -q`)
  await calctl(`events create --title Hidden ${dates} --tags Swing --hide-from-listings -q`)
  const [{ id }] = await json('tags list --json')
  expect(await calctl(`tags delete ${id} --yes -q`)).toMatchObject({ status: 0 })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  for (const slug of ['open', 'hidden'])
    expect((await json(`events get ${slug} --json`)).tags, slug).toEqual([expect.objectContaining({ name: 'Swing' })])
})

test('a tag that an undo has brought back already is on its events once after the same undo', async () => {
  const { calctl, json } = await productionSite()
  await calctl(`events create --title Open ${dates} --tags Swing,Jazz --create-missing -q`)
  const swing = (await json('tags list --json')).find(({ name }: { name: string }) => name === 'Swing')
  await calctl(`tags delete ${swing.id} --yes -q`)
  const [{ run }] = await json('runs list --json')
  for (const _ of ['once', 'again'])
    expect(await calctl(`undo ${run} --yes`)).toMatchObject({
      status: 0,
      err: expect.not.stringContaining('should be'),
    })
  const { tags } = await json('events get open --json')
  expect(tags.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Jazz', 'Swing'])
})

test('a redo deletes a venue again that an event has, and an undo keeps one that has come into use since', async () => {
  const { calctl, json } = await productionSite()
  const venues = async () => (await calctl('venues list --fields venue -o csv')).out.split('\n').slice(1, -1)
  await json('venues create --venue Hall --json')
  await json(`events create --title Gala --venue 1 ${dates} --json`)
  await json('venues delete 1 --json --yes')
  await json('venues create --venue Barn --json')
  for (const command of ['undo --last 2', 'redo --last 2'])
    expect(await calctl(`${command} --yes`)).toMatchObject({ status: 0, err: expect.not.stringContaining('kept') })
  expect(await venues()).toEqual(['Barn'])
  const [{ id }] = await json('venues list --json')
  await json(`events update 2 --venue ${id} --json`)
  const created = (await json('runs list --json')).find(
    ({ command }: { command: string }) => command === 'venues create',
  )
  const { status, err } = await calctl(`undo ${created.run} --yes`)
  expect([status, err]).toEqual([4, expect.stringContaining(`kept venue ${id}: still used by event 2`)])
  expect(await venues()).toEqual(['Barn'])
})

test('several drafts without a slug come back from the trash without one', async () => {
  const { calctl, json } = await productionSite()
  for (const title of ['One', 'Two', 'Three']) await calctl(`events create --title ${title} ${dates} --status draft -q`)
  const slugs = async () =>
    (await json('events list --all-dates --status draft --json')).map(({ slug }: { slug: string }) => slug)
  expect(await slugs()).toEqual(['', '', ''])
  expect(await calctl('events delete 1 2 3 --yes -q')).toMatchObject({ status: 0 })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await slugs()).toEqual(['', '', ''])
})

test('a hidden event with flags that wp/v2 does not show goes back to the trash by a redo', async () => {
  const { calctl, json } = await productionSite()
  await calctl(`events create --title Ball ${dates} --hide-from-listings --sticky --featured -q`)
  const before = await json('events get ball --json')
  expect(await calctl('events delete 1 --yes -q')).toMatchObject({ status: 0 })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await json('events get ball --json')).toMatchObject({ sticky: before.sticky, featured: before.featured })
  expect(await calctl('redo --yes')).toMatchObject({ status: 0, err: expect.not.stringContaining('kept') })
  expect((await calctl('events get 1')).status).toBe(4)
})

test.each(['draft', 'pending'])('the first slug of an event that is %s is taken back', async status => {
  const { calctl, json } = await productionSite()
  await calctl(`events create --title Ball ${dates} --status ${status} -q`)
  expect(await calctl('events update 1 --slug winter-ball -q')).toMatchObject({ status: 0 })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0, err: expect.stringContaining('1 done') })
  expect((await json('events get 1 --json')).slug).toBe('')
  expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
  expect((await json('events get 1 --json')).slug).toBe('winter-ball')
})

test.each([true, false])(
  'an event that was trashed and restored as a draft has its date of publication after the undo of both (wp/v2: %s)',
  async wordpress => {
    let minute = 0
    const { calctl, json } = await productionSite({
      wordpress,
      now: () => new Date(Date.UTC(2026, 10, 21, 9, minute++)),
    })
    await calctl(`events create --title Ball ${dates} -q`)
    const before = await json('events get ball --json')
    await calctl('events delete 1 --yes -q')
    await calctl('events restore 1 -q')
    expect(await calctl('undo --last 2 --yes')).toMatchObject({ status: 0 })
    const { status, date, date_utc } = await json('events get ball --json')
    expect({ status, date, date_utc }).toEqual({ status: 'publish', date: before.date, date_utc: before.date_utc })
  },
)

test('a redo writes a text as it was written first, where the site shows only how it looks', async () => {
  let isClosed = true
  const { calctl } = await productionSite({
    intercept: async ({ path }) =>
      isClosed && path.startsWith('/wp/v2')
        ? { status: 404, headers: {}, body: '{"code":"rest_no_route"}' }
        : undefined,
  })
  await calctl(`events create --title Ball --description One ${dates} -q`)
  const text = '[gallery ids="7"]\n\nTwo & more'
  expect(await calctl(['events', 'update', '1', '--description', text, '-q'])).toMatchObject({ status: 0 })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
  isClosed = false
  const { out } = await calctl('api GET /wp/v2/tribe_events/1 -f context=edit')
  expect(JSON.parse(out).content.raw).toBe(text)
})

/** Leaves of a journal what stands before a text, as if calctl had been killed then. */
function cutBefore(journal: string, text: string): void {
  const [rest = ''] = readFileSync(journal, 'utf8').split(text)
  const count = String(rest.trim().split('\n').length).padStart(10)
  writeFileSync(journal, rest.replace(/^\{"lines":[ \d]{10}/, `{"lines":${count}`))
}

const latestJournal = (runs: string): string => join(runs, readdirSync(runs).toSorted().at(-1) ?? '')

test('a run that was killed while its plan was written is resumed by nothing, and nothing is left to undo of it', async () => {
  const { calctl, path, file } = calendarWithFiles({ quirks: true })
  const sheet = `title,start_date,end_date\n${row('One')}${row('Two')}${row('Three')}`
  await calctl(`apply ${file('town.csv', sheet)} --yes`)
  const journal = latestJournal(path('state/calctl/runs'))
  cutBefore(journal, '{"step"')
  expect(await calctl('runs resume')).toMatchObject({
    status: 3,
    err: expect.stringContaining('nothing was sent before this run stopped'),
  })
  const [name] = (await calctl('runs list -o ids')).out.split('\n')
  expect(await calctl(`undo ${name} --yes`)).toMatchObject({
    status: 4,
    err: expect.stringContaining(`nothing left to undo of run ${name}`),
  })
  await calctl('events update 1 --cost 5 -q')
  expect(await calctl('runs resume')).toMatchObject({
    status: 0,
    err: expect.stringMatching(/^nothing left to do: run \w{3} is complete/),
  })
})

/** A calendar whose tag, on three events, is deleted, and a way to forget what the latest run did after some lines of results. */
async function deletedTag() {
  const site = calendarWithFiles({ quirks: true })
  const sheet = `title,start_date,end_date,tags\n${['Jazz', 'Opera', 'Rock'].map(title => row(title).trim()).join(',Swing\n')},Swing\n`
  await site.calctl(`apply ${site.file('town.csv', sheet)} --create-missing --yes`)
  const state = async () =>
    (await site.calctl('events list --all-dates --fields title,tags.name -o csv')).out +
    (await site.calctl('tags list --fields name -o csv')).out
  const before = await state()
  await site.calctl('tags delete 1 --yes')
  const after = await state()
  const runs = site.path('state/calctl/runs')
  const cutOff = (results: number) => {
    const file = `${runs}/${readdirSync(runs).toSorted().at(-1)}`
    const lines = readFileSync(file, 'utf8').split('\n')
    const done = lines.flatMap((line, index) => (line.startsWith('{"done"') ? [index] : []))
    writeFileSync(file, `${lines.slice(0, (done[results - 1] ?? 0) + 1).join('\n')}\n`)
  }
  const names = async () => (await site.calctl('runs list -o ids')).out.trim().split('\n')
  return { ...site, state, before, after, cutOff, names }
}

test('an undo that was interrupted is finished before the run is undone once more', async () => {
  const { calctl, state, before, cutOff, names } = await deletedTag()
  const [run] = await names()
  await calctl('undo --yes --jobs 1')
  cutOff(2)
  const [undo] = await names()
  for (const command of [`undo ${run}`, 'undo'])
    expect(await calctl(`${command} --yes`), command).toMatchObject({
      status: 7,
      err: expect.stringContaining(
        `error: the undo of run ${run} is not finished\nhint: finish it with: calctl runs resume ${undo}`,
      ),
    })
  expect(await calctl('runs resume')).toMatchObject({ status: 0 })
  expect(await state()).toBe(before)
})

test('a redo that was interrupted is finished before the run is redone once more', async () => {
  const { calctl, state, after, cutOff, names } = await deletedTag()
  const [run] = await names()
  await calctl('undo --yes')
  await calctl('redo --yes --jobs 1')
  cutOff(2)
  const [redo] = await names()
  for (const command of [`redo ${run}`, 'redo'])
    expect(await calctl(`${command} --yes`), command).toMatchObject({
      status: 7,
      err: expect.stringContaining(
        `error: the redo of run ${run} is not finished\nhint: finish it with: calctl runs resume ${redo}`,
      ),
    })
  expect(await calctl('runs resume')).toMatchObject({ status: 0 })
  expect(await state()).toBe(after)
})

test('an undo and a redo that were interrupted can be taken back', async () => {
  const { calctl, state, before, after, cutOff } = await deletedTag()
  await calctl('undo --yes --jobs 1')
  cutOff(2)
  expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
  expect(await state()).toBe(after)
  cutOff(1)
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await state()).toBe(before)
})

test('an undo in two parts, as the first one failed half-way, is redone as a whole', async () => {
  let refused = ''
  const { calctl, json } = await productionSite({
    intercept: async ({ method, path }) =>
      method !== 'GET' && path.endsWith(refused || 'nothing')
        ? { status: 403, headers: { 'content-type': 'application/json' }, body: '{"code":"no","message":"No"}' }
        : undefined,
  })
  for (const title of ['One', 'Two']) await calctl(`events create --title ${title} ${dates} -q`)
  const costs = async () => (await json('events list --all-dates --json')).map(({ cost }: { cost: string }) => cost)
  await calctl('events update 1 2 --cost 5 -q')
  const [run] = (await calctl('runs list -o ids')).out.split('\n')
  refused = '/2'
  expect(await calctl(`undo ${run} --yes`)).toMatchObject({ status: 6 })
  expect(await costs()).toEqual(['', '$5'])
  refused = ''
  expect(await calctl(`undo ${run} --yes`)).toMatchObject({ status: 0 })
  expect(await costs()).toEqual(['', ''])
  // What the first undo left was done by the second one.
  expect(await calctl('runs resume --yes')).toMatchObject({
    status: 0,
    err: expect.stringMatching(/^nothing left to do/),
  })
  expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
  expect(await costs()).toEqual(['$5', '$5'])
  expect(await calctl(`undo ${run} --yes`)).toMatchObject({ status: 0 })
  expect(await costs()).toEqual(['', ''])
})

test('an undo that ended before it wrote anything is not resumed once the run was undone and redone', async () => {
  let isRefused = false
  const { calctl, json, folder } = await productionSite({
    intercept: async ({ method }) =>
      method !== 'GET' && isRefused
        ? { status: 403, headers: { 'content-type': 'application/json' }, body: '{"code":"no","message":"No"}' }
        : undefined,
  })
  await calctl(`events create --title Ball ${dates} -q`)
  await calctl('events delete 1 --yes -q')
  isRefused = true
  expect((await calctl('undo --yes')).status).not.toBe(0)
  isRefused = false
  // As if it had been killed before it sent anything.
  cutBefore(latestJournal(join(folder, 'state/calctl/runs')), '{"sent"')
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
  expect(await calctl('runs resume --yes')).toMatchObject({ err: expect.stringMatching(/^nothing left to do/) })
  expect((await json('events list --all-dates --status publish,draft,trash --json'))[0].status).toBe('trash')
})

test.each(['', '--via events'])(
  'an undo in two parts that deleted a tag last brings it back on its events (%s)',
  async via => {
    let isBroken = false
    const { calctl, file } = await productionSite({
      // The events that have the tag cannot be asked for, so that it is not deleted.
      intercept: async ({ path, query = '' }) =>
        isBroken && path === '/wp/v2/tribe_events' && /(^|&)tags=/.test(query)
          ? { status: 500, headers: { 'content-type': 'application/json' }, body: '{}' }
          : undefined,
    })
    const sheet = `title,start_date,end_date,tags\n${['Jazz', 'Opera'].map(title => row(title).trim()).join(',Swing\n')},Swing\n`
    await calctl(`apply ${file('town.csv', sheet)} --create-missing --yes`)
    const [run] = (await calctl('runs list -o ids')).out.split('\n')
    isBroken = true
    expect(await calctl(`undo ${run} --yes --retries 0`)).toMatchObject({ status: 6 })
    isBroken = false
    expect(await calctl(`undo ${run} ${via} --yes`)).toMatchObject({ status: 0 })
    for (const command of ['redo', 'undo', 'redo'])
      expect(await calctl(`${command} --yes`), command).toMatchObject({ status: 0 })
    const { out } = await calctl('events list --all-dates --fields title,tags.name -o csv')
    expect(out).toBe('title,tags.name\nJazz,Swing\nOpera,Swing\n')
  },
)

test('an event that was trashed before its tags were deleted comes back with those that came back', async () => {
  const { calctl } = await productionSite()
  await calctl(`events create --title Open ${dates} --tags Swing,Jazz,Blues --create-missing -q`)
  const ids = (await calctl('tags list --fields name,id -o csv')).out
  const idOf = (name: string) => new RegExp(`${name},(\\d+)`).exec(ids)?.[1]
  await calctl('events delete open --yes -q')
  const [trash] = (await calctl('runs list -o ids')).out.split('\n')
  for (const name of ['Swing', 'Blues']) await calctl(`tags delete ${idOf(name)} --yes -q`)
  const [, swing] = (await calctl('runs list -o ids')).out.split('\n')
  for (const run of [swing, trash]) expect(await calctl(`undo ${run} --yes`)).toMatchObject({ status: 0 })
  const { out } = await calctl('events list --all-dates --fields title,tags.name -o csv')
  expect(out).toMatch(/^title,tags.name\nOpen,"?(Jazz, ?Swing|Swing, ?Jazz)"?\n$/)
})

test('a redo that failed in part says how to finish it when it is typed again', async () => {
  let refused = 'nothing'
  const { calctl, json } = await productionSite({
    intercept: async ({ method, path }) =>
      method !== 'GET' && path.endsWith(refused)
        ? { status: 403, headers: { 'content-type': 'application/json' }, body: '{"code":"no","message":"No"}' }
        : undefined,
  })
  for (const title of ['One', 'Two']) await calctl(`events create --title ${title} ${dates} -q`)
  await calctl('events update 1 2 --cost 5 -q')
  const [run] = (await calctl('runs list -o ids')).out.split('\n')
  await calctl(`undo ${run} --yes`)
  refused = '/2'
  expect(await calctl(`redo ${run} --yes`)).toMatchObject({ status: 6 })
  refused = 'nothing'
  const { status, err } = await calctl(`redo ${run} --yes`)
  expect([status, err]).toEqual([
    7,
    expect.stringMatching(
      /^error: the redo of run \w+ is not finished\nhint: finish it with: calctl runs resume \w+\n$/,
    ),
  ])
  expect(await calctl('runs resume --yes')).toMatchObject({ status: 0 })
  expect((await json('events list --all-dates --json')).map(({ cost }: { cost: string }) => cost)).toEqual(['$5', '$5'])
})

test('a redo of several runs goes on with the others where one is in effect already', async () => {
  const { calctl, json } = await productionSite()
  await calctl(`events create --title One ${dates} -q`)
  for (const options of ['--cost 5', '--sticky']) await calctl(`events update 1 ${options} -q`)
  const [later, earlier] = (await calctl('runs list -o ids')).out.split('\n')
  await calctl(`undo ${earlier} ${later} --yes`)
  await calctl(`redo ${earlier} --yes`)
  const { status, err } = await calctl(`redo ${earlier} ${later} --yes`)
  expect([status, err]).toEqual([0, expect.stringContaining(`run ${earlier} has not been undone\n`)])
  expect(await json('events get 1 --json')).toMatchObject({ cost: '$5', sticky: true })
  expect(await calctl(`redo ${earlier} ${later} --yes`)).toMatchObject({ status: 4 })
})

test('a journal that says that its run undid itself keeps no command busy for ever', async () => {
  const { calctl, path } = calendarWithFiles({ quirks: true })
  await calctl('tags create --name Swing -q')
  const runs = path('state/calctl/runs')
  const [file = ''] = readdirSync(runs)
  const run = file.slice(-'abc.ndjson'.length, -'.ndjson'.length)
  // As an earlier version wrote it, without checksums.
  const text = readFileSync(`${runs}/${file}`, 'utf8').replace(/^\{"lines": *\d+,/, `{"undoes":"${run}",`)
  writeFileSync(`${runs}/${file}`, text.replace(/,"crc":"\w+"\}$/gm, '}'))
  for (const command of ['history', 'undo --yes', `redo ${run} --yes`, `undo ${run} --yes`, 'runs resume'])
    expect((await calctl(command)).status, command).toBeLessThan(8)
})

test.each([
  ['existing', '"x"'],
  ['existing', '[null]'],
  ['match', '"name"'],
  ['values', 'null'],
  ['before', '"x"'],
  ['resource', '"__proto__"'],
  ['action', '"constructor"'],
  ['id', '"../x"'],
  ['id', '7'],
  ['action', '"update"'],
])('a step of a journal whose %s is %s is damage', async (name, value) => {
  const { calctl, path } = calendarWithFiles({ quirks: true })
  await calctl('tags create --name Swing -q')
  const runs = path('state/calctl/runs')
  const file = `${runs}/${readdirSync(runs)[0]}`
  // As an earlier version wrote it, without checksums, and without its end.
  const [header = '', step = '', session = '', sent = ''] = readFileSync(file, 'utf8')
    .replace(/^\{"lines": *\d+,/, '{')
    .replace(/,"crc":"\w+"\}$/gm, '}')
    .split('\n')
  const odd = step.replace(/\}\}$/, `,"${name}":${value}}}`)
  writeFileSync(file, `${[header, odd, session, sent].join('\n')}\n`)
  for (const command of ['history', 'runs show', 'runs resume', 'undo --yes'])
    expect([0, 3, 4, 7], command).toContain((await calctl(command)).status)
})
