import { expect, test } from 'vitest'
import type { FileStore } from '../../src/service/store/file-store.ts'
import { faultyDisk } from '../support/faulty-disk.ts'
import { addTag, tempCalendarFile } from '../support/temp-calendar-file.ts'

const names = (store: FileStore) => [...store.table('tags').values()].map(({ name }) => name)

async function opened() {
  const shelved = tempCalendarFile()
  const disk = faultyDisk()
  const store = await shelved.open({ disk })
  await store.write(addTag('Jazz'))
  return { ...shelved, disk, store }
}

test('a full disk refuses writes with 507, and changes nothing', async () => {
  const { store, disk, readJournal } = await opened()
  const [journal, before] = [readJournal(), store.snapshot()]
  disk.full = true
  await expect(store.write(addTag('Blues'))).rejects.toMatchObject({
    name: 'Refusal',
    status: 507,
    message: 'The disk is full; nothing was changed. Reads still work; free some space to write again.',
  })
  expect(store.snapshot()).toEqual(before)
  expect(names(store)).toEqual(['Jazz'])
  expect(readJournal()).toBe(journal)
})

test('writes succeed when there is room again', async () => {
  const { store, disk, open } = await opened()
  disk.full = true
  await expect(store.write(addTag('Blues'))).rejects.toMatchObject({ status: 507 })
  disk.full = false
  expect((await store.write(addTag('Swing'))).id).toBe(2)
  await store.close()
  const again = await open()
  expect(names(again)).toEqual(['Jazz', 'Swing'])
  await again.close()
})

test('a failed flush refuses its writes, and those based on them', async () => {
  const { store, disk, open } = await opened()
  disk.broken = true
  const first = store.write(addTag('Blues'))
  const rename = store.write(writing => writing.put('tags', { ...blues, name: 'Rhythm and blues' }))
  expect(names(store)).toEqual(['Jazz', 'Rhythm and blues'])
  const [one, two] = await Promise.allSettled([first, rename])
  expect([one.status, two.status]).toEqual(['rejected', 'rejected'])
  expect(names(store)).toEqual(['Jazz'])
  disk.broken = false
  await store.write(addTag('Swing'))
  await store.close()
  const again = await open()
  expect(names(again)).toEqual(['Jazz', 'Swing'])
  await again.close()
})

test('concurrent writers share one flush', async () => {
  const { store, disk } = await opened()
  const before = disk.flushes
  await Promise.all(Array.from({ length: 100 }, (_, n) => store.write(addTag(`Tag ${n}`))))
  expect(disk.flushes - before).toBe(1)
  expect(store.table('tags').size).toBe(101)
  await store.close()
})

test('an error in a write concerns only that write', async () => {
  const { store } = await opened()
  const [good, bad] = await Promise.allSettled([
    store.write(addTag('Blues')),
    store.write(() => {
      throw new Error('no')
    }),
  ])
  expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected'])
  await store.close()
})

test('restoring a snapshot is written to disk too', async () => {
  const { store, open } = await opened()
  const snapshot = store.snapshot()
  await store.write(addTag('Blues'))
  await store.restore(snapshot)
  await store.close()
  const again = await open()
  expect(again.snapshot()).toEqual(snapshot)
  await again.close()
})

const blues = { id: 2, lang_code: 'ca', slug: 'blues', name: 'Blues', description: '' } as const
