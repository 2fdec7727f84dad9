import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { event } from './feed-server.ts'
import { folder } from './folder.ts'
import { town } from './town.ts'

const concert = { uid: 'a@town.example', title: 'Concert de Nadal', place: 'Auditori' }
const elsewhere = { ...concert, uid: '77@agenda.example', more: 'DESCRIPTION:Amb el cor de la vila' }

test('an event of two sources is one event: the earlier source wins a field, the other fills its gaps', async () => {
  const { calctl, says, apply, show } = await town([event(concert)], {
    others: { agenda: [event({ ...elsewhere, more: `${elsewhere.more}\nURL:https://agenda.example/77` })] },
  })
  expect(await show('id,title,description,website')).toEqual([
    '2,Concert de Nadal,Amb el cor de la vila,https://agenda.example/77',
  ])
  says('agenda', event({ ...elsewhere, title: 'Concert de Nadal!', more: 'DESCRIPTION:Amb cor' }))
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show('id,title,description')).toEqual(['2,Concert de Nadal,Amb cor'])
  expect((await calctl('sources why 2 -o csv --fields field,source,state')).out.split('\n').toSorted()).toEqual(
    expect.arrayContaining(['description,agenda,source', 'title,theatre,source']),
  )
})

test('an event that a second source has later is joined, and stays when the first one drops it', async () => {
  const { says, apply, show } = await town([event(concert)], {
    theatre: '    vanished: trash\n',
    others: {
      agenda: [event({ ...elsewhere, uid: 'other', title: 'Fira', start: '20261208T100000', end: '20261208T120000' })],
    },
  })
  says('agenda', event(elsewhere))
  expect(await apply()).toMatchObject({ status: 0 })
  says('theatre', event({ ...concert, uid: 'b', title: 'Dansa', start: '20261209T190000', end: '20261209T203000' }))
  for (let time = 0; time < 3; time++) await apply()
  expect((await show()).toSorted()).toEqual(['Concert de Nadal', 'Dansa', 'Fira'])
})

const week = [5, 6, 7, 8].map(day => ({
  ...concert,
  uid: `day-${day}`,
  title: `Dia ${day}`,
  start: `2026120${day}T190000`,
  end: `2026120${day}T203000`,
}))
const eventOf = (index: number) => event(week[index] ?? concert)

test.each([
  ['trash', ['Dia 5', 'Dia 6', 'Dia 8']],
  ['cancel', ['Dia 5', 'Dia 6', 'Dia 7', 'Dia 8']],
  ['keep', ['Dia 5', 'Dia 6', 'Dia 7', 'Dia 8']],
])('an event that is missing twice has vanished: %s', async (vanished, left) => {
  const { says, apply, show } = await town(week.map(event), { theatre: `    vanished: ${vanished}\n` })
  says('theatre', eventOf(0), eventOf(1), eventOf(3))
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show()).toHaveLength(4)
  expect(await apply()).toMatchObject({ status: 0 })
  expect((await show()).toSorted()).toEqual(left)
  if (vanished !== 'trash')
    expect(await show('title,event_status')).toContain(vanished === 'cancel' ? 'Dia 7,canceled' : 'Dia 7,')
  // It is back.
  says('theatre', ...week.map(event))
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show()).toHaveLength(4)
})

test('what is removed is named without a question, and with -q not', async () => {
  const { says, apply } = await town(week.map(event), { theatre: '    vanished: trash\n' })
  says('theatre', eventOf(0), eventOf(1), eventOf(3))
  await apply()
  expect((await apply()).err).toContain('- "Dia 7", Mon 7 Dec 19:00, Auditori (4, ')
  says('theatre', eventOf(0), eventOf(3))
  await apply()
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
})

test('a record that is wrong in one source stops no other, and is told each time', async () => {
  const { calctl, write } = folder({
    'sources.yaml': 'sources:\n  - name: schools\n    place: s.csv\n',
    's.csv': 'title,start_date,end_date\nA,2026-12-24 18:00,2026-12-24 19:00\nB,2026-02-31 18:00,\n',
  })
  await calctl('trust')
  expect(await calctl('sources plan')).toMatchObject({ status: 0, out: expect.stringContaining('+ "A"') })
  for (let time = 0; time < 2; time++)
    expect(await calctl('sources apply --yes -q')).toMatchObject({
      status: 6,
      err: expect.stringContaining('1 record was left out as invalid'),
    })
  expect((await calctl('events list --all-dates --fields title -o csv')).out).toBe('title\nA\n')
  write('s.csv', 'title,start_date,end_date\nA,2026-12-24 18:00,2026-12-24 19:00\n')
  expect(await calctl('sources plan')).toMatchObject({ status: 0 })
})

