import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { wordpressSite } from '../support/wordpress-site.ts'
import { townInThreeLanguages } from '../translations/town-in-three-languages.ts'

type Calctl = (line: readonly string[]) => Promise<unknown>

const create = (calctl: Calctl, title: string, day: string, ...more: string[]) =>
  calctl([
    ...['events', 'create', '--title', title, '--start-date', `${day} 19:00`, '--end-date', `${day} 21:00`],
    ...more,
  ])

async function season(shape: Parameters<typeof calendar>[0] = {}) {
  const seen: string[] = []
  const calctl = calendar({ seen, ...shape })
  await create(calctl, 'Concert de Nadal', '2026-12-05')
  await create(calctl, 'Ball', '2026-12-06', '--status', 'draft')
  await create(calctl, 'Assaig', '2026-12-07', '--status', 'private')
  const get = async (id: number) => JSON.parse((await calctl(['events', 'get', String(id), '--json'])).out)
  const writes = () => seen.filter(line => !line.startsWith('GET'))
  return { calctl, get, writes }
}

test('an event is cancelled with a reason, which an undo takes back', async () => {
  const { calctl, get } = await season()
  expect(await calctl('events cancel 1 --reason Rain')).toMatchObject({ status: 0 })
  expect(await get(1)).toMatchObject({
    title: 'Concert de Nadal',
    event_status: 'canceled',
    event_status_reason: 'Rain',
  })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await get(1)).toMatchObject({ event_status: '', event_status_reason: '' })
})

test.each([
  ['cancel', 'uncancel', 'canceled'],
  ['postpone', 'unpostpone', 'postponed'],
])('what events %s sets, %s clears, and nothing else', async (verb, reverse, status) => {
  const { calctl, get } = await season()
  const before = await get(1)
  await calctl(`events ${verb} 1 --reason Rain`)
  expect(await get(1)).toMatchObject({ event_status: status, event_status_reason: 'Rain' })
  expect(await calctl(`events ${reverse} 1`)).toMatchObject({ status: 0 })
  const { modified: _, modified_utc: __, ...after } = await get(1)
  expect(before).toMatchObject(after)
  expect(await calctl(`events ${reverse} 1`)).toMatchObject({
    status: 0,
    err: expect.stringMatching(/nothing was changed/),
  })
})

test.each([
  ['events cancel 1 --reason Rain', 'calctl events uncancel 1'],
  ['events postpone 1', 'calctl events unpostpone 1'],
  ['events unpublish 1', undefined],
])('%s names its reverse, which does what it says', async (line, reverse) => {
  const { calctl, get } = await season()
  const before = await get(1)
  const { err } = await calctl(line)
  expect(/^to take it back one day: (.*)$/m.exec(err)?.[1]).toBe(reverse)
  if (!reverse) return
  expect(await calctl(reverse.replace('calctl ', ''))).toMatchObject({ status: 0 })
  const { modified: _, modified_utc: __, ...after } = await get(1)
  expect(before).toMatchObject(after)
  expect((await calctl(`${line} --dry-run`)).err).not.toContain('take it back')
})

test('uncancel leaves alone what is postponed, also in a selection', async () => {
  const { calctl, get } = await season()
  await calctl('events cancel 1')
  await calctl('events postpone 2')
  expect(await calctl('events uncancel --month 2026-12 --yes')).toMatchObject({ status: 0 })
  expect([(await get(1)).event_status, (await get(2)).event_status]).toEqual(['', 'postponed'])
})

test('unpublish makes a draft of a published event, and publish publishes it again', async () => {
  const { calctl, get } = await season()
  expect(await calctl('events unpublish 1')).toMatchObject({ status: 0 })
  expect(await get(1)).toMatchObject({ status: 'draft' })
  await calctl('events publish 1')
  expect(await get(1)).toMatchObject({ status: 'publish' })
})

test('an event that is cancelled again is not written', async () => {
  const { calctl, writes } = await season()
  await calctl('events cancel 1')
  const before = writes().length
  expect(await calctl('events cancel 1')).toEqual({
    status: 0,
    out: expect.any(String),
    err: '"Concert de Nadal" (1) is already cancelled; nothing was changed\n',
  })
  expect(writes()).toHaveLength(before)
})

