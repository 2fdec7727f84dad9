import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import type { FileStore } from '../../src/service/store/file-store.ts'
import { addTag, tempCalendarFile } from '../support/temp-calendar-file.ts'

const names = (store: FileStore) => [...store.table('tags').values()].map(({ name }) => name)

/** The lines of a journal without their checksums. */
const unsealed = (journal: string): string[] =>
  journal.split('\n').map(line => line.replace(/,"crc":"[\da-f]{8}"\}$/, '}'))

const checksumOf = (texts: readonly string[]): string => crc32(texts.join('')).toString(16).padStart(8, '0')

/** A journal line with this content, after the lines before it: written a second time, so that a change of how it is done is noticed. */
function line(before: string, content: object): string {
  const text = JSON.stringify({ group: 1, ...content })
  return `${text.slice(0, -1)},"crc":"${checksumOf([...unsealed(before), text])}"}\n`
}

/** A journal as earlier versions wrote it: the checksum comes first, and a space or a plus says whether a group begins. */
function asEarlierVersion(journal: string): string {
  const texts: string[] = []
  return unsealed(journal)
    .filter(text => text !== '')
    .map(text => {
      const earlier = text.replace(/^\{"group":\d+,/, '{')
      texts.push(earlier)
      return `${checksumOf(texts)}${earlier === text ? '+' : ' '}${earlier}\n`
    })
    .join('')
}

/** A calendar file with Jazz in the file, and Blues and Swing in the journal, as after a crash. */
async function crashed() {
  const shelved = tempCalendarFile()
  const first = await shelved.open()
  await first.write(addTag('Jazz'))
  await first.close()
  const store = await shelved.open()
  await store.write(addTag('Blues'))
  await store.write(addTag('Swing'))
  const { file, journal } = shelved
  copyFileSync(file, `${file}.kept`)
  copyFileSync(journal, `${journal}.kept`)
  await store.close()
  copyFileSync(`${file}.kept`, file)
  copyFileSync(`${journal}.kept`, journal)
  return shelved
}

test('each write is a line of the journal before it is acknowledged', async () => {
  const { readJournal } = await crashed()
  expect(unsealed(readJournal())).toEqual([
    expect.stringMatching(/^\{"group":2,"base":\{"size":\d+,"checksum":\d+\}\}$/),
    '{"changes":[{"table":"tags","put":{"id":2,"name":"Blues","lang_code":"ca","slug":"blues"}}],"sequence":{"post":0,"term":2}}',
    '{"group":1,"changes":[{"table":"tags","put":{"id":3,"name":"Swing","lang_code":"ca","slug":"swing"}}],"sequence":{"post":0,"term":3}}',
    '',
  ])
})

test('records that are only in the journal are read again', async () => {
  const { open, read } = await crashed()
  const store = await open()
  expect(names(store)).toEqual(['Jazz', 'Blues', 'Swing'])
  expect((await store.write(addTag('Bop'))).id).toBe(4)
  await store.close()
  expect(read()).toContain('"Bop"')
})

test('a journal of an earlier version is read, and continued', async () => {
  const { open, journal, read } = await crashed()
  writeFileSync(journal, asEarlierVersion(readFileSync(journal, 'utf8')))
  const store = await open()
  expect(names(store)).toEqual(['Jazz', 'Blues', 'Swing'])
  await store.write(addTag('Bop'))
  copyFileSync(journal, `${journal}.mixed`)
  await store.close()
  expect(read()).toContain('"Bop"')
  expect(readFileSync(`${journal}.mixed`, 'utf8')).toMatch(
    /^[\da-f]{8} \{"base".*\n.*\n.*\n\{"group":1,"changes".*"crc":"[\da-f]{8}"\}\n$/,
  )
})

test('an incomplete last line is dropped and overwritten, wherever it ends', async () => {
  const { open, journal, file } = await crashed()
  const whole = readFileSync(journal, 'utf8')
  const lastLine = whole.trimEnd().lastIndexOf('\n') + 1
  for (const end of [lastLine + 1, lastLine + 9, lastLine + 40, whole.length - 1]) {
    writeFileSync(journal, whole.slice(0, end))
    copyFileSync(`${file}.kept`, file)
    const store = await open()
    expect(names(store)).toEqual(['Jazz', 'Blues'])
    await store.write(addTag('Bop'))
    await store.close()
    const again = await open()
    expect(names(again)).toEqual(['Jazz', 'Blues', 'Bop'])
    await again.close()
  }
})

/** Writes Blues, then eight long tags in one go, and leaves the files as a kill does. */
async function writtenTogether() {
  const shelved = await crashed()
  const store = await shelved.open()
  const lengths = [readFileSync(shelved.journal).length]
  const tags = Array.from({ length: 8 }, (_, n) => `Tag ${n} ${'x'.repeat(600)}`)
  await Promise.all(tags.map(name => store.write(addTag(name))))
  const journal = readFileSync(shelved.journal)
  copyFileSync(shelved.file, `${shelved.file}.kept`)
  await store.close()
  copyFileSync(`${shelved.file}.kept`, shelved.file)
  return { ...shelved, bytes: journal, start: lengths[0] ?? 0 }
}

test('writes made together of which only some blocks reached the disk are dropped without a repair', async () => {
  const { open, file, journal, bytes, start } = await writtenTogether()
  const firstBlock = Math.ceil(start / 512)
  for (const lost of [[0], [1], [3, 5], [1, 2, 3]]) {
    const torn = Buffer.from(bytes)
    for (const block of lost) torn.fill(0, (firstBlock + block) * 512, (firstBlock + block + 1) * 512)
    writeFileSync(journal, torn)
    copyFileSync(`${file}.kept`, file)
    const store = await open()
    expect(names(store).slice(0, 3)).toEqual(['Jazz', 'Blues', 'Swing'])
    expect(store.keptAside).toEqual([])
    await store.close()
  }
})

test.each([
  ['a changed byte in the last line', (bytes: Buffer) => bytes.fill('y', bytes.length - 300, bytes.length - 299)],
  ['a changed end of the last line', (bytes: Buffer) => bytes.fill('y', bytes.length - 1)],
  ['a zero in the last line', (bytes: Buffer) => bytes.fill(0, bytes.length - 300, bytes.length - 299)],
])('%s is damage, which is reported', async (_, damage) => {
  const { open, journal, bytes } = await writtenTogether()
  writeFileSync(journal, damage(bytes))
  await expect(open()).rejects.toMatchObject({ message: expect.stringMatching(/is damaged at line \d+$/) })
})

test.each([
  ['removed', (journal: string) => rmSync(journal)],
  [
    'replaced',
    (journal: string) => {
      rmSync(journal)
      writeFileSync(journal, 'something else')
    },
  ],
])('what is written after an empty journal was %s survives a kill', async (_, change) => {
  const { file, journal, open } = tempCalendarFile()
  const store = await open()
  await store.write(addTag('Jazz'))
  await store.rewrite()
  expect(readFileSync(journal, 'utf8')).toBe('')
  change(journal)
  await store.write(addTag('Blues'))
  const copy = tempCalendarFile()
  for (const [from, to] of [
    [file, copy.file],
    [journal, copy.journal],
  ] as const)
    if (existsSync(from)) copyFileSync(from, to)
  const killed = await copy.open()
  expect(names(killed)).toEqual(['Jazz', 'Blues'])
  await killed.close()
  await store.close()
})

test('lost blocks of writes that others follow are damage', async () => {
  const { open, file, journal } = await writtenTogether()
  const store = await open({ longJournal: 1 << 20 })
  await Promise.all(['A', 'B'].map(name => store.write(addTag(`${name} ${'x'.repeat(600)}`))))
  await store.write(addTag('Bop'))
  const [calendar, bytes] = [readFileSync(file), readFileSync(journal)]
  await store.close()
  writeFileSync(file, calendar)
  writeFileSync(journal, bytes.fill(0, 512, 1024))
  await expect(open()).rejects.toMatchObject({ message: expect.stringMatching(/is damaged at line \d+$/) })
})

test('a changed byte in the middle is refused, with the line and a hint', async () => {
  const { open, file, journal, edit, read, readJournal } = await crashed()
  edit(text => text.replace('Blues', 'Bluez'), journal)
  const [calendar, damaged] = [read(), readJournal()]
  await expect(open()).rejects.toMatchObject({
    kind: 'settings',
    message: `${journal} is damaged at line 2`,
    details: {
      hint: `recover the part before that line, and keep a copy of the journal, with: calctl serve --repair --file ${file}`,
    },
  })
  expect([read(), readJournal()]).toEqual([calendar, damaged])
})

test('a missing line is damage too', async () => {
  const { open, journal, edit } = await crashed()
  edit(text => `${text.replace(/^.*Blues.*\n/m, '')}more`, journal)
  await expect(open()).rejects.toMatchObject({ message: `${journal} is damaged at line 2` })
})

test('repair uses the journal up to the damage, and keeps a copy of the damaged journal', async () => {
  const { open, journal, edit, readJournal } = await crashed()
  edit(text => text.replace('Swing', 'Swung').concat('more\n'), journal)
  const damaged = readJournal()
  const store = await open({ repair: true })
  expect(store.keptAside).toEqual([`${journal}.aside`])
  expect(names(store)).toEqual(['Jazz', 'Blues'])
  await store.close()
  expect(readFileSync(`${journal}.aside`, 'utf8')).toBe(damaged)
  const again = await open()
  expect(names(again)).toEqual(['Jazz', 'Blues'])
  await again.close()
})

test('a file edited while its journal has changes is refused, and both are kept', async () => {
  const { open, file, journal, edit, read, readJournal } = await crashed()
  edit(text => text.replace('"Jazz"', '"Free jazz"'))
  const [calendar, changes] = [read(), readJournal()]
  await expect(open()).rejects.toMatchObject({
    kind: 'settings',
    message: `${file} was edited although ${journal} holds changes not yet written to it`,
  })
  expect([read(), readJournal()]).toEqual([calendar, changes])

  const store = await open({ repair: true })
  expect(names(store)).toEqual(['Free jazz'])
  await store.close()
  expect(readFileSync(`${journal}.aside`, 'utf8')).toBe(changes)
})

test('a file removed while its journal has changes is reported', async () => {
  const { open, file, journal } = await crashed()
  rmSync(file)
  await expect(open()).rejects.toMatchObject({
    message: `${file} was removed although ${journal} holds changes not yet written to it`,
  })
})

test('a file that was closed has no journal, and can be edited', async () => {
  const { open, journal, edit } = tempCalendarFile()
  const store = await open()
  await store.write(addTag('Jazz'))
  await store.close()
  edit(text => text.replace('"Jazz"', '"Free jazz"'))
  const edited = await open()
  expect(names(edited)).toEqual(['Free jazz'])
  await edited.write(addTag('Blues'))
  await edited.close()
  expect(existsSync(journal)).toBe(false)
  const again = await open()
  expect(names(again)).toEqual(['Free jazz', 'Blues'])
  await again.close()
})

test('a crash at any step of rewriting the file loses and duplicates nothing', async () => {
  const { open, file, journal, read } = await crashed()
  const entries = readFileSync(journal, 'utf8')
  const store = await open()
  await store.close()
  const rewritten = read()
  const bytes = Buffer.from(rewritten)
  const mark = { base: { size: bytes.length, checksum: crc32(bytes) } }
  const before = readFileSync(`${file}.kept`, 'utf8')
  const steps = [
    { step: 'marked, not renamed', calendar: before, changes: entries + line(entries, mark) },
    { step: 'renamed', calendar: rewritten, changes: entries + line(entries, mark) },
    { step: 'journal emptied', calendar: rewritten, changes: '' },
    { step: 'journal begun anew', calendar: rewritten, changes: line('', mark) },
  ]
  for (const { step, calendar, changes } of steps) {
    writeFileSync(file, calendar)
    writeFileSync(journal, changes)
    const after = await open()
    expect(names(after), step).toEqual(['Jazz', 'Blues', 'Swing'])
    await after.write(addTag('Bop'))
    await after.close()
    const again = await open()
    expect(names(again), step).toEqual(['Jazz', 'Blues', 'Swing', 'Bop'])
    await again.close()
  }
})
