import type { Client } from '../../client/client.ts'
import { recordKey } from '../../contract/resource.ts'
import { hasSigns } from '../plan/identity.ts'
import type { Step } from '../plan/plan.ts'
import { statusGivenBack } from '../plan/published-places.ts'
import type { SiteReader } from '../plan/site-reader.ts'
import { batches } from '../plan/spool.ts'
import type { JournaledRun } from '../run/journal-reader.ts'
import { type Stranger, strangerOf, updateOfOther } from './undo-step.ts'

/** The steps that give places back the status that they had before the site published them along with the events of a run. */
export async function* unpublishSteps(
  client: Client,
  reader: SiteReader,
  { published }: JournaledRun,
  strangers: Stranger[],
): AsyncGenerator<Step> {
  for (const batch of batches([...published.values()])) {
    const current = await reader.readCurrent(batch)
    for (const place of batch) {
      const record = current.get(recordKey(place.resource, place.id))
      if (record?.status !== 'publish') continue
      if (hasSigns(place.resource, record, place.signs))
        yield updateOfOther(place, record, await statusGivenBack(client, place))
      else strangers.push(strangerOf(place, 'another'))
    }
  }
}
