// Eight writers on one calendar file, which print what they are about to delete and what is on disk, until they are killed.
import { writeSync } from 'node:fs'
import { openStore } from '../../src/service/store/open-calendar-file.ts'
import type { TermRow } from '../../src/service/store/rows.ts'

const [file = ''] = process.argv.slice(2)
const store = await openStore({ file, now: () => new Date(), site: { timezone: 'UTC' }, longJournal: 1 << 15 })

const say = (...words: (string | number)[]) => writeSync(1, `${words.join(' ')}\n`)

const put = async (tag: TermRow, version: number) => {
  await store.write(writing => writing.put('tags', { ...tag, description: `version ${version}` }))
  say('put', tag.id, version)
}

async function work(): Promise<void> {
  for (;;) {
    const tag = await store.write(writing => {
      const id = writing.nextId('term')
      const added: TermRow = { id, lang_code: 'ca', slug: `tag-${id}`, name: `Tag ${id}`, description: 'version 0' }
      writing.put('tags', added)
      return added
    })
    say('put', tag.id, 0)
    await put(tag, 1)
    await put(tag, 2)
    if (tag.id % 3 !== 0) continue
    say('deleting', tag.id)
    await store.write(writing => writing.delete('tags', tag.id))
    say('deleted', tag.id)
  }
}

await Promise.all(Array.from({ length: 8 }, work))
