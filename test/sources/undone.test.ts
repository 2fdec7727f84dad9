import { expect, test } from 'vitest'
import { event } from './feed-server.ts'
import { town } from './town.ts'

const concert = { uid: 'a@town.example', title: 'Concert', place: 'Auditori' }
const bigger = { ...concert, title: 'Gran concert' }

test('the events of an undone run are listed, and held back until a person releases them', async () => {
  const { calctl, apply, says, show } = await town([event(concert)])
  says('theatre', event(bigger))
  await apply()
  expect((await calctl('undo --yes')).status).toBe(0)
  for (let time = 0; time < 2; time++) expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
  expect(await show()).toEqual(['Concert'])
  expect((await calctl('sources review -o csv --fields id,state')).out).toBe('id,state\n2,undone\n')
  expect((await calctl('sources review 2 --bring-back')).status).toBe(0)
  expect(await apply()).toMatchObject({ status: 0, err: expect.stringContaining('1 to update') })
  expect(await show()).toEqual(['Gran concert'])
  expect((await calctl('sources review -o ids')).out).toBe('')
})

test('an undone event is released when the source says something new, and only that is written', async () => {
  const { calctl, apply, says, show } = await town([event(concert)])
  says('theatre', event(bigger))
  await apply()
  await calctl('undo --yes')
  says('theatre', event({ ...bigger, end: '20261205T220000' }))
  await apply()
  expect(await show('title,end_date')).toEqual(['Concert,2026-12-05 22:00:00'])
  expect((await calctl('sources review -o ids')).out).toBe('')
})

test('a redo takes the marks away', async () => {
  const { calctl, apply, says, show } = await town([event(concert)])
  says('theatre', event(bigger))
  await apply()
  await calctl('undo --yes')
  await calctl('redo --yes')
  expect((await calctl('sources review -o ids')).out).toBe('')
  says('theatre', event({ ...bigger, title: 'Concert enorme' }))
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show()).toEqual(['Concert enorme'])
})

test('an event that was called off, whose removal was undone and redone, comes back when the source takes that back', async () => {
  const { calctl, apply, says, show } = await town([event(concert)])
  says('theatre', event({ ...concert, more: 'STATUS:CANCELLED' }))
  await apply()
  await calctl('undo --yes')
  await calctl('redo --yes')
  expect(await show()).toEqual([])
  says('theatre', event(concert))
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show()).toEqual(['Concert'])
})

test('a created event that was undone comes back by review', async () => {
  const { calctl, apply, show } = await town([event(concert)])
  await calctl('undo --yes')
  await apply()
  expect(await show()).toEqual([])
  const key = (await calctl('sources review -o csv --fields key')).out.split('\n')[1]
  expect((await calctl(`sources review ${key} --bring-back`)).status).toBe(0)
  await apply()
  expect(await show()).toEqual(['Concert'])
})

test('a correction survives a cancellation that the source takes back', async () => {
  const { calctl, apply, says, show } = await town([event(concert)])
  await calctl('events update 2 --title "Concert de Nadal"')
  says('theatre', event({ ...concert, more: 'STATUS:CANCELLED' }))
  await apply()
  expect(await show()).toEqual([])
  says('theatre', event({ ...concert, end: '20261205T220000' }))
  await apply()
  expect(await show('id,title,end_date')).toEqual(['2,Concert de Nadal,2026-12-05 22:00:00'])
  says('theatre', event({ ...concert, title: 'Gran concert', end: '20261205T220000' }))
  expect(await apply()).toMatchObject({ status: 7 })
  expect(await show()).toEqual(['Concert de Nadal'])
})

test('a correction and a rejection survive new UIDs', async () => {
  const other = { ...concert, uid: 'b@town.example', title: 'Fira', start: '20261206T100000', end: '20261206T120000' }
  const { calctl, apply, says, show } = await town([event(concert), event(other)])
  await calctl('events update 2 --title "Estrena mundial"')
  await calctl('events delete 3 --yes')
  says('theatre', event({ ...concert, uid: 'x1' }), event({ ...other, uid: 'x2' }))
  for (let time = 0; time < 2; time++) expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
  expect(await show('id,title')).toEqual(['2,Estrena mundial'])
  says(
    'theatre',
    event({ ...concert, uid: 'x1', end: '20261205T220000' }),
    event({ ...other, uid: 'x2', title: 'Fires' }),
  )
  await apply()
  expect(await show('id,title,end_date')).toEqual(['2,Estrena mundial,2026-12-05 22:00:00'])
})

test('a correction survives new UIDs while its event is called off', async () => {
  const other = { ...concert, uid: 'b@town.example', title: 'Fira', start: '20261206T100000', end: '20261206T120000' }
  const off = { ...concert, more: 'STATUS:CANCELLED' }
  const { calctl, apply, says, show } = await town([event(concert), event(other)])
  await calctl('events update 2 --title "Concert de Nadal"')
  for (const now of [off, { ...off, uid: 'x1' }]) {
    says('theatre', event(now), event(other))
    expect(await apply()).toMatchObject({ status: 0 })
    expect(await show()).toEqual(['Fira'])
  }
  says('theatre', event({ ...concert, uid: 'x1' }), event(other))
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show('id,title')).toEqual(['2,Concert de Nadal', '3,Fira'])
})

