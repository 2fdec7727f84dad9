import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { siteBehindProxy } from '../support/site-behind-proxy.ts'
import { wordpressSite } from '../support/wordpress-site.ts'
import { worldOf } from '../support/world.ts'

const titles = Array.from({ length: 24 }, (_, index) => `Concert ${index}`)
const sheetOf = (titles: readonly string[]) =>
  [
    'title,start_date,end_date,venue',
    ...titles.map((title, index) => `${title},2026-12-05 19:00,2026-12-05 21:00,Sala ${index % 5}`),
    '',
  ].join('\n')

/** Two machines that apply the same sheet to one site. */
async function twoMachines(titles: readonly string[], proxy: Parameters<typeof siteBehindProxy>[0] = {}) {
  const site = await siteBehindProxy(proxy)
  const file = site.file('season.csv', sheetOf(titles))
  const machine = (name: string) =>
    worldOf({ env: { ...site.env, XDG_STATE_HOME: `${site.env.XDG_STATE_HOME}/${name}` }, now: new Date() })
  return { ...site, one: machine('one'), other: machine('other'), command: `apply ${file} --yes --create-missing` }
}

test('two machines that apply one file at the same time make each record once', async () => {
  const { one, other, command, calctl } = await twoMachines(titles)
  const outcomes = await Promise.all([one(command), other(command)])
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0])
  const listed = await calctl('events list --all -o json --fields title,venue.id,venue.venue')
  const events: { title: string; venue: { id: number; venue: string } }[] = JSON.parse(listed.out)
  expect(events.map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
  const venues = new Map(events.map(({ venue }) => [venue.venue, venue.id]))
  for (const { venue } of events) expect(venue.id).toBe(venues.get(venue.venue))
  expect((await calctl('venues list --all -o count')).out).toBe('5\n')
})

test('an event that somebody created since a plan was made is no double of those with its title on other days', async () => {
  const { calctl, ask, file, folder } = await wordpressSite()
  const hours = (day: number) => [`2026-12-0${day} 19:00:00`, `2026-12-0${day} 21:00:00`]
  const rows = [1, 2, 4, 6, 7].map(day => ['Club', ...hours(day)].join(','))
  const sheet = file('club.csv', ['title,start_date,end_date', ...rows, ''].join('\n'))
  await calctl(`diff ${sheet} --save ${folder}/plan.json`)
  const [start_date, end_date] = hours(3)
  await ask('POST /events', { title: 'Club', start_date, end_date })
  expect(await calctl(`apply ${folder}/plan.json --yes`)).toMatchObject({ status: 0 })
  expect((await calctl('events list --all -o count')).out).toBe('6\n')
})

/** Lets writes to a path through only when so many of them have arrived. */
function gate(path: string, count: number) {
  let open = () => {}
  let arrived = 0
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return async (request: { method: string; path: string }) => {
    if (request.method !== 'POST' || !request.path.startsWith(path)) return
    arrived += 1
    if (arrived >= count) open()
    await opened
  }
}

test('what two machines created at the same moment is taken back by the one that was second', async () => {
  const gates = [gate('/venues', 4), gate('/events', 4)]
  const { one, other, command, calctl, requests } = await twoMachines(['Jazz', 'Blues'], {
    async before(request) {
      for (const pass of gates) await pass(request)
    },
  })
  const outcomes = await Promise.all([one(`${command} -o json`), other(`${command} -o json`)])
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0])
  const deleted = requests.filter(request => request.startsWith('DELETE'))
  // A site gives both machines the same venue.
  expect(deleted.map(request => request.replace(/\d+/, 'ID'))).toEqual(['DELETE /events/ID', 'DELETE /events/ID'])
  expect(outcomes.map(({ err }) => err).join('')).toContain('created elsewhere at the same time, and removed here')
  const { out } = await calctl('events list --all -o json --fields id,title,venue.id')
  const events: { id: number; title: string; venue: { id: number } }[] = JSON.parse(out)
  expect(events.map(({ title }) => title).toSorted()).toEqual(['Blues', 'Jazz'])
  const live = (await calctl('venues list --all -o ids')).out.trim().split('\n').map(Number)
  expect(events.map(({ venue }) => venue.id).toSorted()).toEqual(live.toSorted())

  // Each undo takes back what its own run created, and nothing of the other's.
  const undone: number[] = []
  for (const machine of [one, other]) undone.push((await machine('runs undo --yes')).status)
  // A machine whose events were all removed again has nothing left to undo.
  expect(undone).toEqual(outcomes.map(({ err }) => (err.includes('(2 created elsewhere') ? 4 : 0)))
  expect((await calctl('events list --all -o count')).out).toBe('0\n')
})