test('a dry run of a verb says what it would change, and writes nothing', async () => {
  const { calctl, writes } = await season()
  const before = writes().length
  const { status, out } = await calctl('events cancel 1 --dry-run')
  expect([status, out]).toEqual([
    0,
    'Would change "Concert de Nadal", Sat 5 Dec 19:00 (1): event status (none) → cancelled\n',
  ])
  expect(writes()).toHaveLength(before)
})

test('verbs take what selects events', async () => {
  const { calctl, get } = await season()
  expect(await calctl('events cancel --on 2026-12-05 --yes')).toMatchObject({ status: 0 })
  expect([await get(1), await get(2)]).toMatchObject([{ event_status: 'canceled' }, { event_status: '' }])
})

test('a postponed event moves to its new day, and keeps its hours', async () => {
  const { calctl, get } = await season()
  expect(await calctl(['events', 'postpone', '1', '--to', '12 December'])).toMatchObject({ status: 0 })
  expect(await get(1)).toMatchObject({
    event_status: 'postponed',
    start_date: '2026-12-12 19:00:00',
    end_date: '2026-12-12 21:00:00',
  })
})

test('nothing is postponed to the past', async () => {
  const { calctl, writes } = await season()
  const before = writes().length
  expect(await calctl('events postpone 1 --to 2026-01-05')).toEqual({
    status: 2,
    out: '',
    err: 'error: --to: 2026-01-05 is past\nhint: to correct the date of a past event, use: calctl events move REF DATE\n',
  })
  expect(writes()).toHaveLength(before)
})

test('an event is moved to another day, or to another hour, as long as it was', async () => {
  const { calctl, get } = await season()
  await calctl('events move 1 2026-12-08')
  expect(await get(1)).toMatchObject({ start_date: '2026-12-08 19:00:00', end_date: '2026-12-08 21:00:00' })
  await calctl(['events', 'move', '1', '9 December 20:30'])
  expect(await get(1)).toMatchObject({ start_date: '2026-12-09 20:30:00', end_date: '2026-12-09 22:30:00' })
  expect(await calctl(['events', 'move', '1', '20:30'])).toMatchObject({
    status: 0,
    err: '"Concert de Nadal" (1) already has this date; nothing was changed\n',
  })
  expect(await calctl('events move 1 soonish')).toMatchObject({ status: 2, err: expect.stringContaining('soonish') })
})

test('drafts are published, private events never', async () => {
  const { calctl, get } = await season()
  expect(await calctl('events publish 2')).toMatchObject({ status: 0 })
  expect(await get(2)).toMatchObject({ status: 'publish' })
  expect(await calctl('events publish 2')).toMatchObject({
    status: 0,
    err: expect.stringContaining('already published'),
  })
  expect(await calctl('events publish 3')).toEqual({
    status: 2,
    out: '',
    err: 'error: event 3 is private; publish is for drafts and pending events\nhint: to make it public: calctl events update 3 --status publish\n',
  })
})

test('of the events of a month, only drafts are published', async () => {
  const { calctl, get } = await season()
  expect(await calctl('events publish --month december --yes')).toMatchObject({ status: 0 })
  expect([await get(1), await get(2), await get(3)].map(({ status }) => status)).toEqual([
    'publish',
    'publish',
    'private',
  ])
})

test('what is in the trash is not published', async () => {
  const { calctl } = await season()
  await calctl('events delete 2 --yes')
  const { status, err } = await calctl('events publish 2')
  expect(status).not.toBe(0)
  expect(err).toContain('calctl events restore 2')
})

test('an event is duplicated on other days, without its slug and its cancellation', async () => {
  const { calctl, get } = await season()
  await calctl('events cancel 1')
  expect(await calctl(['events', 'duplicate', '1', '--to', '2026-12-12, 19 December 20:00'])).toMatchObject({
    status: 0,
  })
  expect([await get(4), await get(5)]).toMatchObject([
    { title: 'Concert de Nadal', start_date: '2026-12-12 19:00:00', end_date: '2026-12-12 21:00:00', event_status: '' },
    {
      title: 'Concert de Nadal',
      start_date: '2026-12-19 20:00:00',
      end_date: '2026-12-19 22:00:00',
      status: 'publish',
    },
  ])
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await calctl('events get 4')).toMatchObject({ status: 4 })
})

