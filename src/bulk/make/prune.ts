import type { Client, Values } from '../../client/client.ts'
import type { Answer } from '../../contract/resource.ts'
import type { Step } from '../plan.ts'
import { type Reader, unnarrowed } from '../reader.ts'
import { essence } from '../record.ts'
import type { Group } from './from-records.ts'
import { type Located, removal } from './step.ts'

/** The steps that take away what a file does not have, of what the filters list. */
export async function* pruning(
  client: Client,
  reader: Reader,
  { resource, language }: Group,
  located: Iterable<Located>,
  filters: Values,
): AsyncGenerator<Step> {
  const known = Object.entries(filters).filter(([name]) => name in resource.filters)
  const kept = new Set<number | undefined>()
  for (const { record, before } of located) if (record.resource === resource.name) kept.add(before?.id)
  const other = language === client.language ? undefined : language
  const step = (record: Answer) => removal({ resource, language: other, key: `${resource.name} ${record.id}` }, record)
  // Read whole, so that it is known how many there are beside those that are taken away.
  const all = await reader.whole({ resource, language })
  if (known.length === 0) {
    for (const record of all.all()) if (!kept.has(record.id)) yield step(record)
    return
  }
  for await (const { records } of client.pages(resource, unnarrowed({ resource, language }, Object.fromEntries(known))))
    for (const record of records) if (!kept.has(record.id)) yield step(essence(resource, record))
}
