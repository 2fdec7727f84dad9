import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { calendar } from './calendar.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-apply-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A file of this text; its path. */
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('apply makes what a sheet has, venues and tags that are missing included', async () => {
  const calctl = calendar()
  const sheet = file(
    'two.csv',
    `title,start_date,end_date,venue,tags
Concert,2026-12-05 19:00,2026-12-05 21:00,Sala,"Open air, Jazz"
Teatre,2026-12-06 19:00,2026-12-06 21:00,Sala,
`,
  )
  expect(await calctl(`apply ${sheet} --create-missing --yes`)).toEqual({
    status: 0,
    out: '',
    err: expect.stringContaining('+ create 5  ~ update 0  - trash 0  = same 0  ! invalid 0\n'),
  })
  const { out } = await calctl('events list --fields title,venue.venue,tags.name -o ndjson')
  expect(out).toBe(
    `{"title":"Concert","venue":{"venue":"Sala"},"tags":[{"name":"Jazz"},{"name":"Open air"}]}
{"title":"Teatre","venue":{"venue":"Sala"},"tags":[]}
`,
  )
})