test('where a site keeps no status, the title and a tag say it, which an undo takes back', async () => {
  const site = await wordpressSite()
  await create(site.calctl, 'Concert', '2026-12-05')
  const get = () => site.json('events get 1')
  expect(await site.calctl('events cancel 1 --reason Rain --via events')).toMatchObject({
    status: 0,
    err: expect.stringContaining(
      'keeps no status of events, nor a reason: "CANCEL·LAT" goes before the title, and "Cancel·lat" among the tags',
    ),
  })
  expect(await get()).toMatchObject({ title: 'CANCEL·LAT: Concert', tags: [{ name: 'Cancel·lat' }] })
  expect(await site.calctl('events cancel 1 --via events')).toMatchObject({
    status: 0,
    err: expect.stringContaining('is already cancelled'),
  })
  await site.calctl('events postpone 1 --via events')
  expect(await get()).toMatchObject({ title: 'AJORNAT: Concert', tags: [{ name: 'Ajornat' }] })
  await site.calctl('undo --yes')
  await site.calctl('undo --yes')
  expect(await get()).toMatchObject({ title: 'Concert', tags: [] })
})

test('on a site with wp/v2 the plugin keeps the status and the reason', async () => {
  const site = await wordpressSite()
  await create(site.calctl, 'Concert', '2026-12-05', '--cost', '12 €')
  expect(await site.calctl('events cancel 1 --reason "Rain & wind"')).toMatchObject({ status: 0 })
  const stored = async () => (await site.ask('GET /wp/v2/tribe_events/1?context=edit')).meta
  expect(await stored()).toMatchObject({
    _tribe_events_status: 'canceled',
    _tribe_events_status_reason: 'Rain & wind',
    _EventCost: '12 €',
  })
  expect(await site.calctl('events cancel 1')).toMatchObject({ err: expect.stringContaining('is already cancelled') })
  expect(await site.calctl('events postpone 1 --to 2026-12-12')).toMatchObject({ status: 0 })
  expect(await stored()).toMatchObject({ _tribe_events_status: 'postponed', _EventStartDate: '2026-12-12 19:00:00' })
  expect(await site.calctl('events duplicate 1 --to 2026-12-19')).toMatchObject({ status: 0 })
  expect((await site.ask('GET /wp/v2/tribe_events/2?context=edit')).meta).toMatchObject({
    _tribe_events_status: '',
    _EventCost: '12 €',
    _EventStartDate: '2026-12-19 19:00:00',
  })
})

test('an exact title of an event to come is its name', async () => {
  const { calctl, get } = await season()
  expect(await calctl(['events', 'cancel', 'Concert de Nadal'])).toMatchObject({ status: 0 })
  expect(await get(1)).toMatchObject({ event_status: 'canceled' })
})

test('a title of several events is refused with their IDs, and offered as a list at a terminal', async () => {
  const { calctl } = await season()
  await create(calctl, 'Concert de Nadal', '2026-12-20')
  expect(await calctl(['events', 'cancel', 'Concert de Nadal'])).toEqual({
    status: 2,
    out: '',
    err: 'error: 2 events have the title "Concert de Nadal": "Concert de Nadal", Sat 5 Dec 19:00 (1); "Concert de Nadal", Sun 20 Dec 19:00 (4)\nhint: pass the ID of one of them: 1, 4\n',
  })
  const { calctl: asked, get } = await season({ terminal: 80, keys: ['\r'] })
  await create(asked, 'Concert de Nadal', '2026-12-20')
  await asked(['events', 'cancel', 'Concert de Nadal'])
  expect(await get(1)).toMatchObject({ event_status: 'canceled' })
})

/** When the market of a Saturday begins, in each language. */
const startsOf = (json: (line: string) => Promise<{ start_date: string }>) => async () => {
  const days: string[] = []
  for (const language of ['ca', 'en', 'es'])
    days.push((await json(`events get mercat-2026-11-21 --lang ${language}`)).start_date.slice(0, 10))
  return days
}

test('translations follow an event that is moved if the answer is yes, which is the default', async () => {
  const { atTerminal, json } = await townInThreeLanguages()
  const { status, out, err } = await atTerminal(['\r'])('events move mercat-2026-11-21 2026-11-28')
  expect(`${out}${err}`).toMatch(
    /starts Sat 21 Nov 08:00 → Sat 28 Nov 08:00.*Change the translations too: English 156, Spanish 217\?/s,
  )
  expect(status, err).toBe(0)
  expect(await startsOf(json)()).toEqual(['2026-11-28', '2026-11-28', '2026-11-28'])
})

