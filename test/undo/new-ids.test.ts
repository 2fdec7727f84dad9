import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

/** A site with a tag, and what is to be seen there. */
async function siteWithTag() {
  const site = await productionSite()
  const { json, calctl } = site
  await json('tags create --name Jazz --json')
  const rowsOf = async (lists: string) => (await calctl(`${lists} -o csv`)).out.split('\n').slice(1, -1)
  const state = async () => [
    ...(await rowsOf('tags list --fields name')),
    ...(await rowsOf('categories list --fields name,parent --no-hide-empty')).map(row =>
      row.replace(/[1-9]\d*/, 'parent'),
    ),
    ...(await rowsOf('events list --all-dates --fields title,tags')),
  ]
  /** Runs a command that must keep nothing. */
  const ok = async (command: string) => {
    const { status, err } = await calctl(`${command} --yes`)
    expect([command, status, err]).toEqual([command, 0, expect.not.stringMatching(/kept|cannot|nothing/)])
  }
  return { state, ok }
}

const create = `events create --title Gala ${dates}`

test.each([
  ['a create', [`${create} --tags 1`, 'tags delete 1']],
  ['a create with two tags', ['tags create --name Swing', `${create} --tags 1,2`, 'tags delete 1']],
  ['a restore', [`${create} --tags 1`, 'events delete 1', 'events restore 1', 'tags delete 1']],
  ['an update', [create, 'events update 1 --tags 1', 'tags delete 1']],
  ['an update of the tag', ['tags update 1 --name Swing', 'tags delete 1']],
  ['the create of the tag', ['tags create --name Swing', `${create} --tags 2`, 'tags delete 2']],
  [
    'the create of a parent',
    ['categories create --name Music', 'categories create --name Rock --parent 2', 'categories delete 2'],
  ],
])('%s is undone and redone after its term was deleted and came back with a new ID', async (_, commands) => {
  const { state, ok } = await siteWithTag()
  const states = [await state()]
  for (const command of commands) {
    await ok(command)
    states.push(await state())
  }
  const [before, after] = [states.slice(0, -1).toReversed(), states.slice(1)]
  for (const [command, expected] of [
    ...before.map(state => ['undo', state] as const),
    ...after.map(state => ['redo', state] as const),
    ...before.map(state => ['undo', state] as const),
  ]) {
    await ok(command)
    expect([command, await state()]).toEqual([command, expected])
  }
})

test('a create is undone after its tag was deleted and came back twice', async () => {
  const { state, ok } = await siteWithTag()
  const before = await state()
  for (const command of [`${create} --tags 1`, 'tags delete 1', 'undo', 'tags delete 2', 'undo', 'undo'])
    await ok(command)
  expect(await state()).toEqual(before)
})
