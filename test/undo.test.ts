import { expect, test } from 'vitest'
import { head, row, shelf } from './shelf.ts'

test.each([false, true])('an undo that is undone leaves everything as it was, with quirks: %s', async quirks => {
  const { calctl, file } = shelf({ quirks })
  const sheet = file(
    'town.csv',
    `title,start_date,end_date,venue,organizer,tags,categories
Jazz,2026-12-05 19:00,2026-12-05 21:00,Sala,"Colla, Orfeó","Open air, Swing",Música
Opera,2026-12-06 19:00,2026-12-06 21:00,Sala,Colla,Open air,Música
`,
  )
  const exported = async () => {
    const { out } = await calctl('export events venues organizers categories tags --format ndjson')
    return out
      .split('\n')
      .filter(line => line !== '')
      .map(line => {
        const { modified: _, modified_utc: __, ...record } = JSON.parse(line)
        return record.resource === 'tags' || record.resource === 'categories' ? { ...record, id: 0 } : record
      })
  }
  expect(await calctl(`apply ${sheet} --create-missing --yes --jobs 1`)).toMatchObject({ status: 0 })
  const before = await exported()
  expect(before).toHaveLength(8)
  expect(await calctl('runs undo --yes')).toMatchObject({ status: 0 })
  expect(await exported()).toEqual([])
  expect(await calctl('runs undo --yes')).toMatchObject({ status: 0 })
  expect(await exported()).toEqual(before)
})

test('an undo takes away as many as were made, and no more than --max-trash says', async () => {
  const { calctl, file } = shelf()
  const rows = Array.from({ length: 21 }, (_, index) => row(`Concert ${index}`)).join('')
  await calctl(`apply ${file('many.csv', head + rows)} --yes`)
  expect(await calctl('runs undo --yes --max-trash 5')).toMatchObject({
    status: 8,
    err: expect.stringContaining('error: this takes away 21 records, more than 5\n'),
  })
  expect((await calctl('runs undo --yes')).status).toBe(0)
  expect((await calctl('events list -o count')).out).toBe('0\n')
})
