import { expect, test } from 'vitest'
import { event } from './feed-server.ts'
import { town } from './town.ts'

const concert = { uid: 'a@town.example', title: 'Concert', place: 'Auditori', more: 'DESCRIPTION:Al vespre' }

test('sources apply writes what the source says, and nothing the second time', async () => {
  const { first, apply, show, read } = await town([event(concert)])
  expect(first.err).toContain('2 to create')
  expect(await show('title,venue.venue')).toEqual(['Concert,Auditori'])
  expect(await apply()).toMatchObject({ status: 0 })
  expect(read('sources.memory.ndjson')).toContain('"said"')
})

test('a field that only the source changed is written, one that only an editor changed stays', async () => {
  const { calctl, apply, says, show } = await town([event(concert)])
  await calctl('events update 2 --description "Al matí"')
  says('theatre', event({ ...concert, title: 'Gran concert' }))
  expect(await apply()).toMatchObject({ status: 0, err: expect.stringContaining('1 to update') })
  expect(await show('title,description')).toEqual(['Gran concert,Al matí'])
  says('theatre', event({ ...concert, title: 'Concert', end: '20261205T220000' }))
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show('title,description,end_date')).toEqual(['Concert,Al matí,2026-12-05 22:00:00'])
})

test('a conflict leaves the value of the site, ends with 7 once, and is settled once', async () => {
  const { calctl, apply, says, show } = await town([event(concert)])
  await calctl('events update 2 --title "Concert de Nadal"')
  says('theatre', event({ ...concert, title: 'Gran concert', end: '20261205T220000' }))
  const conflict = await apply()
  expect(conflict).toMatchObject({ status: 7 })
  expect(conflict.err).toContain('"Concert de Nadal": changed both by the source and on the site, differently: title')
  expect(await show('title,end_date')).toEqual(['Concert de Nadal,2026-12-05 22:00:00'])
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
  expect((await calctl('sources review -o csv')).out).toBe(
    'id,title,state,field,said,site,source,key\n2,Concert de Nadal,conflict,title,Gran concert,Concert de Nadal,theatre,a-town-example-99ba6576f4\n',
  )
  expect(await calctl('sources review 2 --take local')).toMatchObject({ status: 0 })
  expect((await calctl('sources review -o ids')).out).toBe('')
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
  expect(await show()).toEqual(['Concert de Nadal'])
  says('theatre', event({ ...concert, title: 'Concert enorme', end: '20261205T220000' }))
  expect(await apply()).toMatchObject({ status: 7 })
  expect(await calctl('sources review 2 --take source --field title')).toMatchObject({ status: 0 })
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show()).toEqual(['Concert enorme'])
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
})

test('a field that the source leaves out is cleared if nobody changed it', async () => {
  const { calctl, apply, says, show } = await town([event(concert), event({ ...concert, uid: 'b', title: 'Fira' })])
  await calctl('events update 3 --description "Tot el dia"')
  const { more: _, ...bare } = concert
  says('theatre', event(bare), event({ ...bare, uid: 'b', title: 'Fira' }))
  await apply()
  expect(await show('title,description')).toEqual(['Concert,', 'Fira,Tot el dia'])
})

test('decides says for a field who wins', async () => {
  const theatre = '    decides:\n      title: source\n      description: local\n'
  const { calctl, apply, says, show } = await town([event(concert)], { theatre })
  await calctl('events update 2 --title "Concert de Nadal"')
  says('theatre', event({ ...concert, more: 'DESCRIPTION:Al matí' }))
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show('title,description')).toEqual(['Concert,Al vespre'])
})

test('an event that was rejected is listed, and can be brought back', async () => {
  const { calctl, apply, show } = await town([event(concert)])
  await calctl('events delete 2 --yes')
  await apply()
  expect(await show()).toEqual([])
  expect((await calctl('sources review -o csv --fields id,state')).out).toBe('id,state\n2,rejected\n')
  expect(await calctl('sources review 2 --bring-back')).toMatchObject({ status: 0 })
  expect(await apply()).toMatchObject({ status: 0, err: expect.stringContaining('1 to restore') })
  expect(await show()).toEqual(['Concert'])
  expect((await calctl('events get 2 --json --fields status')).out).toContain('"publish"')
})

test('what a source cancelled and a person restored stays', async () => {
  const { calctl, apply, says, show } = await town([event(concert)])
  says('theatre', event({ ...concert, more: 'STATUS:CANCELLED' }))
  await apply()
  expect(await show()).toEqual([])
  await calctl('events restore 2 --status publish')
  for (let time = 0; time < 2; time++) expect(await apply()).toMatchObject({ status: 0 })
  expect(await show()).toEqual(['Concert'])
})

test('what a source cancelled and then has again is restored', async () => {
  const { apply, says, show } = await town([event(concert)])
  says('theatre', event({ ...concert, more: 'STATUS:CANCELLED' }))
  await apply()
  says('theatre', event(concert))
  await apply()
  expect(await show('id,title')).toEqual(['2,Concert'])
})

test('an event that an editor trashed and made again is linked again', async () => {
  const { calctl, apply, says, show } = await town([event(concert)])
  await calctl('events delete 2 --yes')
  expect(
    await calctl(
      'events create --title Concert --start-date "2026-12-05 19:00" --end-date "2026-12-05 20:30" --venue Auditori --status publish',
    ),
  ).toMatchObject({ status: 0 })
  says('theatre', event({ ...concert, end: '20261205T220000' }))
  await apply()
  expect(await show('id,title')).toEqual(['3,Concert'])
  says('theatre', event({ ...concert, title: 'Gran concert', end: '20261205T220000' }))
  await apply()
  expect((await calctl('sources review -o csv --fields id,state,field')).out).not.toContain('rejected')
})
