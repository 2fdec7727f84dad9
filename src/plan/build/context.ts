import type { Client } from '../../client/client.ts'
import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { countRemovals, type Plan, type Step } from '../plan.ts'
import type { SiteReader } from '../site-reader.ts'
import type { ReadonlyList } from '../spool.ts'

/** What stands around the making of a plan. */
export interface BuildContext {
  readonly client: Client
  readonly now: Date
  /** The site's time zone, or the viewer's where the site does not tell. */
  readonly zone: string
  readonly notice: (text: string) => Promise<void>
}

/** A plan for a client's site in its language. */
export const createPlan = (
  { client, now }: Pick<BuildContext, 'client' | 'now'>,
  made: Pick<Plan, 'steps' | 'same' | 'anew' | 'invalid' | 'among' | 'notes'>,
): Plan => ({
  calctl: 1,
  calendar: { id: client.calendar.id, label: client.calendar.label },
  ...(client.language && { language: client.language }),
  made: now.toISOString(),
  ...made,
})

/** How many records there are of what steps take away from. */
export async function listSizes(reader: SiteReader, steps: ReadonlyList<Step>): Promise<NonNullable<Plan['among']>> {
  const sizes: Partial<Record<ResourceName, number>> = {}
  for (const resource of resources)
    if (countRemovals({ steps }, resource.name) > 0) sizes[resource.name] = await reader.count(resource)
  return sizes
}
