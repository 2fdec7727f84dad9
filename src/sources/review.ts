import { grouped } from '../base/groups.ts'
import { allSignsOf } from '../changes/plan/identity.ts'
import type { SiteReader } from '../changes/plan/site-reader.ts'
import type { Values } from '../client/client.ts'
import type { ListScope } from '../client/find/whole-lists.ts'
import { resourceNamed } from '../contract/contract.ts'
import { knownValue } from '../contract/record.ts'
import type { Answer } from '../contract/resource.ts'
import type { Remembered, SourceMemory } from './memory.ts'

const events = resourceNamed('events')

/** What only a person can settle about an event of a source. */
export interface Question {
  readonly event: Remembered
  readonly live: Answer | undefined
  readonly state: 'conflict' | 'rejected' | 'undone' | 'perhaps' | 'unknown'
  /** The field of a conflict, with what the source says and what the site has. */
  readonly field?: string
  readonly said?: unknown
  readonly site?: unknown
}

/** All that waits for a person, or is left alone because of one. */
export async function openQuestions(
  memory: SourceMemory,
  reader: SiteReader,
  languageOf: (source: string) => ListScope['language'],
): Promise<Question[]> {
  const all = [...memory.all()].filter(({ mark }) => mark !== 'trashed' && mark !== 'wanted')
  const questions: Question[] = []
  for (const [language, own] of grouped(all, ({ source }) => languageOf(source))) {
    const ids = own.flatMap(({ record }) => record?.id ?? [])
    const live = await reader.readByIds({ resource: events, language }, ids)
    questions.push(...own.flatMap(event => questionsOf(event, event.record && live.get(event.record.id))))
  }
  return questions
}

function questionsOf(event: Remembered, live: Answer | undefined): Question[] {
  if (event.perhaps) return [{ event, live, state: event.perhaps.length > 0 ? 'perhaps' : 'unknown' }]
  if (event.mark === 'undone') return [{ event, live, state: 'undone' }]
  if ((event.record || event.mark === 'rejected') && !live) return [{ event, live, state: 'rejected' }]
  return Object.entries(event.waiting ?? {}).map(([field, said]) => {
    const definition = events.fields[field]
    const site = live && definition ? knownValue(field, definition, live) : undefined
    return { event, live, state: 'conflict', field, said, site }
  })
}

/** Settles a conflict for good: `source` is written by the next run, `local` stays until the source says something else again. */
export function takeSide(memory: SourceMemory, { event, live, field = '' }: Question, side: 'source' | 'local'): void {
  const current = memory.get(event.source, event.key) ?? event
  const { [field]: waiting, ...others } = current.waiting ?? {}
  const { waiting: _, ...kept } = current
  const { [field]: __, ...said } = current.said
  // The value of the site counts as changed by a person, also from the next word of the source on.
  const isLocal = side === 'local'
  const taken = isLocal ? { ...said, ...(waiting !== null && { [field]: waiting }) } : current.said
  memory.put({
    ...kept,
    said: taken,
    left: isLocal ? current.left : { ...current.left, ...valuesOf(live, [field]) },
    ...(Object.keys(others).length > 0 && { waiting: others }),
  })
}

/** Says of an event whether it is new, or was removed: its memory was lost. */
export function decideWhetherNew(memory: SourceMemory, { event }: Question, side: 'source' | 'local'): void {
  const { perhaps: _, ...kept } = event
  memory.put(side === 'source' ? { ...kept, said: {} } : { ...kept, mark: 'rejected' })
}

/** Lets the next run write again what was undone, restore what was rejected, or create it anew. */
export function bringBack(memory: SourceMemory, { event, live }: Question): void {
  const { mark: _, ...kept } = event
  memory.put(
    live
      ? { ...kept, left: { ...kept.left, ...valuesOf(live, Object.keys(kept.said)) }, said: {} }
      : { ...kept, said: {}, mark: 'wanted' },
  )
}

/** Says which record of the site an event is, or that it is none of those that it may be. */
export function decideIdentity(memory: SourceMemory, { event }: Question, same: Answer | undefined): void {
  const { perhaps = [], others = [], ...kept } = event
  memory.put(
    same
      ? { ...kept, said: {}, record: { resource: 'events', id: same.id, signs: allSignsOf('events', same) } }
      : { ...kept, said: {}, others: [...others, ...perhaps] },
  )
}

/** The values of a record by which is seen later whether somebody has changed them. */
function valuesOf(live: Answer | undefined, names: readonly string[]): Values {
  return Object.fromEntries(
    names.flatMap(name => {
      const field = events.fields[name]
      const value = live && field ? knownValue(name, field, live) : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
