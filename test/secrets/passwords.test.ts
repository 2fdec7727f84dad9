import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { sealedJournal, unsealedLines } from '../support/sealed-journal.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

type Site = Awaited<ReturnType<typeof wordpressSite>>

const values = { start_date: '2027-03-04 18:30:00', end_date: '2027-03-04 20:00:00', cost: '12,50' }

/** Two events, one of them behind a password. */
async function addEvents({ ask }: Site): Promise<number[]> {
  const { id } = await ask('POST /events', { ...values, title: 'Behind', description: 'Secret text' })
  const { id: other } = await ask('POST /events', { ...values, title: 'Open' })
  await ask(`POST /wp/v2/tribe_events/${id}`, { password: 'sesame', meta: { _EventCost: '12,50' } })
  return [id, other]
}

/** What everybody sees of the events of a site, without credentials. */
async function publicTexts(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/tribe/events/v1/events?starts_after=2000-01-01`)
  return response.text()
}

const stored = async ({ ask }: Site) =>
  (await ask('GET /wp/v2/tribe_events?context=edit&status=any&orderby=slug&order=asc')).map(
    ({ slug, status, password, meta }: { [key: string]: unknown; meta: { _EventCost: string } }) => [
      slug,
      status,
      password,
      meta._EventCost,
    ],
  )

/** All files below a folder, as one text. */
function textBelow(folder: string): string {
  if (!existsSync(folder)) return ''
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
    .map(path => readFileSync(path, 'utf8'))
    .join('\n')
}

for (const format of ['ndjson', 'csv', 'yaml'])
  test(`an export as ${format} has the passwords of events, and another site gets protected events from it`, async () => {
    const [from, to] = [await wordpressSite(), await wordpressSite()]
    await addEvents(from)
    const exported = await from.calctl(`export events --format ${format}`)
    expect(exported.out).toContain('sesame')
    expect(exported.err).toBe('exported 1 event with its password: keep the file to yourself\n')
    const file = to.file(`events.${format}`, exported.out)
    const applied = await to.calctl(`apply ${file} --yes`)
    expect([applied.status, applied.out + applied.err]).toEqual([0, expect.not.stringContaining('sesame')])
    // A new price is written with a point.
    const written = JSON.stringify(await stored(from)).replaceAll('12,50', '12.50')
    expect(await stored(to)).toEqual(JSON.parse(written))
    expect(await publicTexts(to.baseUrl)).not.toContain('Secret text')
    expect((await to.calctl(`apply ${file} --yes`)).err).toContain('2 unchanged')
    expect(textBelow(to.folder.concat('/state')) + textBelow(`${to.folder}/cache`)).not.toContain('sesame')
  })

test('a deleted protected event that an export brings back is protected', async () => {
  const site = await wordpressSite()
  const [id] = await addEvents(site)
  const { out } = await site.calctl('export events')
  await site.calctl(`events delete ${id} --yes`)
  const applied = await site.calctl(`apply ${site.file('events.ndjson', out)} --yes`)
  expect([applied.status, await publicTexts(site.baseUrl)]).toEqual([0, expect.not.stringContaining('Secret text')])
  expect((await stored(site)).map(([, , password]: unknown[]) => password)).toContain('sesame')
})

test('a site without wp/v2 gets the other events, and the protected one is refused by name', async () => {
  const from = await wordpressSite()
  await addEvents(from)
  const { out } = await from.calctl('export events')
  const to = await productionSite({ wordpress: false })
  const { status, err } = await to.calctl(`apply ${to.file('events.ndjson', out)} --yes`)
  expect([status, err]).toEqual([6, expect.stringContaining('event "Behind" has a password, which cannot be set')])
  expect((await to.json('events list --all-dates --json')).map(({ title }: { title: string }) => title)).toEqual([
    'Open',
  ])
})

test('a calendar that takes no passwords gets the other events, and nobody is told to try again with the rest', async () => {
  const from = await wordpressSite()
  await addEvents(from)
  const { calctl, file } = calendarWithFiles()
  const { status, err } = await calctl(`apply ${file('events.ndjson', (await from.calctl('export events')).out)} --yes`)
  expect([status, err]).toEqual([6, expect.stringContaining('event "Behind" has a password, which cannot be set')])
  expect(err).toMatch(/\nerror: 1 done, 1 failed\nhint: undo with: calctl undo \S+\n$/)
})

test('a password that is not shown is marked in the export, and such a row is refused by name', async () => {
  const from = await wordpressSite({ options: '--no-wp' })
  const to = await wordpressSite()
  for (const title of ['Behind', 'Open'])
    await from.ask('POST /events', { ...values, title, description: 'Secret text' })
  const [behind = '', open] = (await from.calctl('export events')).out.split('\n')
  const marked = `${JSON.stringify({ ...JSON.parse(behind), post_password: '***' })}\n${open}\n`
  const { status, err } = await to.calctl(`apply ${to.file('events.ndjson', marked)} --yes`)
  expect([status, err]).toEqual([6, expect.stringContaining('event "Behind" needs its password')])
  expect((await stored(to)).map(([slug]: unknown[]) => slug)).toEqual(['open'])
})

test('where the site does not show passwords, an export marks the events that have one', async () => {
  const { baseUrl, calctl, json } = await siteWithoutPasswords()
  const { id } = await json(`events create --title Behind ${dates} --json`)
  await json(`events create --title Open ${dates} --json`)
  await protect(baseUrl, id)
  const { out, err } = await calctl('export events')
  const rows = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(rows.map(({ title, post_password }) => [title, post_password])).toEqual([
    ['Behind', '***'],
    ['Open', undefined],
  ])
  expect(err).toContain('exported 1 event with "***" in place of a password that')
})

/** A site whose `wp/v2` an editor may not read through, as a security plugin does it. */
const siteWithoutPasswords = () =>
  productionSite({
    intercept: async ({ path, method }: Request): Promise<Response | undefined> =>
      path.startsWith('/wp/v2') && method === 'GET'
        ? { status: 404, headers: { 'content-type': 'application/json' }, body: '{"code":"rest_no_route"}' }
        : undefined,
  })

const protect = (baseUrl: string, id: number) =>
  fetch(`${baseUrl}/wp/v2/tribe_events/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: 'sesame' }),
  })

