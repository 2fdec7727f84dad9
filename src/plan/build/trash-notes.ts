import type { Client } from '../../client/client.ts'
import { wholeListQuery } from '../../client/find/whole-lists.ts'
import { isSimilar } from '../../client/similar-records.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { recordName } from '../../terminal/readable.ts'
import { listOfFirst } from '../../text/words.ts'
import { readDate } from '../../time/dates.ts'
import type { Step } from '../plan.ts'

/** Does what only a note depends on, without holding up the plan. */
export type Briefly = <T>(work: () => Promise<T>) => Promise<T>

const mostNamed = 5

/** The sentence about events that a file would create although they are in the trash, where somebody has moved them. */
export function createTrashNotes(client: Client, briefly: Briefly | undefined) {
  /** The first and last days of new events. */
  const spans = new Map<Language | undefined, readonly [string, string]>()
  return {
    add(step: Step): void {
      const day = startDay(step)
      if (!briefly || day === undefined) return
      const span = spans.get(step.language)
      if (!span || day < span[0]) spans.set(step.language, [day, span?.[1] ?? day])
      else if (day > span[1]) spans.set(step.language, [span[0], day])
    },
    async notes(steps: Iterable<Step>): Promise<string[]> {
      if (!briefly || spans.size === 0) return []
      const trashed = new Map<string, Answer[]>()
      for (const [language, days] of spans)
        for (const record of await briefly(() => firstOfTrash(client, language, days)))
          trashed.set(keyOf(language, record), [...(trashed.get(keyOf(language, record)) ?? []), record])
      if (trashed.size === 0) return []
      const found: { record: Answer; step: Step }[] = []
      for (const step of steps) {
        const near = startDay(step) === undefined ? undefined : trashed.get(keyOf(step.language, step.values))
        const record = near?.find(one => isSimilar(events, step.values, one))
        if (record) found.push({ record, step })
      }
      return found.length === 0 ? [] : [sentence(client, found)]
    },
  }
}

const events = resourceNamed('events')

/** The day on which a new event starts; undefined for other steps. */
function startDay({ action, resource, values }: Step): string | undefined {
  if (action !== 'create' || resource !== 'events') return undefined
  return readDate(String(values.start_date))?.wall.slice(0, 10)
}

const keyOf = (language: Language | undefined, { start_date: start }: Readonly<Record<string, unknown>>): string =>
  `${language ?? ''} ${String(start).slice(0, 10)}`

/** One page has to do, and a trash that cannot be read has nothing. */
async function firstOfTrash(
  client: Client,
  language: Language | undefined,
  days: readonly [string, string],
): Promise<readonly Answer[]> {
  try {
    return (await client.list(events, wholeListQuery({ resource: events, language, trashed: true, days }))).records
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

function sentence({ calendar }: Client, found: readonly { readonly record: Answer; readonly step: Step }[]): string {
  const isOne = found.length === 1
  const names = found.map(({ record }) => recordName(events, { record }))
  const restore = `calctl events restore ${found.map(({ record }) => record.id).join(' ')}${calendar.flags ?? ''}`
  const isSheet = found.every(({ step }) => /\brow \d+$/.test(step.at ?? ''))
  return [
    `${found.length} of the new events ${isOne ? 'is' : 'are'} in the trash: ${listOfFirst(names, mostNamed, 'other')}`,
    `to restore ${isOne ? 'it' : 'them'}: ${restore}`,
    ...(isSheet ? [`to leave ${isOne ? 'it out, delete its row' : 'them out, delete their rows'}`] : []),
  ].join('; ')
}
