import type { Client, Values } from '../../client/client.ts'
import type { Answer } from '../../contract/resource.ts'
import type { Step } from '../plan.ts'
import { essence } from '../record.ts'
import type { Group } from './from-records.ts'
import { type Located, removal } from './step.ts'
import { type Reader, unnarrowed } from './there.ts'

/** The steps that take away what a file does not have, of what the filters list. */
export async function pruning(
  client: Client,
  reader: Reader,
  { resource, language }: Group,
  located: readonly Located[],
  filters: Values,
): Promise<Step[]> {
  const known = Object.entries(filters).filter(([name]) => name in resource.filters)
  const kept = new Set(located.filter(one => one.resource === resource).map(({ before }) => before?.id))
  const other = language === client.language ? undefined : language
  // Read whole, so that it is known how many there are beside those that are taken away.
  const all = await reader.there(resource, language)
  const listed = known.length === 0 ? all.records.values() : []
  const steps: Step[] = []
  const take = (record: Answer) => {
    if (!kept.has(record.id))
      steps.push(removal({ resource, language: other, key: `${resource.name} ${record.id}` }, record))
  }
  for (const record of listed) take(record)
  if (known.length > 0)
    for await (const { records } of client.pages(resource, unnarrowed(resource, language, Object.fromEntries(known))))
      for (const record of records) take(essence(resource, record))
  return steps
}
