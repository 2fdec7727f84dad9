import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTag, tempCalendarFile } from '../support/temp-calendar-file.ts'

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
    details: { hint: expect.stringContaining('move away what is there') },
  })
  expect(readFileSync(target, 'utf8')).toBe('dear diary')
})

test('a folder with the name of a lock that has other files is left alone', async () => {
  const { file, open } = tempCalendarFile()
  mkdirSync(`${file}.lock`)
  writeFileSync(join(`${file}.lock`, 'notes.txt'), 'mine')
  await expect(open()).rejects.toMatchObject({
    kind: 'settings',
    message: `${file}.lock is not a lock of calctl: it has notes.txt`,
  })
  expect(readFileSync(join(`${file}.lock`, 'notes.txt'), 'utf8')).toBe('mine')
})