test('an event whose password could not be set is private, and the run says so', async () => {
  const site = await productionSite({
    intercept: async ({ path, method }) =>
      path.startsWith('/wp/v2') && method === 'POST'
        ? { status: 500, headers: { 'content-type': 'application/json' }, body: '{"code":"internal","message":"no"}' }
        : undefined,
  })
  const sheet = `title,start_date,end_date,password\nBehind,2026-12-05 19:00,2026-12-05 21:00,sesame\n`
  const { status, err } = await site.calctl(`apply ${site.file('events.csv', sheet)} --yes`)
  expect([status, err]).toEqual([7, expect.stringContaining('status should be "publish" but is "private"')])
  expect(err).not.toContain('sesame')
})

test('a password is set, changed and taken off with --post-password, and neither printed nor kept in the journal', async () => {
  const site = await wordpressSite()
  const [, id] = await addEvents(site)
  const passwordOf = async () => (await site.ask(`GET /wp/v2/tribe_events/${id}?context=edit`)).password
  const set = await site.calctl(`events update ${id} --post-password tulip --json`)
  expect([set.status, set.out + set.err, await passwordOf()]).toEqual([
    0,
    expect.not.stringContaining('tulip'),
    'tulip',
  ])
  expect(textBelow(`${site.folder}/state`)).not.toContain('tulip')
  const changed = await site.calctl(`events update ${id} --post-password rose`)
  expect([changed.status, await passwordOf()]).toEqual([0, 'rose'])
  const undone = await site.calctl('undo --yes')
  expect(undone.out + undone.err).toContain(`kept post password of event ${id}`)
  const cleared = await site.calctl(`events update ${id} --clear post_password`)
  expect([cleared.status, cleared.err]).toEqual([
    0,
    `Changed "Open" (${id}): post password (none). It cannot be undone, because no journal keeps passwords\n`,
  ])
  expect(await passwordOf()).toBe('')
})

