import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { event, feed, newUser, serveTexts } from './feed-server.ts'

const first = { uid: 'a@town.example', title: 'Concert' }
const second = { uid: 'b@town.example', title: 'Fira', start: '20261206T100000', end: '20261206T140000' }

/** A calendar that has followed a feed of two events once, and the file of its memory. */
async function followed(env = newUser()) {
  const texts = { '/town.ics': feed(event(first), event(second)) }
  const origin = await serveTexts(texts)
  const calctl = calendar({ env })
  const line = `apply ${origin}/town.ics --yes`
  expect(await calctl(line)).toMatchObject({ status: 0 })
  const folder = join(String(env.XDG_STATE_HOME), 'calctl', 'feeds')
  const [name = ''] = readdirSync(folder)
  const file = join(folder, name)
  return {
    calctl,
    file,
    lines: () => readFileSync(file, 'utf8').split('\n').filter(Boolean),
    write: (lines: readonly string[]) => writeFileSync(file, `${lines.join('\n')}\n`),
    again: () => calctl(line),
    says: (...events: string[]) => Object.assign(texts, { '/town.ics': feed(...events) }),
    titles: async () => (await calctl('events list --all-dates --fields title -o csv')).out.split('\n').slice(1, -1),
  }
}

test('the memory has a sealed line for each event, and no address', async () => {
  const { lines } = await followed()
  expect(lines().filter(line => line.includes('"key"'))).toHaveLength(2)
  for (const line of lines()) expect(line).toMatch(/,"crc":"[\da-f]{8}"\}$/)
  expect(lines().join('\n')).not.toContain('127.0.0.1')
})

test('a run that was killed before the memory was written loses nothing: its journal has it', async () => {
  const { calctl, lines, write, again, says, titles } = await followed()
  // As if the process had been killed after the last write: the memory is that of before the run.
  const before = lines()
    .filter(line => !line.includes('"key"'))
    .slice(0, 1)
  write(before)
  await calctl('events update 1 --title "Concert de Nadal" --yes')
  says(event({ ...first, end: '20261205T220000' }), event(second))
  expect(await again()).toMatchObject({ status: 0, err: expect.stringContaining('1 to update, 1 unchanged') })
  expect(await titles()).toEqual(['Concert de Nadal', 'Fira'])
})

test('a damaged line is said, and its event is recognized again', async () => {
  const { lines, write, again, titles } = await followed()
  write(lines().map(line => line.replace('"title":"Concert"', '"title":"Conxert"')))
  const { status, err } = await again()
  expect({ status, err }).toEqual({
    status: 0,
    err: expect.stringMatching(/^.*\.ndjson: 1 line is damaged; its event is recognized again\n2 unchanged\n$/s),
  })
  expect(await titles()).toEqual(['Concert', 'Fira'])
  expect((await again()).err).toBe('2 unchanged\n')
})

test('the memory of a newer version is refused, with a next step', async () => {
  const { lines, write, again } = await followed()
  const { sealLine } = await import('../../src/base/sealed-lines.ts')
  write([sealLine('{"calctl_memory":2}', 0).line, ...lines().slice(1)])
  expect(await again()).toMatchObject({
    status: 3,
    err: expect.stringMatching(/was written by a newer version of calctl\nhint: update calctl, or move the file away/),
  })
})

test('a lost memory is made again from the journals', async () => {
  const { calctl, file, again, titles } = await followed()
  await calctl('events update 1 --title "Concert de Nadal" --yes')
  rmSync(file)
  expect(await again()).toMatchObject({ status: 0, err: '2 unchanged\n' })
  expect(await titles()).toEqual(['Concert de Nadal', 'Fira'])
})

test('without memory and journals nothing doubles, and what differs is a conflict, once', async () => {
  const env = newUser()
  const { calctl, again, titles } = await followed(env)
  await calctl('events update 1 --title "Concert de Nadal" --yes')
  rmSync(join(String(env.XDG_STATE_HOME), 'calctl'), { recursive: true })
  expect(await again()).toMatchObject({ status: 7, err: expect.stringContaining('on the site, differently: title') })
  expect(await titles()).toEqual(['Concert de Nadal', 'Fira'])
  expect(await again()).toMatchObject({ status: 0 })
  expect(await titles()).toEqual(['Concert de Nadal', 'Fira'])
})

test('an undone run is not done again until the source says something new', async () => {
  const { calctl, again, says, titles } = await followed()
  says(event({ ...first, title: 'Gran concert' }), event(second))
  await again()
  await calctl('undo --yes')
  expect(await titles()).toEqual(['Concert', 'Fira'])
  expect(await again()).toMatchObject({ status: 0, err: '2 unchanged\n' })
  expect(await titles()).toEqual(['Concert', 'Fira'])
})

test('an event whose creation was undone comes back only when the source says something new', async () => {
  const { calctl, again, says, titles } = await followed()
  await calctl('undo --yes')
  expect(await titles()).toEqual([])
  await again()
  expect(await titles()).toEqual([])
  says(event({ ...first, title: 'Gran concert' }), event(second))
  await again()
  expect(await titles()).toEqual(['Gran concert'])
})
