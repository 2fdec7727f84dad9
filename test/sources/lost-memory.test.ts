import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { event } from './feed-server.ts'
import { town } from './town.ts'

const concert = { uid: 'a@town.example', title: 'Concert', place: 'Auditori' }
const fair = { uid: 'b@town.example', title: 'Fira', start: '20261206T100000', end: '20261206T120000' }
const dance = { ...fair, uid: 'c@town.example', title: 'Dansa', start: '20261207T100000', end: '20261207T120000' }

test('of two runs at once the second one starts from what the first one remembers', async () => {
  const { apply, says, show, calctl } = await town([event(concert)])
  await calctl('events update 2 --title "Concert de Nadal"')
  says('theatre', event({ ...concert, title: 'Gran concert' }), event(fair), event(dance))
  const both = await Promise.all([apply(), apply()])
  expect(both.map(({ status }) => status).toSorted()).toEqual([0, 7])
  expect(await show()).toEqual(['Concert de Nadal', 'Fira', 'Dansa'])
  expect((await calctl('sources review -o csv --fields id,state')).out).toBe('id,state\n2,conflict\n')
})

test('an event that is in neither the calendar nor the trash is asked about if the memory is lost', async () => {
  const { calctl, cwd, env, apply, says, show } = await town([event(concert)])
  rmSync(join(cwd, 'sources.memory.ndjson'))
  rmSync(env.XDG_STATE_HOME ?? '', { recursive: true })
  await calctl('trust')
  says('theatre', event(concert), event(fair), event(dance))
  const asked = await apply()
  expect(asked).toMatchObject({ status: 7 })
  expect(asked.err).toContain('"Fira" is new, or somebody removed it before the memory of its source was lost')
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
  expect(await show()).toEqual(['Concert'])
  const { out } = await calctl('sources review -o csv --fields title,state,key')
  const [, removed = '', added = ''] = out.split('\n').map(line => line.split(',').at(-1))
  expect(
    out
      .split('\n')
      .slice(1, 3)
      .map(line => line.replace(/,[^,]*$/, '')),
  ).toEqual(['Fira,unknown', 'Dansa,unknown'])
  expect(await calctl(`sources review ${removed} --take local`)).toMatchObject({ status: 0 })
  expect(await calctl(`sources review ${added} --take source`)).toMatchObject({ status: 0 })
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show()).toEqual(['Concert', 'Dansa'])
  expect((await calctl('sources review -o csv --fields title,state')).out).toBe('title,state\nFira,rejected\n')
})