test('a password that was changed with other fields stays in an undo, and the other fields go back', async () => {
  const site = await wordpressSite()
  const [id] = await addEvents(site)
  await site.calctl(`events update ${id} --post-password tulip --title Closed`)
  expect((await site.calctl('undo --yes')).err).toContain(`kept post password of event ${id}`)
  expect(await site.ask(`GET /wp/v2/tribe_events/${id}?context=edit`)).toMatchObject({
    password: 'tulip',
    title: { raw: 'Behind' },
  })
})

test('undoing the first password of an event takes it off, unless somebody changed the event since', async () => {
  const site = await wordpressSite()
  const [, id] = await addEvents(site)
  const password = async () => (await site.ask(`GET /wp/v2/tribe_events/${id}?context=edit`)).password
  for (const others of ['', ' --title Closed']) {
    await site.calctl(`events update ${id} --post-password tulip${others}`)
    const undone = await site.calctl('undo --yes')
    expect([undone.status, undone.err, await password()]).toEqual([0, expect.not.stringContaining('kept'), ''])
  }
  await site.calctl(`events update ${id} --post-password tulip`)
  const save = async (): Promise<string> =>
    (await site.ask(`POST /wp/v2/tribe_events/${id}`, { password: 'of somebody else' })).modified_gmt
  const saved = await save()
  await expect.poll(save).not.toBe(saved)
  for (const given of ['', ' --post-password another']) {
    const kept = await site.calctl(`undo --yes${given}`)
    expect([kept.err, await password()]).toEqual([
      expect.stringContaining(`kept post password of event ${id}: changed after the run`),
      'of somebody else',
    ])
  }
})

test('the history and the steps of a run name the password that was changed', async () => {
  const site = await wordpressSite()
  const [, id] = await addEvents(site)
  await site.calctl(`events update ${id} --post-password tulip`)
  const change = `~ "Open", Thu 4 Mar 2027 18:30 (${id}): post password "***"`
  for (const line of ['history -o ndjson', `events history ${id} -o ndjson`])
    expect(JSON.parse((await site.calctl(line)).out).what).toBe(change)
  expect((await site.calctl('runs show')).out).toBe(`done\t${change}\n`)
  expect((await site.calctl('runs show -o csv --fields field,after')).out).toBe('field,after\npost_password,***\n')
})

test('resuming a run does not forget the protected events that it had created: undo still finds them', async () => {
  let isDown = false
  const site = await productionSite({
    intercept: async ({ path, method }) => {
      if (method !== 'POST' || !path.startsWith('/tribe/events/v1/events')) return undefined
      if (isDown) return { status: 403, headers: { 'content-type': 'application/json' }, body: '{"message":"closed"}' }
      isDown = true
      return undefined
    },
  })
  const sheet = `title,start_date,end_date,post_password
One,2026-12-05 19:00,2026-12-05 21:00,sesame
Two,2026-12-06 19:00,2026-12-06 21:00,sesame
`
  expect((await site.calctl(`apply ${site.file('events.csv', sheet)} --yes --jobs 1`)).status).toBe(6)
  for (const _ of [1, 2]) {
    const resumed = await site.calctl('runs resume')
    expect([resumed.status, resumed.err]).toEqual([6, expect.stringContaining('1 of 2 steps left')])
    expect(resumed.err).not.toContain('"One"')
  }
  const { status, err } = await site.calctl('undo --yes')
  expect([status, err]).toEqual([0, expect.stringContaining('1 to move to the trash')])
})

test('a run whose other steps need passwords is not resumed for ever: the file is applied again', async () => {
  let isClosed = true
  const site = await productionSite({
    intercept: async ({ path, method, body }) =>
      isClosed && method === 'POST' && path.startsWith('/tribe/events/v1/events') && String(body).includes('One')
        ? { status: 403, headers: { 'content-type': 'application/json' }, body: '{"message":"closed"}' }
        : undefined,
  })
  const sheet = `title,start_date,end_date,post_password
One,2026-12-05 19:00,2026-12-05 21:00,sesame
Two,2026-12-06 19:00,2026-12-06 21:00,
`
  const words = `apply ${site.file('events.csv', sheet)} --yes`
  const again = 'run the command again for 1 step that needs a password: journals do not store passwords'
  expect(await site.calctl(words)).toMatchObject({ status: 6, err: expect.stringContaining(`hint: ${again}\n`) })
  const resumed = await site.calctl('runs resume')
  expect([resumed.status, resumed.err]).toEqual([6, expect.stringContaining(`hint: ${again}\n`)])
  expect((await site.json('runs list --json'))[0]).toMatchObject({ state: 'incomplete', done: 1, failed: 1 })
  expect((await site.calctl('runs prune --older-than 0d --yes')).err).not.toContain('not finished')
  isClosed = false
  expect((await site.calctl(words)).status).toBe(0)
})