test('an argument that is no event is told before the question about translations, and nothing is written', async () => {
  for (const answer of ['\r', 'n\r']) {
    const { atTerminal, json } = await townInThreeLanguages()
    const { status, out, err } = await atTerminal([answer])('events cancel mercat-2026-11-21 per pluja')
    expect([status, `${out}${err}`]).toEqual([2, expect.stringContaining('no event pluja')])
    expect(`${out}${err}`).not.toContain('Change the')
    expect(await json('events get mercat-2026-11-21 --fields event_status')).toEqual({ event_status: '' })
  }
  const { calctl, json } = await townInThreeLanguages()
  expect((await calctl('events move mercat-2026-11-21 no-such 2026-11-28 --yes')).status).not.toBe(0)
  expect(await startsOf(json)()).toEqual(['2026-11-21', '2026-11-21', '2026-11-21'])
})

test.each([
  ['events move 1 monday 7 december', '2026-12-07 19:00:00'],
  ['events move 1 7 december 20:30', '2026-12-07 20:30:00'],
  ['events move 1 2 7 december', '2026-12-07 19:00:00'],
  ['events move --search Concert monday 7 december --yes', '2026-12-07 19:00:00'],
])('a date in several words needs no quotes: %s', async (line, start) => {
  const { calctl, get } = await season()
  expect(await calctl(line)).toMatchObject({ status: 0 })
  expect((await get(1)).start_date).toBe(start)
})

test('two events and an hour are no date, and a copy takes a date in several words', async () => {
  const { calctl, get } = await season()
  await calctl('events move 1 2 20:00')
  expect([(await get(1)).start_date, (await get(2)).start_date]).toEqual(['2026-12-05 20:00:00', '2026-12-06 20:00:00'])
  expect(await calctl('events duplicate 1 monday 7 december')).toMatchObject({ status: 0 })
  expect((await get(4)).start_date).toBe('2026-12-07 20:00:00')
})

test('translations stay if the answer is no, and where nobody can be asked', async () => {
  const { calctl, atTerminal, json } = await townInThreeLanguages()
  expect(await atTerminal(['n\r'])('events move mercat-2026-11-21 2026-11-28')).toMatchObject({ status: 0 })
  expect(await calctl('events move mercat-2026-11-21 2026-11-29')).toMatchObject({
    status: 0,
    err: expect.stringContaining('2 translations not changed: English 156, Spanish 217 (add --all-languages)'),
  })
  expect(await startsOf(json)()).toEqual(['2026-11-29', '2026-11-21', '2026-11-21'])
})

test('with --yes translations follow, unless --no-all-languages says no', async () => {
  const { calctl, json } = await townInThreeLanguages()
  await calctl('events move mercat-2026-11-21 2026-11-28 --yes --no-all-languages')
  expect(await startsOf(json)()).toEqual(['2026-11-28', '2026-11-21', '2026-11-21'])
  await calctl('events move mercat-2026-11-21 2026-11-29 --yes')
  expect(await startsOf(json)()).toEqual(['2026-11-29', '2026-11-29', '2026-11-29'])
})

test('a reason stays in the language in which it is written, which is said, and is taken back in all', async () => {
  const { calctl, json } = await townInThreeLanguages()
  const reasons = async (verb: string) => {
    const { err } = await calctl(`events ${verb} mercat-2026-11-21 --yes`)
    const read = (language: string) =>
      json(`events get mercat-2026-11-21 --lang ${language} --fields event_status,event_status_reason`)
    return { err, read: [await read('ca'), await read('en'), await read('es')] }
  }
  const cancelled = await reasons('cancel --reason Pluja')
  expect(cancelled.err).toContain(
    '"Pluja" is written only in Catalan, not in English and Spanish; to write it there: calctl events update 156 --lang en --event-status-reason TEXT\n',
  )
  expect(cancelled.read).toEqual([
    { event_status: 'canceled', event_status_reason: 'Pluja' },
    { event_status: 'canceled', event_status_reason: '' },
    { event_status: 'canceled', event_status_reason: '' },
  ])
  await calctl('events update 156 --lang en --event-status-reason Rain')
  const none = { event_status: '', event_status_reason: '' }
  expect((await reasons('uncancel')).read).toEqual([none, none, none])
})