test('an event beyond one that is called off lies within the time that the source shows', async () => {
  const calledOff = (index: number) =>
    event({ ...week[index], more: 'STATUS:CANCELLED' } as Parameters<typeof event>[0])
  const { says, apply, show } = await town(week.map(event), { theatre: '    vanished: trash\n' })
  says('theatre', eventOf(0), eventOf(1), calledOff(3))
  await apply()
  await apply()
  expect((await show()).toSorted()).toEqual(['Dia 5', 'Dia 6'])
})

test('an empty feed, one half as long, and one that ends earlier remove nothing', async () => {
  const { calctl, says, apply, show } = await town(week.map(event), { theatre: '    vanished: trash\n' })
  says('theatre', eventOf(0))
  const short = await apply()
  expect(short).toMatchObject({ status: 0 })
  says('theatre')
  for (let time = 0; time < 3; time++)
    expect(await apply('-q')).toMatchObject({ status: 6, err: expect.stringContaining('theatre has 0 of its') })
  expect((await calctl('sources status -o csv --fields source,since')).out).toMatch(/^theatre,2026/m)
  says('theatre', eventOf(0), eventOf(1), eventOf(2))
  for (let time = 0; time < 3; time++) await apply()
  expect(await show()).toHaveLength(4)
})

test('a source that cannot be read stops no other, and status says since when', async () => {
  const { calctl, answers, says, apply, show } = await town([event(concert)], { others: { agenda: [] } })
  delete answers['/agenda.ics']
  says('theatre', event({ ...concert, title: 'Gran concert' }))
  const outcome = await apply('-q')
  expect(outcome).toMatchObject({ status: 6, err: expect.stringContaining('1 source could not be read') })
  expect(await show()).toEqual(['Gran concert'])
  expect(await apply('-q')).toMatchObject({ status: 6 })
  const { out } = await calctl('sources status -o csv --fields source,events,changes,conflicts,since')
  expect(out).toBe('source,events,changes,conflicts,since\ntheatre,1,0,0,\nagenda,0,0,0,2026-11-21T02:00:00.000Z\n')
})

test('what may be an event of the calendar is asked, and both answers are remembered', async () => {
  const { calctl, says, apply, show } = await town([event(concert)])
  await calctl(
    'events create --title "Concert de Nadal" --start-date "2026-12-10 18:00" --end-date "2026-12-10 19:30" --status publish',
  )
  const similar = { uid: 'n', title: 'Concert de Nadal', start: '20261210T190000', end: '20261210T203000' }
  says('theatre', event(concert), event(similar))
  await apply()
  const { out } = await calctl('sources review -o csv --fields state,said')
  expect(out).toBe('state,said\nperhaps,3\n')
  expect(await apply('-q')).toMatchObject({ status: 0, err: '' })
  const key = (await calctl('sources review -o csv --fields key')).out.split('\n')[1]
  expect(await calctl(`sources review ${key} --not-same`)).toMatchObject({ status: 0 })
  await apply()
  expect(await show()).toHaveLength(3)
  await apply()
  expect(await show()).toHaveLength(3)
})

test('before the file is trusted, nothing is written', async () => {
  const { calctl, cwd, url, show } = await town([event(concert)])
  writeFileSync(join(cwd, 'sources.yaml'), `sources:\n  - name: evil\n    place: ${url}/theatre.ics\n`)
  expect(await calctl('sources apply --yes')).toMatchObject({ status: 3, err: expect.stringContaining('trust') })
  expect(await show()).toEqual(['Concert de Nadal'])
})

test('a memory that names other records writes to none of them', async () => {
  const { calctl, cwd, read, says, apply, show } = await town([event(concert)])
  await calctl(
    'events create --title Alien --start-date "2026-12-20 19:00" --end-date "2026-12-20 20:30" --status publish',
  )
  const { sealLine } = await import('../../src/base/sealed-lines.ts')
  let checksum = 0
  const forged = read('sources.memory.ndjson')
    .split('\n')
    .filter(Boolean)
    .map(line => `${line.replace(/,"crc":"[\da-f]{8}"\}$/, '')}}`.replace('"id":2', '"id":3'))
    .map(json => {
      const sealed = sealLine(json, checksum)
      checksum = sealed.checksum
      return `${sealed.line}\n`
    })
  writeFileSync(join(cwd, 'sources.memory.ndjson'), forged.join(''))
  says('theatre', event({ ...concert, title: 'Gran concert', more: 'STATUS:CANCELLED' }))
  await apply()
  expect(await show()).toContain('Alien')
})

test('sources plan writes nothing and remembers nothing', async () => {
  const { calctl, read, says, show } = await town([event(concert)])
  const before = read('sources.memory.ndjson')
  says('theatre', event({ ...concert, title: 'Gran concert' }))
  expect(await calctl('sources plan')).toMatchObject({ status: 0, out: expect.stringContaining('1 to update') })
  expect(await show()).toEqual(['Concert de Nadal'])
  expect(read('sources.memory.ndjson')).toBe(before)
})

