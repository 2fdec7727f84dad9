import type { App } from '../../app.ts'
import type { Client, Values } from '../../client/client.ts'
import { dateFilterNames } from '../../contract/filter.ts'
import type { Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { counted, nounFor } from '../../text/words.ts'

/** What a list leaves out by itself: a filter that counts it, and a sentence that says how to list it. */
interface Hidden {
  readonly filters: Values
  sentence(count: number): string
}

/** Says on a terminal that a list is empty, and what the defaults left out; that takes one request at most. */
export async function noticeNoneFound(
  app: App,
  client: Client,
  resource: Resource,
  filters: Values,
  canCount: boolean,
): Promise<void> {
  const isTable = app.world.stdout.isTTY && (app.output === undefined || app.output === 'table')
  if (!isTable || app.globals.quiet) return
  const hidden = canCount ? hiddenBy(resource, filters) : undefined
  const count = hidden ? await countOf(client, resource, { ...filters, ...hidden.filters }) : 0
  await app.notice(hidden && count > 0 ? hidden.sentence(count) : `no ${resource.name} found`)
}

function hiddenBy(resource: Resource, filters: Values): Hidden | undefined {
  const { name, singular } = resource
  const dateFilters = dateFilterNames(resource.filters)
  if (dateFilters.length > 0 && dateFilters.every(filter => filters[filter] === undefined))
    return {
      filters: { starts_before: 'yesterday' },
      sentence: count => `no ${name} found from today on; ${count} before: add --all-dates`,
    }
  if ('hide_empty' in resource.filters && filters.hide_empty === undefined)
    return {
      filters: { hide_empty: false },
      sentence: count =>
        `no ${name} found; ${counted(count, `empty ${singular}`, `empty ${name}`)} ${nounFor(count, 'is', 'are')} hidden: add --no-hide-empty`,
    }
  return undefined
}

/** Only a hint depends on it, so a site that refuses has none. */
async function countOf(client: Client, resource: Resource, filters: Values): Promise<number> {
  try {
    const { total } = await client.list(resource, { ...filters, page: 1, per_page: 1 })
    return total
  } catch (error) {
    if (error instanceof Failure) return 0
    throw error
  }
}
