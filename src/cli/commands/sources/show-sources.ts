import { missing } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { SiteReader } from '../../../changes/plan/site-reader.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { Language } from '../../../contract/languages.ts'
import type { SourceMemory } from '../../../sources/memory.ts'
import { openQuestions } from '../../../sources/review.ts'
import { reasonsFor } from '../../../sources/why.ts'
import type { App } from '../../app.ts'
import { sourceStatusShape, whyShape } from '../shared/output-shapes.ts'
import { memoryOf } from './apply-sources.ts'
import { feedFile } from './feed-memory.ts'
import { openMemory } from './open-memory.ts'
import { sourcesHere } from './source-world.ts'

/** Which memory is meant: that of the folder, or of a feed that `calctl apply URL` follows. */
export interface MemoryChoice {
  readonly feed?: string
}

export const memoryFile = async (app: App, { feed }: MemoryChoice): Promise<string> =>
  feed === undefined ? memoryOf(await sourcesHere(app.world)) : feedFile(app, feed)

/** The memory, its sources in the order of their file, and the language in which the events of each are. */
export async function chosenMemory(
  app: App,
  { feed }: MemoryChoice,
): Promise<{ memory: SourceMemory; names: string[]; languageOf(source: string): Language | undefined }> {
  const { language } = await app.client({ toPlan: true })
  const file = feed === undefined ? await sourcesHere(app.world) : undefined
  const memory = await openMemory(app, file ? memoryOf(file) : feedFile(app, feed ?? ''))
  const sources = file?.sources ?? [{ name: 'feed' }]
  const own = new Map(sources.map(source => [source.name, 'language' in source ? source.language : undefined]))
  return { memory, names: [...own.keys()], languageOf: source => own.get(source) ?? language }
}

/** calctl sources status: what became of each source, and what waits. */
export async function showSources(app: App, choice: MemoryChoice): Promise<void> {
  const { memory, names, languageOf } = await chosenMemory(app, choice)
  const client = await app.client({ toPlan: true })
  const questions = await openQuestions(memory, new SiteReader(client), languageOf)
  const count = (source: string, state: string) =>
    questions.filter(question => question.event.source === source && question.state === state).length
  const known = [...memory.all()]
  const rows = names.map(source => {
    const { read = null, events, changes = null, failure } = memory.state(source)
    return {
      source,
      read,
      events: events ?? known.filter(event => event.source === source).length,
      changes,
      conflicts: count(source, 'conflict') + count(source, 'perhaps') + count(source, 'unknown'),
      rejected: count(source, 'rejected') + count(source, 'undone'),
      error: failure?.message ?? null,
      since: failure?.since ?? null,
    }
  })
  await app.print(sourceStatusShape, rows)
}

/** calctl sources why: which source said each field of an event, and when. */
export async function showWhy(app: App, id: number, choice: MemoryChoice): Promise<void> {
  const { memory, names } = await chosenMemory(app, choice)
  const client = await app.client({ toPlan: true })
  const events = memory.byRecord({ resource: 'events', id })
  const live = await client.get(resourceNamed('events'), { id })
  if (events.length === 0)
    throw missing(
      phrase('event {id} comes from no source', { id: String(id) }),
      phrase('see what calctl wrote to it with: {command}', { command: `calctl events history ${id}` }),
    )
  const rows = reasonsFor(events, live, names).map(row => ({ ...row }))
  await app.print(whyShape, rows)
}
