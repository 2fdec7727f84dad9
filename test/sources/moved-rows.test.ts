import { expect, test } from 'vitest'
import { folder } from './folder.ts'

const header = 'title,start_date,end_date,venue'
const rowOf = (title: string, day: string, venue = 'Escola') =>
  `${title},2026-12-${day} 18:00,2026-12-${day} 19:30,${venue}`

const market = rowOf('Mercat', '20')

/** A folder with a sheet of events without IDs, which has been applied once; events are listed in the order of their IDs. */
async function school(rows: readonly string[], rules = '') {
  const { calctl, write } = folder({
    'sources.yaml': `sources:\n  - name: schools\n    place: schools.csv\n${rules}`,
    'schools.csv': [header, ...rows].join('\n'),
  })
  expect(await calctl('trust')).toMatchObject({ status: 0 })
  const apply = (more = '') => calctl(`sources apply --create-missing --yes ${more}`)
  expect(await apply()).toMatchObject({ status: 0 })
  const says = (...list: string[]) => write('schools.csv', [header, ...list].join('\n'))
  const show = async () =>
    (await calctl('events list --all-dates --fields id,title,start_date -o csv')).out
      .split('\n')
      .slice(1, -1)
      .toSorted()
  return { calctl, apply, says, show }
}

const days = async (show: () => Promise<string[]>) => (await show()).map(line => line.replace(/ \d\d:\d\d:\d\d$/, ''))

test('a row without ID that is moved to another day stays the same event', async () => {
  const { apply, says, show } = await school([rowOf('Obra', '10'), market])
  says(rowOf('Obra', '12'), market)
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await days(show)).toEqual(['2,Obra,2026-12-12', '3,Mercat,2026-12-20'])
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
})

test('a row without ID that is moved to another hour or place stays the same event', async () => {
  const { apply, says, show } = await school([rowOf('Obra', '10'), market])
  says('Obra,2026-12-10 17:00,2026-12-10 18:30,Escola', market)
  expect(await apply()).toMatchObject({ status: 0 })
  says('Obra,2026-12-10 17:00,2026-12-10 18:30,Gimnàs', market)
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show()).toEqual(['2,Obra,2026-12-10 17:00:00', '3,Mercat,2026-12-20 18:00:00'])
})

test('a row that is moved keeps what an editor corrected, and stays rejected', async () => {
  const { calctl, apply, says, show } = await school([rowOf('Obra', '10'), rowOf('Cant', '11'), market])
  await calctl('events update 2 --description "Amb berenar"')
  await calctl('events delete 3 --yes')
  says(rowOf('Obra', '12'), rowOf('Cant', '13'), market)
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await days(show)).toEqual(['2,Obra,2026-12-12', '4,Mercat,2026-12-20'])
  expect((await calctl('events get 2 --fields description -o csv')).out).toContain('Amb berenar')
})

test('of several rows of one title, each continues the nearest one that is gone', async () => {
  const weekly = ['01', '08', '15'].map(day => rowOf('Ioga', day))
  const { apply, says, show } = await school([...weekly, market])
  says(rowOf('Ioga', '01'), rowOf('Ioga', '09'), rowOf('Ioga', '15'), market)
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await days(show)).toEqual([
    '2,Ioga,2026-12-01',
    '3,Ioga,2026-12-09',
    '4,Ioga,2026-12-15',
    '5,Mercat,2026-12-20',
  ])
})

test('a row that is added beside one that stays is a new event', async () => {
  const { apply, says, show } = await school([rowOf('Obra', '10'), market])
  says(rowOf('Obra', '10'), rowOf('Obra', '12'), market)
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await days(show)).toEqual(['2,Obra,2026-12-10', '3,Mercat,2026-12-20', '4,Obra,2026-12-12'])
})

test('the next date of what has taken place is a new event', async () => {
  const past = 'Ioga,2026-11-20 18:00,2026-11-20 19:30,Escola'
  const { apply, says, show } = await school([past, market])
  says('Ioga,2026-11-27 18:00,2026-11-27 19:30,Escola', market)
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await days(show)).toEqual(['2,Ioga,2026-11-20', '3,Mercat,2026-12-20', '4,Ioga,2026-11-27'])
})