test('the dates of a series that moves to another day stay the same events', async () => {
  const course = { uid: 'course@town.example', title: 'Curs', start: '20261201T180000', end: '20261201T190000' }
  const weekly = 'RRULE:FREQ=WEEKLY;COUNT=4'
  const { calctl, apply, says, show } = await town([event({ ...course, more: weekly })])
  await calctl('events update 2 --title "Curs de ceràmica"')
  await calctl('events delete 3 --yes')
  const moved = { ...course, start: '20261203T180000', end: '20261203T190000' }
  says('theatre', event({ ...moved, more: weekly }))
  expect(await apply()).toMatchObject({ status: 0, err: expect.stringContaining('3 to update') })
  const left = ['1,2026-12-03 18:00:00,Curs', '2,2026-12-10 18:00:00,Curs de ceràmica', '4,2026-12-24 18:00:00,Curs']
  expect(await show('id,start_date,title')).toEqual(left)
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
  says('theatre', event({ ...moved, more: `${weekly}\nEXDATE;TZID=Europe/Madrid:20261224T180000` }))
  expect(await apply()).toMatchObject({ status: 0, err: expect.stringContaining('1 to move to the trash') })
  expect(await show('id,start_date,title')).toEqual(left.slice(0, 2))
})

test('a date that a moved series leaves out is not the one that had its slug before', async () => {
  const course = { uid: 'course@town.example', title: 'Curs', start: '20261201T180000', end: '20261201T190000' }
  const weekly = 'RRULE:FREQ=WEEKLY;COUNT=3'
  const { apply, says, show } = await town([event({ ...course, more: weekly })])
  says('theatre', event({ ...course, start: '20261202T180000', end: '20261202T190000', more: weekly }))
  await apply()
  const last = { ...course, start: '20261208T180000', end: '20261208T190000' }
  says('theatre', event({ ...last, more: `${weekly}\nEXDATE;TZID=Europe/Madrid:20261215T180000` }))
  await apply()
  expect(await show('start_date')).toEqual(['2026-12-08 18:00:00', '2026-12-22 18:00:00'])
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
})

test('the memory follows an event that was merged into another', async () => {
  const { calctl, apply, says, show } = await town([event(concert)])
  await calctl(
    'events create --title "Concert" --start-date "2026-12-05 19:00" --end-date "2026-12-05 20:30" --venue Auditori --status publish',
  )
  expect((await calctl('events merge 3 2 --yes')).status).toBe(0)
  says('theatre', event(bigger))
  await apply()
  expect(await show('title')).toEqual(['Gran concert'])
})

test('a conflict is told once, also through an undo, a redo, and a cancellation that is taken back', async () => {
  const { calctl, apply, says } = await town([event(concert)])
  const silent = { status: 0, out: '', err: '' }
  const states = async () => (await calctl('sources review -o csv --fields state')).out.split('\n').slice(1, -1)
  await calctl('events update 2 --title "Concert de Nadal"')
  const longer = { ...bigger, end: '20261205T220000' }
  says('theatre', event(bigger))
  expect(await apply()).toMatchObject({ status: 7 })
  says('theatre', event(longer))
  expect(await apply('-q')).toEqual(silent)
  await calctl('undo --yes')
  expect(await apply('-q')).toEqual(silent)
  expect(await states()).toEqual(['undone'])
  await calctl('redo --yes')
  expect(await apply('-q')).toEqual(silent)
  expect(await states()).toEqual(['conflict'])
  says('theatre', event({ ...longer, more: 'STATUS:CANCELLED' }))
  expect(await apply('-q')).toEqual(silent)
  says('theatre', event(longer))
  expect(await apply('-q')).toMatchObject({ status: 7 })
  expect(await states()).toEqual(['conflict'])
  expect(await apply('-q')).toEqual(silent)
})

test('an event whose move was undone is the same event, also with the title of an editor', async () => {
  const { calctl, apply, says, show } = await town([event(concert)])
  await calctl('events update 2 --title "Estrena mundial"')
  says('theatre', event({ ...concert, start: '20261207T190000', end: '20261207T203000' }))
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
  await calctl('undo --yes')
  for (let time = 0; time < 2; time++) expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
  expect(await show('id,title,start_date')).toEqual(['2,Estrena mundial,2026-12-05 19:00:00'])
})

test('a correction survives a cancellation that is taken back under a new UID, with what had waited for a person', async () => {
  const other = { ...concert, uid: 'b@town.example', title: 'Fira', start: '20261206T100000', end: '20261206T120000' }
  const renamed = { ...concert, title: 'Concert, dia 58' }
  const { calctl, apply, says, show } = await town([event(concert), event(other)])
  await calctl('events update 2 --title "Estrena mundial"')
  says('theatre', event(renamed), event(other))
  expect(await apply()).toMatchObject({ status: 7 })
  for (let time = 0; time < 2; time++) {
    says('theatre', event({ ...renamed, more: 'STATUS:CANCELLED' }), event(other))
    expect(await apply()).toMatchObject({ status: 0 })
    expect(await show()).toEqual(['Fira'])
  }
  says('theatre', event({ ...renamed, uid: 'x1' }), event(other))
  expect(await apply()).toMatchObject({ status: 7 })
  expect(await show('id,title')).toEqual(['2,Estrena mundial', '3,Fira'])
})
