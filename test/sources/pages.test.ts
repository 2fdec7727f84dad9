import { expect, test } from 'vitest'
import { folder } from './folder.ts'
import { web } from './web.ts'

const row = (number: number) => ({
  codi: String(number),
  denominaci: `Acte ${number}`,
  data_inici: '2026-12-05T00:00:00.000',
  data_fi: '2026-12-05T00:00:00.000',
})

const agendaEvent = (uid: number) => ({
  uid,
  title: { fr: `Fête ${uid}` },
  timings: [{ begin: '2026-12-05T19:00:00+01:00', end: '2026-12-05T21:00:00+01:00' }],
})

test('open data is read page after page', async () => {
  const { url, answers, seen } = await web({
    '/resource/abcd-1234.json?$limit=2': JSON.stringify([row(1), row(2)]),
    '/resource/abcd-1234.json?$limit=2&$offset=2': JSON.stringify([row(3), row(4)]),
    '/resource/abcd-1234.json?$limit=2&$offset=4': JSON.stringify([row(5)]),
    '/v2/agendas/1/events?key=K': JSON.stringify({ total: 2, events: [agendaEvent(1)], after: ['a b', 7] }),
    '/v2/agendas/1/events?key=K&after[]=a%20b&after[]=7': JSON.stringify({
      total: 2,
      events: [agendaEvent(2)],
      after: [9],
    }),
    '/v2/agendas/1/events?key=K&after[]=9': JSON.stringify({ total: 2, events: [], after: null }),
  })
  const { calctl } = folder({
    'sources.yaml': `sources:
  - name: olot
    place: ${url}/resource/abcd-1234.json?$limit=2
    map: socrata
  - name: agenda
    place: ${url}/v2/agendas/1/events?key=K
    map: openagenda
`,
  })
  await calctl('trust')
  const first = await calctl('sources apply --create-missing --yes')
  expect(first).toMatchObject({ status: 0 })
  const show = async () => (await calctl('events list --all-dates --fields title -o csv')).out.split('\n').slice(1, -1)
  const all = ['Acte 1', 'Acte 2', 'Acte 3', 'Acte 4', 'Acte 5', 'Fête 1', 'Fête 2']
  expect((await show()).toSorted()).toEqual(all)
  seen.length = 0
  expect(await calctl('sources apply --create-missing --yes -q')).toEqual({ status: 0, out: '', err: '' })
  expect(seen).toHaveLength(6)
  answers['/resource/abcd-1234.json?$limit=2&$offset=4'] = JSON.stringify([row(5), row(6)])
  answers['/resource/abcd-1234.json?$limit=2&$offset=6'] = '[]'
  await calctl('sources apply --create-missing --yes -q')
  expect(await show()).toHaveLength(8)
})
