import { expect, test } from 'vitest'
import { shelf } from './shelf.ts'

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