for (const format of ['json', 'yaml', 'csv', 'ndjson'])
  test(`diff -o ${format} shows no password, and a plan that is saved has it`, async () => {
    const site = await wordpressSite()
    const sheet = 'title,start_date,end_date,post_password\nNew,2027-03-05 19:00,2027-03-05 21:00,tulip\n'
    const file = site.file('new.csv', sheet)
    const { status, out, err } = await site.calctl(`diff ${file} -o ${format} --save ${site.folder}/plan.json`)
    expect([status, out + err]).toEqual([0, expect.not.stringContaining('tulip')])
    expect(out).toContain('***')
    expect((await site.calctl(`apply ${site.folder}/plan.json --yes`)).status).toBe(0)
    expect((await stored(site)).map(([, , password]: unknown[]) => password)).toEqual(['tulip'])
  })

test.each([
  ['cost', '10'],
  ['cost', '12,50 €'],
  ['description', 'Two lines\nof text'],
  ['excerpt', 'It’s "on"'],
])('the creation of an event with a password and the %s %s is undone', async (name, value) => {
  const { calctl, ask } = await wordpressSite()
  const create = 'events create --title P --start-date 2027-06-05T19:00 --duration 1h --post-password sesame'
  expect((await calctl([...create.split(' '), `--${name}`, value])).status).toBe(0)
  const { status, err } = await calctl('undo --yes')
  expect([status, err]).toEqual([0, expect.not.stringContaining('kept')])
  expect((await ask('GET /wp/v2/tribe_events/1?context=edit')).status).toBe('trash')
})

/** An event with a password, on a site that drops it when the event becomes private. */
async function protectedEvent() {
  const site = await wordpressSite()
  const [id] = await addEvents(site)
  return {
    ...site,
    id,
    state: async () => {
      const { status, password, content } = await site.ask(`GET /wp/v2/tribe_events/${id}?context=edit`)
      return [status, password, content.raw]
    },
  }
}

const isPublic = async ({ baseUrl }: Site) => (await publicTexts(baseUrl)).includes('Secret text')

for (const via of ['', '--via events'])
  test(`an event that becomes private loses its password, which is said before and kept in mind by its undo ${via}`, async () => {
    const site = await protectedEvent()
    const { calctl, id, state } = site
    const said = `drops the password of an event that is private: event ${id} has one; to undo this, give it again with --post-password`
    const line = `events update ${id} --status private --excerpt Short ${via}`
    expect((await calctl(`${line} --dry-run`)).err).toContain(said)
    expect(await state()).toEqual(['publish', 'sesame', 'Secret text'])
    expect(await calctl(line)).toMatchObject({ status: 0, err: expect.stringContaining(said) })
    expect(await state()).toEqual(['private', '', 'Secret text'])
    const undone = await calctl('undo --yes')
    expect(undone).toMatchObject({
      status: 0,
      err: expect.stringContaining(
        `kept status of event ${id}: its password is lost, and publishing it would make its text public`,
      ),
    })
    expect([await state(), await isPublic(site)]).toEqual([['private', '', 'Secret text'], false])
    expect((await calctl(`events get ${id} --json`)).out).not.toContain('Short')
  })

test('an undo with the password publishes the event behind it again', async () => {
  const site = await protectedEvent()
  await site.calctl(`events update ${site.id} --status private`)
  const undone = await site.calctl('undo --yes --post-password "open it"')
  expect([undone.status, undone.err]).toEqual([0, expect.not.stringContaining('open it')])
  expect([await site.state(), await isPublic(site)]).toEqual([['publish', 'open it', 'Secret text'], false])
  expect((await site.calctl('redo --yes')).status).toBe(0)
  expect(await site.state()).toEqual(['private', '', 'Secret text'])
  expect(textBelow(`${site.folder}/state`)).not.toContain('open it')
})

