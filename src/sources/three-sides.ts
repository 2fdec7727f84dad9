import type { Values } from '../client/client.ts'
import type { FileRecord } from '../files/records/file-record.ts'
import { type Mark, saysTheSame } from './memory.ts'
import { mergedValues, type Origin, type SourceRules, type Subject, winnerOf } from './subjects.ts'
import { removalSign } from './word.ts'

/**
 * What the sources ask of the record of one event: what they say otherwise than before. What an editor changed is not asked for, because the
 * sources did not say it; `settle.ts` holds back where both did, differently.
 */
export function askedOf(subject: Subject, rules: readonly SourceRules[]): FileRecord | undefined {
  const first = subject.origins.find(({ word }) => word)?.word
  if (!first || subject.perhaps) return undefined
  const { origin: _, match: __, ...template } = first.record
  if (subject.live) return changeOf(subject, template, subject.live.id, rules)
  const mark = markOn(subject)
  const isRemoved = removalSign in first.said
  // What is called off and not in the calendar needs nothing.
  if (!wasThere(subject)) return isRemoved ? undefined : newRecord(first.record, valuesNow(subject))
  if (isRemoved || mark === 'rejected' || mark === undefined) return undefined
  if (!subject.trashed) return { ...first.record, values: valuesNow(subject) }
  const change = changeOf(subject, template, subject.trashed.id, rules)
  const status = first.said.status ?? template.valuesIfNew?.status ?? statusBefore(subject) ?? 'publish'
  return { ...change, action: 'restore', values: { ...change.values, status } }
}

/** A record to be created: the events of the calendar that it resembles are other ones, which only a slug could show to be the same. */
const newRecord = (record: FileRecord, values: Values): FileRecord =>
  values.slug === undefined ? { ...record, values, action: 'create' } : { ...record, values }

/** Whether the calendar had an event, as far as is known or a person says. */
export const wasThere = ({ trashed, origins }: Subject): boolean =>
  trashed !== undefined || origins.some(({ event }) => event?.record || event?.mark === 'rejected')

/** The mark that a person, or a run, gave an event. */
export const markOn = ({ origins }: Subject): Mark | undefined =>
  origins.map(({ event }) => event?.mark).find(mark => mark !== undefined)

const statusBefore = ({ origins }: Subject): unknown =>
  origins.map(({ event }) => event?.left.status).find(status => status !== undefined && status !== 'trash')

/** All values that the sources have for an event, in the form in which files have them. */
const valuesNow = ({ origins }: Subject): Values =>
  mergedValues(origins, ({ word, event }) => word?.record.values ?? event?.said)

function changeOf({ origins }: Subject, template: FileRecord, id: number, rules: readonly SourceRules[]): FileRecord {
  const now = mergedValues(origins, ({ word, event }) => word?.said ?? event?.said)
  const before = mergedValues(origins, ({ event }) => event?.said)
  const [{ word, event } = {} as Origin] = origins
  if (word && removalSign in word.said && !(event && removalSign in event.said))
    return { ...template, id, action: 'trash', values: {}, cleared: [] }
  const decidedBy = (name: string) => deciderOf(origins, name, rules)
  const asked = Object.keys({ ...before, ...now }).filter(
    name =>
      name !== removalSign &&
      // Memories of before have slugs.
      name !== 'slug' &&
      decidedBy(name) !== 'local' &&
      (decidedBy(name) === 'source' || !saysTheSame(now[name], before[name])),
  )
  const values = valuesNow({ origins })
  const isEmptied = (name: string) => now[name] === undefined || now[name] === null
  const { action: _, ...others } = template
  return {
    ...others,
    id,
    values: Object.fromEntries(asked.flatMap(name => (isEmptied(name) ? [] : [[name, values[name]]]))),
    cleared: asked.filter(isEmptied),
  }
}

/** Who decides about a field where both changed it, if that was said. */
export function deciderOf(origins: readonly Origin[], name: string, rules: readonly SourceRules[]) {
  const source = winnerOf(origins, name)?.source
  return rules.find(rule => rule.name === source)?.decides?.[name]
}
