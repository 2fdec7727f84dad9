import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { undoLine } from '../support/world.ts'

for (const [noun, singular] of [
  ['categories', 'category'],
  ['tags', 'tag'],
] as const) {
  test(`${noun} can be created, listed, updated and deleted`, async () => {
    const calctl = calendar()
    expect(await calctl(`${noun} create --name "Open air" -o ids`)).toEqual({
      status: 0,
      out: '1\n',
      err: expect.stringMatching(undoLine(`Created ${singular} "Open air" (1)`)),
    })
    expect(await calctl(`${noun} list -o ids`)).toEqual({ status: 0, out: '', err: '' })
    expect(await calctl(`${noun} list --no-hide-empty -o ids`)).toEqual({ status: 0, out: '1\n', err: '' })
    await calctl(`${noun} update 1 --description "Under the stars"`)
    const { out } = await calctl(`${noun} get 1 --fields name,slug,description,count --json`)
    expect(JSON.parse(out)).toEqual({ name: 'Open air', slug: 'open-air', description: 'Under the stars', count: 0 })
    expect(await calctl(`${noun} delete 1 --yes -o ids`)).toEqual({
      status: 0,
      out: '1\n',
      err: expect.stringMatching(undoLine(`Deleted ${singular} "Open air" (1)`)),
    })
    expect(await calctl(`${noun} get 1`)).toMatchObject({ status: 4 })
  })

  test(`${noun} cannot be read by slug, and the error says so`, async () => {
    expect(await calendar()(`${noun} get open-air`)).toEqual({
      status: 2,
      out: '',
      err: `error: expected the ID of a ${singular}, got "open-air"\nhint: find the ID with: calctl ${noun} list --slug open-air --no-hide-empty\n`,
    })
  })
}

test('categories have parents, and can be listed by parent', async () => {
  const calctl = calendar()
  await calctl('categories create --name Música')
  await calctl('categories create --name Jazz --parent 1')
  expect(await calctl('categories list --parent 1 --no-hide-empty -o ids')).toEqual({ status: 0, out: '2\n', err: '' })
})

test('terms are listed in the order of --orderby', async () => {
  const calctl = calendar()
  for (const name of ['b', 'c', 'a']) await calctl(`tags create --name ${name}`)
  expect(await calctl('tags list --no-hide-empty -o ids')).toMatchObject({ out: '3\n1\n2\n' })
  expect(await calctl('tags list --no-hide-empty --orderby id --order desc -o ids')).toMatchObject({ out: '3\n2\n1\n' })
})

test('quoted digits are a name, unquoted digits an ID', async () => {
  const calctl = calendar()
  await calctl('tags create --name Jazz')
  await calctl('tags create --name 2026')
  await calctl(['tags', 'create', '--name', '1'])
  const dates = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']
  const tagsOf = async (title: string, tags: string) =>
    (
      await calctl([
        'events',
        'create',
        '--title',
        title,
        ...dates,
        '--tags',
        tags,
        '--fields',
        'tags.name',
        '-o',
        'tsv',
      ])
    ).out
  expect(await tagsOf('A', '"2026"')).toBe('tags.name\n2026\n')
  expect(await tagsOf('B', '"1", 1')).toBe('tags.name\n1, Jazz\n')
})
