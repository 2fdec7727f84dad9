/** What an update through the events API may lose: links that this API resets without showing them, and costs that it cannot write. */

import { memoizeByObject } from '../../base/memoize.ts'
import { isObject } from '../../base/text/json.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Reads, Values, WordPress } from '../client.ts'
import { listByIds } from './wp-lists.ts'
import { hasMoreLinks } from './wp-record.ts'

/** Whether an update through the events API has kept the stored cost that it sent back: that API cannot write every cost. */
export const keepsCost = ({ fields }: Resource, { raw }: Answer, after: Answer): boolean =>
  fields.cost === undefined || raw?.cost === '' || raw?.cost === costJustStored(after)

/** The cost that an update has just stored, if its answer shows a single number: the cost without the symbol that the site adds. */
function costJustStored({ cost, cost_details: details }: Answer): string | undefined {
  const shown = String(cost ?? '')
  if (shown === '') return ''
  if (!isObject(details) || !Array.isArray(details.values) || details.values.length !== 1) return undefined
  if (details.currency_symbol !== '' || details.currency_code) return undefined
  return /^[^\d\p{L}\s.,-]?(\d+([.,]\d+)?)[^\d\p{L}\s.,-]?$/u.exec(shown)?.[1]
}

/**
 * The links that an update through the events API would remove from a record, because it resets their field and does not show them: those
 * to records in the trash. By field, with the links that it shows. One request, and one more if anything is in the trash.
 */
export async function linksToKeep(
  client: Reads,
  { wordpress, resource, base }: { readonly wordpress: WordPress; readonly resource: Resource; readonly base: Answer },
): Promise<Values> {
  if (client.takesPartialUpdates()) return {}
  const kept: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.kind.shape !== 'links' || !field.site?.resets || !field.of) continue
    if (!(await hasTrash(client)(resourceNamed(field.of)))) continue
    const row = (await listByIds(wordpress, resource, [base.id]))?.get(base.id)
    if (row && hasMoreLinks(field, base[name], row[name])) kept[name] = field.kind.canonical(row[name], field)
  }
  return kept
}

/** Whether records of a resource may be in the trash; asked once. */
const hasTrash = memoizeByObject((client: Reads) =>
  memoizeByObject((resource: Resource) =>
    client.list(resource, { status: 'trash', per_page: 1 }).then(
      ({ records }) => records.length > 0,
      // A contributor may not see the trash.
      () => true,
    ),
  ),
)
