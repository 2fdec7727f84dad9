import type { Client } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { recordKey } from '../../contract/resource.ts'
import type { Step } from '../plan/plan.ts'
import { statusGivenBack } from '../plan/published-places.ts'
import { trimRecord } from '../plan/record-state.ts'
import type { SiteReader } from '../plan/site-reader.ts'
import { batches } from '../plan/spool.ts'
import type { JournaledRun } from '../run/journal-reader.ts'

/** The steps that give places back the status that they had before the site published them along with the events of a run. */
export async function* unpublishSteps(
  client: Client,
  reader: SiteReader,
  { published }: JournaledRun,
): AsyncGenerator<Step> {
  for (const batch of batches([...published.values()])) {
    const current = await reader.readCurrent(batch)
    for (const place of batch) {
      const { resource, id, language } = place
      const key = recordKey(resource, id)
      const record = current.get(key)
      if (record?.status !== 'publish') continue
      yield {
        key: `undo ${key}`,
        action: 'update',
        resource,
        id,
        ...(language && { lang_code: language }),
        before: trimRecord(resourceNamed(resource), record),
        values: await statusGivenBack(client, place),
      }
    }
  }
}
