import { missing } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { App } from '../../app.ts'
import { changeFile, whileLocked } from '../../profiles/change-file.ts'
import { memoryOf } from './apply-sources.ts'
import { openMemory } from './open-memory.ts'
import { sourcesHere, writeSources } from './source-world.ts'

/** calctl sources remove: its events stay in the calendar, and belong to the calendar alone from then on. */
export async function removeSource(app: App, name: string): Promise<void> {
  const { world } = app
  const { path } = await sourcesHere(world)
  const removeFromFile = async () => {
    const file = await sourcesHere(world)
    const index = file.sources.findIndex(source => source.name === name)
    if (index < 0)
      throw missing(
        phrase('there is no source named {name}', { name }),
        phrase('see the sources with: {command}', { command: 'calctl sources status' }),
      )
    const { parseDocument } = await import('yaml')
    const document = parseDocument(file.text)
    document.deleteIn(['sources', index])
    await writeSources(world, path, file, document.toString({ lineWidth: 0 }))
  }
  await changeFile(path, removeFromFile, phrase('check that you may write to the folder'))
  await whileLocked(memoryOf({ path }), async () => {
    const memory = await openMemory(app, memoryOf({ path }))
    memory.forget(name)
    await memory.save()
  })
  await app.notice(phrase('removed {name}; its events stay in the calendar', { name }))
}