test('sources remove forgets a source, and its events stay', async () => {
  const { calctl, read, show } = await town([event(concert)], { others: { agenda: [] } })
  expect(await calctl('sources remove theatre')).toMatchObject({ status: 0 })
  expect(read()).not.toContain('theatre')
  expect(read('sources.memory.ndjson')).not.toContain('"theatre"')
  expect(await show()).toEqual(['Concert de Nadal'])
  expect(await calctl('sources remove theatre')).toMatchObject({ status: 4 })
})

test('an event of a series that moved stays the same record', async () => {
  const weekly = { ...concert, uid: 's', more: 'RRULE:FREQ=WEEKLY;COUNT=3' }
  const { calctl, says, apply, show } = await town([event(weekly)])
  await calctl('events update 2 --title "Estrena"')
  says('theatre', event({ ...weekly, start: '20261205T180000' }))
  await apply()
  expect(await show('id,title,start_date')).toEqual([
    '2,Estrena,2026-12-05 18:00:00',
    '3,Concert de Nadal,2026-12-12 18:00:00',
    '4,Concert de Nadal,2026-12-19 18:00:00',
  ])
})

test('a date that a moved series leaves out is not the rejected one that had its slug before', async () => {
  const from = (first: string, gone?: string) => {
    const without = gone === undefined ? [] : [`EXDATE;TZID=Europe/Madrid:${gone}T190000`]
    return event({
      uid: 's',
      title: 'Taller',
      start: `${first}T190000`,
      end: `${first}T203000`,
      more: ['RRULE:FREQ=WEEKLY;COUNT=4', ...without].join('\n'),
    })
  }
  const { calctl, says, apply, show } = await town([from('20261205')], { theatre: '    vanished: trash\n' })
  for (const first of ['20261205', '20261208']) {
    says('theatre', from(first, first))
    await apply()
  }
  await calctl('events delete 2 --yes')
  for (const first of ['20261212', '20261215']) {
    says('theatre', from(first, first))
    await apply()
  }
  expect(await show('id,start_date')).toEqual(['3,2026-12-29 19:00:00', '4,2027-01-05 19:00:00'])
})

test('an event that was called off, and takes place after all under a new UID, is the same record', async () => {
  const { calctl, says, apply, show } = await town([event(concert)])
  await calctl('events update 2 --description "Amb cor"')
  says('theatre', event({ ...concert, more: 'STATUS:CANCELLED' }))
  await apply()
  says('theatre', event({ ...concert, uid: 'b' }))
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show('id,title,description')).toEqual(['2,Concert de Nadal,Amb cor'])
})

test('an event that was rejected while a conflict waited stays so under a new title and a new UID', async () => {
  const { calctl, says, apply, show } = await town([event(concert)])
  await calctl('events update 2 --title "Estrena mundial"')
  says('theatre', event({ ...concert, title: 'Vetllada de dansa' }))
  expect(await apply()).toMatchObject({ status: 7 })
  await calctl('events delete 2 --yes')
  for (const uid of [concert.uid, 'new']) {
    says('theatre', event({ ...concert, uid, title: 'Gran gala' }))
    await apply()
  }
  expect(await show()).toEqual([])
})

test('a field that the second source writes while the first is silent is no conflict afterwards', async () => {
  const { answers, says, apply, show } = await town([event(concert)], { others: { agenda: [event(elsewhere)] } })
  delete answers['/theatre.ics']
  says('agenda', event({ ...elsewhere, more: 'DESCRIPTION:Amb orquestra' }))
  expect(await apply()).toMatchObject({ status: 6 })
  says('theatre', event({ ...concert, end: '20261205T210000' }))
  says('agenda', event({ ...elsewhere, more: 'DESCRIPTION:Amb orquestra i cor' }))
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show('description,end_date')).toEqual(['Amb orquestra i cor,2026-12-05 21:00:00'])
})

test('a conflict that waits survives a new UID', async () => {
  const { calctl, says, apply, show } = await town([event(concert)])
  await calctl('events update 2 --title "Estrena mundial"')
  says('theatre', event({ ...concert, title: 'Vetllada de dansa' }))
  expect(await apply()).toMatchObject({ status: 7 })
  says('theatre', event({ ...concert, uid: 'new', title: 'Vetllada de dansa' }))
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
  expect(await show('id,title')).toEqual(['2,Estrena mundial'])
})

test('a correction stays while the source that wins is silent, and afterwards', async () => {
  const { calctl, answers, says, apply, show } = await town([event(concert)], {
    others: { agenda: [event(elsewhere)] },
  })
  await calctl('events update 2 --title "Estrena mundial"')
  says('theatre', event({ ...concert, title: 'Gran concert de Nadal' }))
  const silent = answers['/theatre.ics'] ?? ''
  delete answers['/theatre.ics']
  says('agenda', event({ ...elsewhere, title: 'Gran concert de Nadal' }))
  expect(await apply()).toMatchObject({ status: 6 })
  answers['/theatre.ics'] = silent
  expect(await apply()).toMatchObject({ status: 7 })
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show('id,title')).toEqual(['2,Estrena mundial'])
})
