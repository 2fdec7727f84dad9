import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { event, newUser } from './feed-server.ts'
import { folder } from './folder.ts'
import { town } from './town.ts'

const header = 'title,start_date,end_date,venue\n'
const row = (title: string, day: string, venue = 'Escola') =>
  `${title},2026-12-${day} 18:00,2026-12-${day} 19:30,${venue}\n`

/** A folder with a sheet of events without IDs, which has been applied once. */
async function schools(sheet: string) {
  const made = folder({
    'sources.yaml': 'sources:\n  - name: schools\n    place: schools.csv\n',
    'schools.csv': header + sheet,
  })
  await made.calctl('trust')
  const apply = (more = '') => made.calctl(`sources apply --create-missing --yes ${more}`)
  expect(await apply()).toMatchObject({ status: 0 })
  const titles = async () =>
    (await made.calctl('events list --all-dates --fields title -o csv')).out.split('\n').slice(1, -1).toSorted()
  return { ...made, apply, titles, file: join(made.cwd, 'sources.memory.ndjson') }
}

const forget = ({ file, env }: { file: string; env: Record<string, string> }) => {
  writeFileSync(file, '')
  Object.assign(env, newUser())
}

test('a row without ID that an editor moved to the trash does not come back without a memory', async () => {
  const { calctl, apply, titles, file, env } = await schools(row('Obra', '10') + row('Cant', '11'))
  await calctl('events delete 2 --yes')
  forget({ file, env })
  await calctl('trust')
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await titles()).toEqual(['Cant'])
})

test.each([0.3, 0.5, 0.8])(
  'a memory of which only the first %f is left is completed from the journals',
  async share => {
    const rows = ['Obra', 'Cant', 'Fira', 'Ball'].map((title, index) => row(title, String(10 + index)))
    const { calctl, apply, titles, file, write } = await schools(rows.join(''))
    await calctl('events delete 3 --yes')
    await calctl('events update 2 --title "Gran obra"')
    await apply()
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
    writeFileSync(file, `${lines.slice(0, Math.max(1, Math.floor(lines.length * share))).join('\n')}\n`)
    write('schools.csv', header + rows.slice(0, 3).join('') + row('Ball de festa', '13'))
    const { err } = await apply()
    expect(err).toMatch(/lines? .*damaged/)
    expect((await titles()).filter(title => title !== 'Ball' && title !== 'Ball de festa')).toEqual([
      'Fira',
      'Gran obra',
    ])
  },
)

test('an event of two sources that an editor renamed stays one event without a memory', async () => {
  const concert = { uid: 'a@town.example', title: 'Concert de Nadal', place: 'Auditori' }
  const { calctl, cwd, env, show } = await town([event(concert)], {
    others: { agenda: [event({ ...concert, uid: '77@agenda.example' })] },
  })
  await calctl('events update 2 --title "Nit de corals"')
  forget({ file: join(cwd, 'sources.memory.ndjson'), env })
  await calctl('trust')
  await calctl('sources apply --yes')
  expect(await show()).toEqual(['Nit de corals'])
  const { out } = await calctl('sources review -o csv --fields field')
  expect(new Set(out.split('\n').slice(1, -1))).toEqual(new Set(['title']))
})

test('an event of the calendar at another place is another event, and so are two rows at two places', async () => {
  const { calctl, apply, titles, write } = await schools(row('Mag', '10'))
  await calctl('venues create --venue Biblioteca')
  await calctl(
    'events create --title Jornada --start-date "2026-12-12 18:00" --end-date "2026-12-12 19:30" --venue Biblioteca --status publish',
  )
  write('schools.csv', header + row('Mag', '10') + row('Jornada', '12', 'Nord') + row('Jornada', '12', 'Sud'))
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await titles()).toEqual(['Jornada', 'Jornada', 'Jornada', 'Mag'])
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
})
