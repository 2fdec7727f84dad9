import type { Remembered, SourceMemory } from './memory.ts'
import { isSameEvent } from './record-finder.ts'
import { dayOf, type Word } from './word.ts'

/**
 * The words of one source, of which those with a new key continue what the source said under another one that it no longer has: the same
 * event at the same moment and place. What an editor changed or rejected stays so when a source makes new UIDs.
 */
export function withEarlierKeys(words: readonly Word[], memory: SourceMemory, zone: string): Word[] {
  const [first] = words
  if (!first || words.every(({ event }) => event)) return [...words]
  const keys = new Set(words.map(({ key }) => key))
  const byDay = new Map<string, Remembered[]>()
  for (const event of memory.all())
    if (event.source === first.source && !keys.has(event.key)) {
      const day = dayOf(event.said)
      byDay.set(day, [...(byDay.get(day) ?? []), event])
    }
  return words.map(word => {
    if (word.event) return word
    const candidates = byDay.get(dayOf(word.said)) ?? []
    const event = candidates.find(({ said, waiting }) =>
      isSameEvent({ values: { ...said, ...waiting } }, word.record, zone),
    )
    if (!event) return word
    candidates.splice(candidates.indexOf(event), 1)
    return { ...word, event }
  })
}
