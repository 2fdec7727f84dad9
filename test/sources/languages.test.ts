import { expect, test } from 'vitest'
import { event, feed } from './feed-server.ts'
import { folder } from './folder.ts'
import { web } from './web.ts'

const concert = { uid: 'a@town.example', title: 'Concierto', place: 'Auditori' }

test('a source in another language than that of the command writes its events there, once', async () => {
  const { url, answers } = await web({ '/a.ics': feed(event(concert)) })
  const { calctl } = folder({ 'sources.yaml': `sources:\n  - name: a\n    place: ${url}/a.ics\n    language: es\n` })
  await calctl('trust')
  expect(await calctl('sources apply --create-missing --yes')).toMatchObject({ status: 0 })
  const show = async () =>
    (await calctl('events list --all-dates --lang es --fields title,end_date -o csv')).out.split('\n').slice(1, -1)
  expect(await show()).toEqual(['Concierto,2026-12-05 20:30:00'])
  expect(await calctl('sources apply --create-missing --yes -q')).toEqual({ status: 0, out: '', err: '' })
  const [id] = (await calctl('events list --all-dates --lang es -o ids')).out.split('\n')
  await calctl(`events update ${id} --lang es --title "Gran concierto" --yes`)
  answers['/a.ics'] = feed(event({ ...concert, end: '20261205T220000' }))
  expect(await calctl('sources apply --yes -q')).toEqual({ status: 0, out: '', err: '' })
  expect(await show()).toEqual(['Gran concierto,2026-12-05 22:00:00'])
  answers['/a.ics'] = feed(event({ ...concert, uid: 'b@town.example', end: '20261205T220000' }))
  expect(await calctl('sources apply --yes -q')).toEqual({ status: 0, out: '', err: '' })
  expect(await show()).toHaveLength(1)
  await calctl(`events delete ${id} --lang es --yes`)
  expect(await calctl('sources apply --yes -q')).toEqual({ status: 0, out: '', err: '' })
  expect(await show()).toEqual([])
  expect((await calctl('sources review -o csv --fields state')).out).toBe('state\nrejected\n')
})
