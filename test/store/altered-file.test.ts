import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openEmbedded } from '../../src/service/embedded.ts'
import { testTime, worldOf } from '../support/world.ts'

const altered = /town\.json is not as calctl wrote it last: somebody edited it, or the disk damaged it/

/** A calendar file with two events, and a command line for it. */
async function town() {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'town.json')
  const calctl = worldOf({
    openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => testTime, { onlyReads, notice }),
    env: { CALCTL_BASE_URL: `file:${file}`, XDG_STATE_HOME: folder, HOME: folder },
  })
  for (const title of ['Ball', 'Market'])
    await calctl(`events create --title ${title} --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00" -q`)
  return { file, calctl }
}

test('an altered calendar file is named at the next write, and not again', async () => {
  const { file, calctl } = await town()
  writeFileSync(file, readFileSync(file, 'utf8').replace('Market', 'Marked'))
  expect((await calctl('tags create --name Jazz')).err).toMatch(altered)
  expect((await calctl('tags create --name Folk')).err).not.toMatch(altered)
})

test('a calendar file that was written by hand is nothing to speak of', async () => {
  const { file, calctl } = await town()
  rmSync(file)
  writeFileSync(file, '{"calctl": 1, "site": {"language": "ca", "timezone": "UTC", "quirks": false}}')
  expect((await calctl('tags create --name Jazz')).err).not.toMatch(altered)
})

test('no flipped bit of a calendar file goes unnoticed', async () => {
  const { file, calctl } = await town()
  const bytes = readFileSync(file)
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
      writeFileSync(file, flipped)
      rmSync(`${file}.journal`, { force: true })
      const { status, err } = await calctl(`tags create --name T${at}-${bit}`)
      expect(status !== 0 || altered.test(err)).toBe(true)
    }),
    { numRuns: 60 },
  )
})
