import { copyFileSync, existsSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blanks, type EventRow, type TermRow } from '../../src/service/store/rows.ts'
import type { Snapshot, Writing } from '../../src/service/store/store.ts'
import { tempCalendarFile } from '../support/temp-calendar-file.ts'

type Step = { readonly what: 'tag' | 'event' | 'delete' | 'throw'; readonly id: number; readonly text: string }

const steps = fc.array(
  fc.record<Step>({
    what: fc.constantFrom('tag', 'event', 'delete', 'throw'),
    id: fc.integer({ min: 1, max: 8 }),
    text: fc.string({ unit: 'grapheme', maxLength: 12 }),
  }),
  { maxLength: 5 },
)

/** Writes of several steps each, with rewrites of the file in between. */
const history = fc.array(fc.oneof(steps, fc.constant('rewrite' as const)), { maxLength: 12 })

const doing = (all: readonly Step[]) => (writing: Writing) => {
  for (const { what, id, text } of all) {
    const tag: TermRow = { id, lang_code: 'ca', slug: `tag-${id}-${text}`, name: text, description: text }
    const event: EventRow = {
      ...blanks.events,
      id,
      lang_code: 'es',
      title: text,
      slug: `event-${id}`,
      cost: text,
      tags: [id],
    }
    if (what === 'tag') writing.put('tags', tag)
    else if (what === 'event') writing.put('events', { ...event, post_parent: writing.nextId('post') })
    else if (what === 'delete') writing.delete('tags', id)
    else throw new Error('no')
  }
}

const byId = ({ rows, sequence }: Snapshot) => ({
  sequence,
  rows: Object.fromEntries(Object.entries(rows).map(([name, all]) => [name, all.toSorted((a, b) => a.id - b.id)])),
})

/** The calendar that another process would read if this one were killed now. */
async function readAfterCrash({ file, journal }: ReturnType<typeof tempCalendarFile>): Promise<Snapshot> {
  const copy = tempCalendarFile()
  if (existsSync(file)) copyFileSync(file, copy.file)
  if (existsSync(journal)) copyFileSync(journal, copy.journal)
  const store = await copy.open()
  const snapshot = store.snapshot()
  await store.close()
  return snapshot
}

test('after a crash the store has what was in memory, whatever was written', async () => {
  await fc.assert(
    fc.asyncProperty(history, async all => {
      const shelved = tempCalendarFile()
      const store = await shelved.open()
      for (const part of all) {
        if (part === 'rewrite') await store.rewrite()
        else await store.write(doing(part)).catch(() => undefined)
      }
      expect(byId(await readAfterCrash(shelved))).toEqual(byId(store.snapshot()))
      await store.close()
      expect(byId(await readAfterCrash(shelved))).toEqual(byId(store.snapshot()))
    }),
    { numRuns: 50 },
  )
})
