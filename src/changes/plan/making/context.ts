/**
 * Builds plans: from the records of files (from-files), from a list of IDs and slugs (from-refs), or from a recurrence rule (from-rule).
 * Input: what a user wants, and a client of the site, which is only read. Output: a plan whose steps say what to write, and which records
 * of the input are invalid and why.
 */
import type { ChangeContext } from '../../../client/change.ts'
import type { Client } from '../../../client/client.ts'
import type { NameCare } from '../../../client/name-lookup.ts'
import { resources } from '../../../contract/contract.ts'
import type { ResourceName } from '../../../contract/field.ts'
import type { Language } from '../../../contract/languages.ts'
import { countRemovals } from '../overview.ts'
import type { Plan, Step } from '../plan.ts'
import type { SiteReader } from '../site-reader.ts'
import type { ReadonlyList } from '../spool.ts'

/** The inputs and settings of building a plan. */
export interface BuildContext extends Pick<ChangeContext, 'now' | 'zone' | 'siteZone' | 'notice'> {
  readonly client: Client
  /** What to do before a record is created whose name resembles an existing one; absent if that is not checked. */
  readonly care?: NameCare
}

/** The sizes of the lists from which steps remove records: limits are a share of them. */
export async function listSizes(reader: SiteReader, steps: ReadonlyList<Step>): Promise<NonNullable<Plan['among']>> {
  const sizes: Partial<Record<ResourceName, number>> = {}
  for (const resource of resources) {
    if (countRemovals({ steps }, resource.name) === 0) continue
    const languages = new Set<Language>()
    for (const { resource: name, lang_code: language } of steps)
      if (language && name === resource.name) languages.add(language)
    sizes[resource.name] = await reader.count(resource, languages)
  }
  return sizes
}

/** A plan for a client's calendar and language. */
export const createPlan = (
  { client, now }: { readonly client: Pick<Client, 'calendar' | 'language'>; readonly now: Date },
  parts: Pick<Plan, 'steps' | 'same' | 'anew' | 'invalid' | 'among' | 'notes' | 'files'>,
): Plan => ({
  calctl: 1,
  calendar: { id: client.calendar.id, label: client.calendar.label },
  ...(client.language && { lang_code: client.language }),
  made: now.toISOString(),
  ...parts,
})
