import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

/** A site without WordPress's own API, with an event that has everything, a category with a parent, and a draft. */
async function siteWithoutWordPress() {
  const site = await productionSite({
    wordpress: false,
    rows: { images: [{ id: 1, url: 'https://example.org/ball.jpg' }] },
  })
  const { id: parent } = await site.json('categories create --name Art --json')
  const { id: category } = await site.json(
    `categories create --name Dansa --parent ${parent} --description Ballar --json`,
  )
  const { id } = await site.json(
    `events create --title Ball ${dates} --description Llarg --excerpt Curt --venue '{"venue":"Sala"}' --image 1 --json`,
  )
  const { id: draft } = await site.json(`events create --title Esborrany ${dates} --status draft --json`)
  return { ...site, id: id as number, draft: draft as number, category: category as number }
}

test.each([
  ['events update ID --clear description', 'description: http://127.0.0.1'],
  ['events update ID --clear excerpt', 'cannot clear it'],
  ['events update ID --clear venue', 'choose another venue, or take it off in WordPress'],
  ['events update ID --data \'{"description":""}\'', 'write another text, or clear it in WordPress'],
  ['events update ID --patch --clear description', 'description'],
  ['events update ID --patch --clear image', 'clear it without --patch'],
  ['categories update CATEGORY --clear parent', 'parent'],
  ['categories update CATEGORY --clear description', 'description'],
  ['events update DRAFT --date "2026-11-01 10:00"', 'dates a draft or pending record by its last save'],
  ['events update ID --date "2026-11-01 10:00" --status draft', 'give the date when it is published'],
  [`events create --title Nou ${dates} --status draft --date "2026-11-01 10:00"`, 'dates a draft or pending record'],
])('%s is refused before anything is sent', async (line, reason) => {
  const { calctl, writes, id, draft, category } = await siteWithoutWordPress()
  const before = writes().length
  const { status, err } = await calctl(
    line.replace('ID', String(id)).replace('DRAFT', String(draft)).replace('CATEGORY', String(category)),
  )
  expect([status, err]).toEqual([4, expect.stringContaining(reason)])
  expect(writes()).toHaveLength(before)
})

test('a sheet and a bulk update name the records whose texts cannot be cleared, and do the others', async () => {
  const { calctl, json, writes, file, id, draft } = await siteWithoutWordPress()
  const sheet = file(
    'events.json',
    JSON.stringify({
      events: [
        { id, description: null },
        { id: draft, title: 'Nou' },
      ],
    }),
  )
  const before = writes().length
  const refused = await calctl(`diff --exit-code ${sheet}`)
  expect(refused.err + refused.out).toContain('description')
  expect((await calctl(`apply ${sheet} --yes`)).status).toBe(2)
  const bulk = await calctl('events update - --clear excerpt --yes', `${id}\n${draft}\n`)
  expect([bulk.status, bulk.err]).toEqual([2, expect.stringContaining('excerpt')])
  expect(writes()).toHaveLength(before)
  expect((await calctl(`apply ${sheet} --yes --skip-invalid`)).status).toBe(6)
  expect((await json(`events get ${draft} --json`)).title).toBe('Nou')
})

test('what a record does not have need not be cleared', async () => {
  const { calctl, draft } = await siteWithoutWordPress()
  const { status, err } = await calctl(`events update ${draft} --title Nou --clear description,venue -q`)
  expect([status, err]).toEqual([0, ''])
})

test('an image is taken off by leaving it out of an update', async () => {
  const { json, id } = await siteWithoutWordPress()
  expect((await json(`events update ${id} --clear image --json`)).image).toBe(false)
})

test('an export with drafts is applied to another site without their dates, with a notice', async () => {
  const { calctl, file } = await siteWithoutWordPress()
  const [head, row] = ['title,start_date,end_date,status,date', 'Nou,2026-12-05 19:00,2026-12-05 21:00,draft']
  const { status, err } = await calctl(`apply ${file('events.csv', `${head}\n${row},2026-01-01 10:00\n`)} --yes`)
  expect([status, err]).toEqual([0, expect.stringContaining('left out 1 publication date')])
})

test('where WordPress has its own API, the same is done', async () => {
  const { calctl, json, writes } = await productionSite()
  const { id: parent } = await json('categories create --name Art --json')
  const { id: category } = await json(`categories create --name Dansa --parent ${parent} --description Ballar --json`)
  const { id } = await json(
    `events create --title Ball ${dates} --description Llarg --excerpt Curt --venue '{"venue":"Sala"}' --json`,
  )
  const cleared = await json(`events update ${id} --clear description,excerpt,venue --json`)
  expect(cleared).toMatchObject({ description: '', excerpt: '', venue: [] })
  expect(await json(`categories update ${category} --clear parent,description --json`)).toMatchObject({
    ...{ parent: 0, description: '' },
  })
  const before = writes().length
  const patched = await calctl(`events update ${id} --patch --clear description`)
  expect([patched.status, patched.err]).toEqual([4, expect.stringContaining('hint: leave out --patch')])
  expect(writes()).toHaveLength(before)
})
