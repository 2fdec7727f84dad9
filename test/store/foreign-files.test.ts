import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openEmbedded } from '../support/program.ts'
import { addTag, tempCalendarFile } from '../support/temp-calendar-file.ts'
import { testTime, worldOf } from '../support/world.ts'

/** What other programs may have put beside a calendar file: at these names calctl keeps files of its own. */
const names = [
  'calendar.json.journal',
  'calendar.json.lock',
  'calendar.json.lock/notes',
  'calendar.json.new',
  'calendar.json.journal.aside',
  'calendar.conflict.json',
  'calendar.replaced.json',
] as const

const kinds = ['file', 'link', 'hanging link', 'pipe'] as const

const contents = fc.oneof(
  fc.constantFrom(
    'a line without an end',
    'deadbeef',
    '{"tags":[]}',
    '{"base":1}\n',
    '12345678 notes\n',
    '\n',
    '\0 zero',
  ),
  fc.string({ unit: 'binary', minLength: 1 }),
)

test('nothing that somebody else has put beside a calendar file is emptied, overwritten or removed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.constantFrom(...kinds), contents, async (name, kind, text) => {
      const { folder, open } = tempCalendarFile()
      const path = join(folder, name)
      const target = join(folder, 'somebody-elses')
      mkdirSync(dirname(path), { recursive: true })
      if (kind === 'file') writeFileSync(path, text)
      if (kind === 'link') writeFileSync(target, text)
      if (kind === 'link' || kind === 'hanging link') symlinkSync(target, path)
      if (kind === 'pipe') execFileSync('mkfifo', [path])
      const { ino } = lstatSync(path)
      try {
        const store = await open()
        await store.write(addTag('Jazz'))
        await store.close()
      } catch {
        // It is refused, or the file is not in the way.
      }
      expect(lstatSync(path).ino).toBe(ino)
      if (kind === 'hanging link') expect(existsSync(target)).toBe(false)
      else if (kind !== 'pipe') expect(readFileSync(path, 'utf8')).toBe(Buffer.from(text).toString())
    }),
    { numRuns: 200 },
  )
})

test.each(['link', 'file'])('a journal that is a %s of somebody else is refused, with a way out', async kind => {
  const { folder, file, open } = tempCalendarFile()
  const target = kind === 'link' ? join(folder, 'diary') : `${file}.journal`
  writeFileSync(target, 'dear diary')
  if (kind === 'link') symlinkSync(target, `${file}.journal`)
  await expect(open()).rejects.toMatchObject({
    kind: 'settings',
    message: `${file}.journal is ${kind === 'link' ? 'a symbolic link' : 'not a journal of calctl'}`,
    details: { hint: expect.stringContaining('move it out of the way') },
  })
  expect(readFileSync(target, 'utf8')).toBe('dear diary')
})

test('a folder with the name of a lock that has other files is left alone', async () => {
  const { file, open } = tempCalendarFile()
  mkdirSync(`${file}.lock`)
  writeFileSync(join(`${file}.lock`, 'notes.txt'), 'mine')
  await expect(open()).rejects.toMatchObject({
    kind: 'settings',
    message: `${file}.lock is not a lock of calctl: it contains notes.txt`,
  })
  expect(readFileSync(join(`${file}.lock`, 'notes.txt'), 'utf8')).toBe('mine')
})

const altered = /town\.json is not as calctl last wrote it: someone edited it, or the disk damaged it/

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