test('a create that was not answered, and that another machine did as well, is settled by a resume', async () => {
  let isDown = false
  const { one, command, send, calctl } = await twoMachines(['Jazz'], {
    garble({ method }) {
      isDown ||= method === 'POST'
      return isDown
    },
  })
  await send('POST', '/venues', { venue: 'Sala 0' })
  expect((await one(`${command} --retries 0`)).status).not.toBe(0)
  isDown = false
  await send('POST', '/events', {
    title: 'Jazz',
    start_date: '2026-12-05 19:00:00',
    end_date: '2026-12-05 21:00:00',
    venue: 1,
  })
  const { status, err } = await one('runs resume --yes')
  expect([status, err]).toEqual([7, expect.stringMatching(/event "Jazz".* was created 2 times: 2 and 3/)])
  expect(await calctl('events delete 3 --yes')).toMatchObject({ status: 0 })
  expect(await one(command)).toMatchObject({ status: 0 })
  expect((await calctl('events list --all -o count')).out).toBe('1\n')
})

type Site = Awaited<ReturnType<typeof twoMachines>>

/** Two machines of which the other creates the event while the create of this one is on its way. */
async function createdFirstElsewhere(onRequest: (site: Site, request: string) => Promise<unknown> | undefined) {
  const jazz = { title: 'Jazz', start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00', venue: 1 }
  let isCreated = false
  const site: Site = await twoMachines(['Jazz'], {
    async before({ method, path }) {
      const request = `${method} ${path}`
      if (request === 'POST /events' && !isCreated) {
        isCreated = true
        await site.send('POST', '/events', jazz)
      } else await onRequest(site, request)
    },
  })
  return site
}

/** The journal of the latest run of the first machine. */
function journalFile({ env }: Pick<Site, 'env'>): string {
  const folder = `${env.XDG_STATE_HOME}/one/calctl/runs`
  const journals = readdirSync(folder).filter(name => name.endsWith('.ndjson'))
  return `${folder}/${journals.toSorted().at(-1)}`
}

test('the journal says that a record is to be taken back before that is sent, and the history shows it', async () => {
  let journal = ''
  const site = await createdFirstElsewhere(async (site, request) => {
    if (request.startsWith('DELETE')) journal = readFileSync(journalFile(site), 'utf8')
  })
  expect(await site.one(site.command)).toMatchObject({ status: 0 })
  expect(journal.split('\n').at(-2)).toMatch(/^\{"takingBack":"events Jazz [^"]*","id":3,/)
  const text = 'someone else created it first; 3, created by this run, was removed'
  for (const line of ['runs show', 'history events/3', 'history events/2'])
    expect((await site.one(line)).out).toContain(text)
  expect((await site.one('history events/3 -o count')).out).toBe('1\n')
})

test('a run that was killed while it took a record back is finished by a resume', async () => {
  let journal: string | undefined
  let isDown = true
  const site = await createdFirstElsewhere(async (site, request) => {
    if (!isDown || !request.startsWith('DELETE')) return
    journal ??= readFileSync(journalFile(site), 'utf8')
    throw new Error('the request does not arrive')
  })
  expect(await site.one(`${site.command} --retries 0`)).not.toMatchObject({ status: 0 })
  isDown = false
  // As if it had been killed before the site got the request.
  writeFileSync(journalFile(site), journal ?? '')
  expect((await site.one('runs list --fields state,left -o csv')).out).toMatch(/^unfinished,1$/m)
  const { status, err } = await site.one('runs resume --yes')
  expect([status, err]).toEqual([0, expect.stringContaining('created elsewhere at the same time, and removed here')])
  expect((await site.calctl('events list --all -o ids')).out).toBe('2\n')
})

test('a record that somebody has changed is not taken back', async () => {
  const site = await createdFirstElsewhere((site, request) =>
    request.startsWith('GET /events/3')
      ? site.send('POST', '/events/3', { website: 'https://jazz.example' })
      : undefined,
  )
  const { status, err } = await site.one(site.command)
  expect([status, err]).toEqual([
    7,
    expect.stringMatching(
      /event "Jazz".* was created twice: 2, and 3 by this run; someone else has changed 3: website/,
    ),
  ])
  expect((await site.calctl('events list --all -o ids')).out).toBe('2\n3\n')
})

/** A feed whose only create was not answered, and was done by another machine as well. */
async function doubledFeed() {
  let isDown = false
  const site = await twoMachines([], {
    garble({ method }) {
      isDown ||= method === 'POST'
      return isDown
    },
  })
  const lines = ['UID:u1@example.org', 'SUMMARY:Jazz', 'DTSTART;TZID=Europe/Madrid:20261205T190000', 'DURATION:PT2H']
  const feed = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//x', 'BEGIN:VEVENT', ...lines, 'END:VEVENT']
  const apply = `apply ${site.file('feed.ics', [...feed, 'END:VCALENDAR', ''].join('\r\n'))} --yes`
  expect((await site.one(`${apply} --retries 0`)).status).not.toBe(0)
  isDown = false
  const [event] = JSON.parse((await site.calctl('events list --all -o json')).out)
  const { title, start_date, end_date, timezone, slug } = event
  await site.send('POST', '/events', { title, start_date, end_date, timezone, slug })
  return { ...site, apply }
}

const doubleIsNamed = [7, expect.stringMatching(/event "Jazz".* was created 2 times: (\d+) and \d+/)]
const deletes = /delete the duplicates with: calctl (events delete \d+)/

test('a create of a feed that was not answered, and that another machine did as well, is settled by a resume', async () => {
  const { one, other, apply } = await doubledFeed()
  const { status, err } = await one('runs resume --yes')
  expect([status, err]).toEqual(doubleIsNamed)
  expect(err).toMatch(deletes)
  expect(await other(apply)).toMatchObject({ status: 0 })
})

/** Two machines of which one created the event first, while the other could not look for that any more, once it had created its own. */
async function uncomparedRun() {
  let isGone = true
  const site = await createdFirstElsewhere(async ({ requests }, request) => {
    const isLate = request.startsWith('GET') && requests.includes('POST /events')
    if (isGone && isLate) throw new Error('the site is gone')
  })
  const isBack = () => {
    isGone = false
  }
  return { ...site, isBack }
}

test('a run that could not check whether others created the same records says so, and a resume looks again', async () => {
  const { one, file, calctl, isBack } = await uncomparedRun()
  const rows = ['title,start_date,end_date,slug,venue', 'Jazz,2026-12-05 19:00,2026-12-05 21:00,jazz,Sala 0', '']
  const command = `apply ${file('slugs.csv', rows.join('\n'))} --yes --create-missing`
  const stopped = await one(`${command} --retries 0`)
  expect([stopped.status, stopped.err]).toEqual([7, expect.stringMatching(/look again with: calctl runs resume \w+/)])
  isBack()
  const { status, err } = await one('runs resume --yes')
  expect([status, err]).toEqual([0, expect.stringContaining('created elsewhere at the same time, and removed here')])
  expect((await calctl('events list --all -o ids')).out).toBe('2\n')
  expect(await one(command)).toMatchObject({ status: 0 })
})

test('a run that was killed before it looked for doubles is not done, and is the one that a resume without a name takes', async () => {
  const { one, file, calctl, isBack } = await uncomparedRun()
  const rows = ['title,start_date,end_date,slug,venue', 'Jazz,2026-12-05 19:00,2026-12-05 21:00,jazz,Sala 0', '']
  await one(`apply ${file('slugs.csv', rows.join('\n'))} --yes --create-missing --retries 0`)
  isBack()
  await one('venues update 1 --city Girona -q')
  const states = async () => (await one('runs list --fields command,state -o csv')).out
  expect(await states()).toBe('command,state\nvenues update,done\napply,unfinished\n')
  expect(await one('runs resume')).toMatchObject({ status: 0, err: expect.stringContaining('removed here') })
  expect((await calctl('events list --all -o ids')).out).toBe('2\n')
  expect(await states()).toBe('command,state\nvenues update,done\napply,done\n')
})

/**
 * A feed that one machine applies while another one has the slug of its event, and trashes that before this one compares. `onRename` is
 * called when the event is about to get its slug back.
 */
async function numberedFeed(onRename: (journal: string) => void = () => {}) {
  const slug = 'jazz-example-org-a6b9f4716e'
  let state: 'none' | 'held' | 'free' = 'none'
  const site: Site = await twoMachines([], {
    async before({ method, path }) {
      if (method === 'POST' && path === '/events' && state === 'none') {
        state = 'held'
        const jazz = { title: 'Jazz', start_date: '2026-12-05 20:00:00', end_date: '2026-12-05 22:00:00', slug }
        await site.send('POST', '/events', jazz)
      } else if (method === 'GET' && state === 'held') {
        state = 'free'
        await site.send('DELETE', '/events/2', {})
      } else if (method === 'POST' && path.endsWith('/3')) onRename(readFileSync(journalFile(site), 'utf8'))
    },
  })
  const slugs = async () =>
    (await site.second('events list --all -o csv --fields id,slug')).out.split('\n').slice(1, -1)
  return { ...site, apply: applyFeed(site), slug, slugs }
}

const applyFeed = ({ file }: Pick<Site, 'file'>): string =>
  `apply ${file('feed.ics', feedOf(['Jazz']))} --yes --create-missing`

test('an event of a feed whose slug was numbered gets its own once that is free, so that nobody creates it again', async () => {
  const { one, other, apply, slug, slugs } = await numberedFeed()
  expect(await one(apply)).toMatchObject({ status: 0, err: expect.stringContaining('2 done. Undo:') })
  expect(await slugs()).toEqual([`3,${slug}`])
  expect(await other(apply)).toMatchObject({ status: 0, err: expect.stringContaining('1 unchanged') })
  expect((await one('undo --yes')).status).toBe(0)
  expect(await slugs()).toEqual([])
  expect((await one('redo --yes')).status).toBe(0)
  expect(await slugs()).toEqual([`3,${slug}`])
})

test('a run that was killed before an event got its slug is finished by a resume', async () => {
  let journal: string | undefined
  let isDown = true
  const site = await numberedFeed(text => {
    if (!isDown) return
    journal ??= text
    throw new Error('the request does not arrive')
  })
  const { one, apply, slug, slugs } = site
  expect(await one(`${apply} --retries 0`)).not.toMatchObject({ status: 0 })
  expect(await slugs()).toEqual([`3,${slug}-2`])
  isDown = false
  writeFileSync(journalFile(site), journal ?? '')
  expect(await one('runs resume --yes')).toMatchObject({ status: 0 })
  expect(await slugs()).toEqual([`3,${slug}`])
  expect((await one('undo --yes')).status).toBe(0)
  expect(await slugs()).toEqual([])
})

test('a run that was killed after an event got its slug is undone all the same', async () => {
  let journal = ''
  const site = await numberedFeed(text => {
    journal = text
  })
  const { one, apply, slug, slugs } = site
  expect(await one(apply)).toMatchObject({ status: 0 })
  writeFileSync(journalFile(site), journal)
  expect(await slugs()).toEqual([`3,${slug}`])
  expect((await one('undo --yes')).status).toBe(0)
  expect(await slugs()).toEqual([])
})

test('a site that shows new events to nobody before a review gets each of a feed once, without a complaint', async () => {
  const site = await twoMachines([], {
    garble(answer) {
      if (answer.method !== 'GET' || !answer.path.startsWith('/events')) return undefined
      const refusal = { code: 'event-not-accessible', message: 'No access.', data: { status: 403 } }
      const isAlone = /^\/events\/./.test(answer.path)
      if (isAlone) answer.status = 403
      answer.body = JSON.stringify(isAlone ? refusal : { events: [], total: 0, total_pages: 0 })
      return undefined
    },
  })
  expect(await site.one(applyFeed(site))).toMatchObject({ status: 0, err: expect.stringContaining('2 done. Undo:') })
})

test('what another machine created of a later version of the feed, with another title, is no reason for a second event', async () => {
  let isCreated = false
  const site: Site = await twoMachines([], {
    async before({ method, path }) {
      if (method !== 'POST' || path !== '/events' || isCreated) return
      isCreated = true
      const later = site.file('later.ics', feedOf(['Jazz']).replace('SUMMARY:Jazz', 'SUMMARY:Blues'))
      await site.second(`apply ${later} --yes --create-missing -q`)
    },
  })
  const { status, err } = await site.one(applyFeed(site))
  expect([status, err]).toEqual([7, expect.stringMatching(/by someone else with different values: title$/m)])
  expect((await site.second('events list --all -o csv --fields title')).out).toBe('title\nBlues\n')
})

/** A feed whose event was numbered by a run that stopped then, and created by another machine since. */
async function numberedBesideHolder({ isAnswered }: { readonly isAnswered: boolean }) {
  let journal: string | undefined
  let isDown = true
  const site = await numberedFeed(text => {
    if (!isDown) return
    journal ??= text
    throw new Error('the request does not arrive')
  })
  const { one, other, apply, slug, slugs } = site
  await one(`${apply} --retries 0`)
  isDown = false
  const withoutAnswer = (journal ?? '').replace(/^\{"done":"events.*\n/ms, '')
  writeFileSync(journalFile(site), isAnswered ? (journal ?? '') : withoutAnswer)
  expect(await other(apply)).toMatchObject({ status: 0 })
  expect((await slugs()).toSorted()).toEqual([`3,${slug}-2`, `4,${slug}`])
  return site
}

test('of an event that was numbered and one that has its slug, a resume takes back the first, by which nobody finds it', async () => {
  const { one, slug, slugs } = await numberedBesideHolder({ isAnswered: true })
  expect(await one('runs resume --yes')).toMatchObject({ status: 0, err: expect.stringContaining('removed here') })
  expect(await slugs()).toEqual([`4,${slug}`])
})

test('of an event that was numbered without an answer and one that has its slug, the hint names the first', async () => {
  const { one } = await numberedBesideHolder({ isAnswered: false })
  const { status, err } = await one('runs resume --yes')
  expect([status, err]).toEqual([7, expect.stringMatching(/was created 2 times: 4 and 3\n.*events delete 3$/m)])
})

const feedOf = (titles: readonly string[]) =>
  [
    'BEGIN:VCALENDAR',
    ...titles.flatMap(title => [
      'BEGIN:VEVENT',
      `UID:${title}@example.org`,
      `SUMMARY:${title}`,
      'LOCATION:Sala Gran',
      'DTSTART:20261205T190000Z',
      'DTEND:20261205T210000Z',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

test.each([
  ['a sheet of four events', 'season.csv', sheetOf(['Jazz', 'Blues', 'Swing', 'Folk'])],
  ['a sheet of one event', 'season.csv', sheetOf(['Jazz'])],
  ['a feed of four events', 'season.ics', feedOf(['Jazz', 'Blues', 'Swing', 'Folk'])],
  ['a feed of one event', 'season.ics', feedOf(['Jazz'])],
])('a redo restores nothing of %s that another machine has created again since the undo', async (_, name, content) => {
  const { one, other, calctl, file } = await twoMachines([])
  const command = `apply ${file(name, content)} --yes --create-missing`
  const contents = async () => {
    const { out } = await calctl('events list --all -o json --fields id,title,slug,venue.id')
    return JSON.parse(out) as { title: string; slug: string; venue: { id: number } }[]
  }
  expect((await one(command)).status).toBe(0)
  const first = await contents()
  expect((await one('undo --yes')).status).toBe(0)
  expect((await other(command)).status).toBe(0)
  expect(await one('redo --yes')).toMatchObject({ status: 0, err: expect.stringContaining('already there') })
  const events = await contents()
  expect(events.map(({ title }) => title).toSorted()).toEqual(first.map(({ title }) => title).toSorted())
  const live = (await calctl('venues list --all -o ids')).out.trim().split('\n').map(Number)
  expect([...new Set(events.map(({ venue }) => venue.id))].toSorted()).toEqual(live.toSorted())

  // What the other machine created is not undone here, however often.
  expect((await one('undo --yes')).status).toBe(4)
  expect((await one('redo --yes')).status).toBe(4)
  expect(await contents()).toEqual(events)
})

/** A redo whose event another machine creates again while it is on its way back; `onTakeBack` is called before its own is trashed. */
async function redoneMeanwhile(onTakeBack: (journal: string) => void = () => {}) {
  let isCreated = true
  const site: Site = await twoMachines([], {
    async before({ method, path }) {
      if (method === 'POST' && !isCreated && path.endsWith('/2')) {
        isCreated = true
        await site.second(`${applyFeed(site)} -q`)
      } else if (method === 'DELETE' && path.endsWith('/2') && (await ids()).includes('3'))
        onTakeBack(readFileSync(journalFile(site), 'utf8'))
    },
  })
  const ids = async () => (await site.second('events list --all -o ids')).out
  expect((await site.one(applyFeed(site))).status).toBe(0)
  expect((await site.one('undo --yes')).status).toBe(0)
  isCreated = false
  return { ...site, ids }
}

test('a redo takes back what another machine created while it restored that', async () => {
  const site = await redoneMeanwhile()
  const { one, ids } = site
  expect(await one('redo --yes')).toMatchObject({ status: 0, err: expect.stringContaining('removed here') })
  expect(await ids()).toBe('3\n')
  expect(await one('undo --yes')).toMatchObject({ status: 4 })
  expect(await ids()).toBe('3\n')
})

test('a redo that was killed before it took something back is finished by a resume', async () => {
  let journal: string | undefined
  let isDown = true
  const site = await redoneMeanwhile(text => {
    if (!isDown) return
    journal ??= text
    throw new Error('the request does not arrive')
  })
  const { one, ids } = site
  expect(await one('redo --yes --retries 0')).not.toMatchObject({ status: 0 })
  isDown = false
  const beforeThat = (journal ?? '').replace(/^\{"takingBack".*\n/m, '')
  writeFileSync(journalFile(site), beforeThat)
  expect(await one('runs resume --yes')).toMatchObject({ status: 0, err: expect.stringContaining('removed here') })
  expect(await ids()).toBe('3\n')
})

test.each([
  ['that a feed lost', feedOf(['Jazz', 'Blues']), feedOf(['Jazz']), '--prune'],
  [
    'of a series that became shorter',
    feedOf(['Jazz']).replace('DTSTART', 'RRULE:FREQ=WEEKLY;COUNT=3\r\nDTSTART'),
    feedOf(['Jazz']).replace('DTSTART', 'RRULE:FREQ=WEEKLY;COUNT=2\r\nDTSTART'),
    '',
  ],
])('an undo restores no event %s if another machine has created it again', async (_, before, after, flags) => {
  const { one, other, calctl, file } = await twoMachines([])
  const ids = async () => (await calctl('events list --all --all-dates -o ids')).out.trim().split('\n')
  const first = file('first.ics', before)
  expect((await one(`apply ${first} --yes --create-missing`)).status).toBe(0)
  const count = (await ids()).length
  expect((await one(`apply ${file('second.ics', after)} --yes --max-trash 9 ${flags}`)).status).toBe(0)
  expect(await ids()).toHaveLength(count - 1)
  expect((await other(`apply ${first} --yes --create-missing`)).status).toBe(0)
  const created = await ids()
  expect(created).toHaveLength(count)
  expect(await one('undo --yes')).toMatchObject({ status: 0, err: expect.stringContaining('already there') })
  expect(await ids()).toEqual(created)
})
