import { resources } from './contract/contract.ts'
import type { Answer } from './contract/resource.ts'
import { mostRefs, rememberRefs } from './profiles/known-refs.ts'
import { isOne, type Records, type Row, type Shape } from './terminal/form.ts'
import type { World } from './world.ts'

/** Records on their way to be printed, and what remembers those that went by. */
interface NotedRecords {
  readonly records: Row | Records
  remember(): Promise<void>
}

/** Remembers the first records that are printed, for Tab completion; anything else passes through. */
export function noteRecords(world: World, key: string, shape: Shape, records: Row | Records): NotedRecords {
  const resource = resources.find(one => one === shape)
  if (!resource) return { records, remember: async () => {} }
  const seen: Answer[] = []
  async function* noting(all: Records): AsyncGenerator<Row> {
    for await (const record of all) {
      if (seen.length < mostRefs) seen.push(record as Answer)
      yield record
    }
  }
  if (isOne(records)) seen.push(records as Answer)
  return {
    records: isOne(records) ? records : noting(records),
    remember: () => rememberRefs(world, key, resource, seen),
  }
}