test('an undo publishes an event again that had no password', async () => {
  const site = await wordpressSite()
  const { id } = await site.ask('POST /events', { ...values, title: 'Open', description: 'Text' })
  expect((await site.calctl(`events update ${id} --status private`)).err).not.toContain('password')
  expect((await site.calctl('undo --yes')).status).toBe(0)
  expect((await site.ask(`GET /events/${id}`)).status).toBe('publish')
})

test('a plan says which events lose their passwords, and its undo keeps those private', async () => {
  const site = await protectedEvent()
  const { events } = await site.ask('GET /events?search=Open&starts_after=2000-01-01')
  const [{ id: other }] = events
  const sheet = site.file('sheet.csv', `id,status\n${site.id},private\n${other},private\n`)
  const said = `drops the password of an event that is private: event ${site.id} (row 2) has one`
  for (const line of ['diff', 'apply --dry-run', 'apply --yes']) {
    const { out, err } = await site.calctl(`${line} ${sheet} --resource events`)
    expect(out + err, line).toContain(said)
  }
  await site.calctl('undo --yes')
  expect([await site.state(), (await site.ask(`GET /events/${other}`)).status]).toEqual([
    ['private', '', 'Secret text'],
    'publish',
  ])
})

test('an earlier text of an event is not written back where its password was taken off', async () => {
  const site = await protectedEvent()
  await site.calctl(`events update ${site.id} --clear post_password --description "For everybody"`)
  const { err } = await site.calctl('undo --yes')
  expect(err).toContain(`kept event ${site.id}: its password is lost, and its earlier text would be public`)
  expect([await site.state(), await isPublic(site)]).toEqual([['publish', '', 'For everybody'], false])
  const undone = await site.calctl('undo --yes --post-password sesame')
  expect([undone.status, undone.err]).toEqual([0, expect.not.stringContaining('kept')])
  expect(await site.state()).toEqual(['publish', 'sesame', 'Secret text'])
})

test('an event that lost its password after it was trashed comes back private', async () => {
  const site = await protectedEvent()
  const { id, calctl } = site
  const run = async (line: string) => expect(await calctl(line)).toMatchObject({ status: 0 })
  await run(`events delete ${id} --yes`)
  const [first = ''] = readdirSync(join(site.folder, 'state/calctl/runs'))
  await run(`events restore ${id} --status private`)
  await run(`events delete ${id} --yes`)
  await run(`undo ${/-(\w+)\.ndjson$/.exec(first)?.[1]} --yes`)
  expect([await site.state(), await isPublic(site)]).toEqual([['private', '', 'Secret text'], false])
})

test('a journal that does not say whether an event had a password does not publish it', async () => {
  const site = await protectedEvent()
  await site.calctl(`events update ${site.id} --status private`)
  const runs = join(site.folder, 'state/calctl/runs')
  const [name = ''] = readdirSync(runs)
  const lines = unsealedLines(readFileSync(join(runs, name), 'utf8'))
  const older = lines.map(line => line.replace(',"dropsPassword":true', ''))
  expect(older).not.toEqual(lines)
  writeFileSync(join(runs, name), sealedJournal(older))
  expect((await site.calctl('undo --yes')).err).toContain('its password is lost')
  expect([await site.state(), await isPublic(site)]).toEqual([['private', '', 'Secret text'], false])
})

test.each(['', '--json', '-o yaml'])('a dry run %s shows no password', async form => {
  const site = await protectedEvent()
  const dates = '--start-date 2027-03-05T19:00 --duration 1h'
  for (const line of [
    `events update ${site.id} --post-password tulip`,
    `events update ${site.id} --title New --password tulip`,
    `events create --title New ${dates} --post-password tulip`,
    `events delete ${site.id} --password tulip`,
  ]) {
    const { status, out, err } = await site.calctl(`${line} --dry-run ${form}`)
    expect([status, out + err], line).toEqual([0, expect.not.stringContaining('tulip')])
  }
})