test('a title that was corrected leaves its old words in the address', async () => {
  const { calctl } = await wordpressSite()
  await create(calctl, 'Concert de Nadal', '2026-12-05')
  expect((await calctl(['events', 'update', '1', '--title', 'Concert de Reis'])).err).toContain(
    'the address still has the old title, "concert-de-nadal"; change it with: calctl events update 1 --slug concert-de-reis\n',
  )
  await calctl(['events', 'update', '1', '--slug', 'concert-de-reis'])
  expect((await calctl(['events', 'update', '1', '--title', 'Reis', '--slug', 'reis'])).err).not.toContain(
    'the address',
  )
})

test('a move without a date says that the date is missing', async () => {
  const { calctl } = await season()
  for (const line of ['events move 1', 'events move 1 2'])
    expect(await calctl(line)).toMatchObject({
      status: 2,
      err: expect.stringMatching(/the new date is missing.*calctl events move 1 2026-12-08/s),
    })
})

test('a choice takes its label in the language of the interface, which a refusal names too', async () => {
  const ca = await season({ env: { LANG: 'ca_ES.UTF-8' } })
  expect((await ca.calctl('events list --status esborrany -o ids')).out).toBe('2\n')
  expect(await ca.calctl('events update 1 --status esborrany --event-status cancel·lat')).toMatchObject({ status: 0 })
  expect(await ca.get(1)).toMatchObject({ status: 'draft', event_status: 'canceled' })
  const es = await season({ env: { LANG: 'es_ES.UTF-8' } })
  expect((await es.calctl('events list --status borrador,Privado -o ids')).out).toBe('2\n3\n')
  expect((await es.calctl('events update 1 --status nada')).err).toContain('draft (borrador)')
  expect((await es.calctl('events update 1 --event-status nada')).err).toContain('canceled (cancelado)')
})

test('an event that is postponed without a new date is said to keep its date, before it is written', async () => {
  const { calctl, get } = await season()
  const { err } = await calctl('events postpone 1')
  expect(err).toMatch(/^no new date is given: the date stays as it is; with a new one: --to DATE\nChanged /)
  expect(await get(1)).toMatchObject({ event_status: 'postponed', start_date: '2026-12-05 19:00:00' })
  expect((await calctl('events postpone 1 --to 2026-12-12')).err).not.toContain('no new date')
})

test.each([
  ['en', 'publish 1 event?', 'cancel 2 events?', 'postpone 2 events?', 'set 1 event back to draft?'],
  [
    'ca',
    'publicar 1 esdeveniment?',
    'cancel·lar 2 esdeveniments?',
    'ajornar 2 esdeveniments?',
    'tornar a esborrany 1 esdeveniment?',
  ],
  ['es', 'publicar 1 evento?', 'cancelar 2 eventos?', 'aplazar 2 eventos?', 'devolver a borrador 1 evento?'],
])('the question of a verb has the verb: %s', async (CALCTL_UI, ...questions) => {
  const { calctl } = await season({ env: { CALCTL_UI } })
  const asked: string[] = []
  for (const verb of ['publish', 'cancel --reason Rain', 'postpone', 'unpublish']) {
    const { err } = await calctl(`events ${verb} --where title!=Assaig`)
    asked.push(err.replaceAll(/\s+/g, ' '))
  }
  for (const [index, question] of questions.entries()) expect(asked[index]).toContain(`: ${question}`)
})

test('what a verb would not change anyway is not said to be left out', async () => {
  const { calctl } = await season()
  for (const status of ['draft', 'publish'])
    await calctl([
      ...[
        'events',
        'create',
        '--title',
        `Exposició (${status})`,
        '--start-date',
        '2026-11-20',
        '--end-date',
        '2026-12-20',
      ],
      ...['--all-day', '--status', status],
    ])
  const { err } = await calctl('events publish --month 2026-12 --yes')
  expect(err).toContain('left out 1 event that begins before 2026-12-01: "Exposició (draft)" (4);')
  expect((await calctl('events move --month 2026-12 19:00 --dry-run')).err).toContain('left out 2 events that begin')
})
