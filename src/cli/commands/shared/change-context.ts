import type { Step } from '../../../changes/plan/plan.ts'
import type { ChangeContext } from '../../../client/change.ts'
import type { Client } from '../../../client/client.ts'
import type { CreatesMissing, NameCare, NameSource } from '../../../client/name-lookup.ts'
import type { App } from '../../app.ts'
import { nameCare } from './build-context.ts'
import type { ChangeOptions } from './change-options.ts'

/** The context in which the changes of a command are resolved, and the steps that create what they name with --create-missing. */
export async function changeContext(
  app: App,
  client: Client,
  options: ChangeOptions & { readonly isCopy?: true },
): Promise<ChangeContext & { readonly linked: readonly Step[]; readonly said: ReadonlySet<string> }> {
  const { createNameLookup } = await import('../../../client/name-lookup.ts')
  const { createNameSearch } = await import('../../../client/find/name-search.ts')
  const { createAllow } = await import('../../../client/adapters/allowed-values.ts')
  const { createMarks } = await import('../../../client/adapters/event-marks.ts')
  const source = createNameSearch(client)
  const care = options.allowSimilar ? undefined : nameCare(app)
  const links = options.createMissing || care?.creates ? await linksOf(source, care, options.createMissing) : undefined
  const said = new Set<string>()
  return {
    now: app.world.now(),
    zone: app.world.timeZone(),
    siteZone: client.timezone,
    names: links?.names ?? createNameLookup(source, { care, say: sentence => void said.add(sentence) }),
    notice: app.notice,
    known: client,
    endsInWallTime: !client.capabilities.keepsOffsets,
    allow: createAllow(client, { isCopy: options.isCopy ?? false }),
    marks: createMarks(client, { notice: app.notice, createMissing: options.createMissing }),
    linked: links?.steps ?? [],
    said: links?.said ?? said,
  }
}

/** A lookup that plans records for names that do not exist, and their steps. */
async function linksOf(source: NameSource, care?: NameCare, createsMissing: CreatesMissing = false) {
  const { createLinkResolver } = await import('../../../changes/plan/making/links.ts')
  const links = createLinkResolver(() => source, { isSingle: true })
  const names = links.namesFor({ language: undefined, createsMissing, care })
  return { steps: links.steps, said: links.notes, names }
}
