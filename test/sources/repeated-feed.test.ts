import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { event, feed, newUser, serveTexts } from './feed-server.ts'

const concert = { uid: 'concert@town.example', title: 'Concert de Nadal', place: 'Auditori' }

/** A calendar that has followed a feed once. */
async function followed(...events: string[]) {
  const texts = { '/town.ics': feed(...events) }
  const origin = await serveTexts(texts)
  const calctl = calendar({ env: newUser() })
  const line = `apply ${origin}/town.ics --create-missing --yes -q`
  expect(await calctl(line)).toEqual({ status: 0, out: '', err: '' })
  return {
    calctl,
    origin,
    again: () => calctl(line),
    says: (...others: string[]) => Object.assign(texts, { '/town.ics': feed(...others) }),
    list: async () => (await calctl('events list --all-dates --fields id,title -o csv')).out,
  }
}

test('a title that an editor corrected stays when the feed is applied again', async () => {
  const { calctl, again, list, says } = await followed(event(concert))
  await calctl('events update 2 --title "Concert de Sant Esteve" --yes')
  expect(await again()).toEqual({ status: 0, out: '', err: '' })
  expect(await list()).toBe('id,title\n2,Concert de Sant Esteve\n')
  says(event({ ...concert, end: '20261205T210000' }))
  expect(await again()).toEqual({ status: 0, out: '', err: '' })
  expect((await calctl('events list --all-dates --fields title,end_date -o csv')).out).toBe(
    'title,end_date\nConcert de Sant Esteve,2026-12-05 21:00:00\n',
  )
})

test('an event that an editor trashed does not come back', async () => {
  const { calctl, again, list, says } = await followed(event(concert))
  await calctl('events delete 2 --yes')
  for (let time = 0; time < 2; time++) expect(await again()).toEqual({ status: 0, out: '', err: '' })
  says(event({ ...concert, title: 'Gran concert de Nadal' }))
  expect(await again()).toEqual({ status: 0, out: '', err: '' })
  expect(await list()).toBe('id,title\n')
})

test('an event with a new UID is the same event', async () => {
  const { again, list, says } = await followed(event(concert))
  says(event({ ...concert, uid: 'another-uid@town.example' }))
  expect(await again()).toEqual({ status: 0, out: '', err: '' })
  says(event({ ...concert, uid: 'another-uid@town.example', title: 'Gran concert de Nadal' }))
  expect(await again()).toEqual({ status: 0, out: '', err: '' })
  expect(await list()).toBe('id,title\n2,Gran concert de Nadal\n')
})

test('an event that two feeds have is created once', async () => {
  const { calctl, list } = await followed(event(concert))
  const other = await serveTexts({ '/other.ics': feed(event({ ...concert, uid: 'x@other.example' })) })
  await calctl(`apply ${other}/other.ics --create-missing --yes -q`)
  expect(await list()).toBe('id,title\n2,Concert de Nadal\n')
})
