import { Failure, usage } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Ref } from '../../../client/client.ts'
import { createNameSearch } from '../../../client/find/name-search.ts'
import { idOfName } from '../../../client/name-lookup.ts'
import { allDates, largestPage } from '../../../contract/filter.ts'
import { sameText } from '../../../contract/kinds/kind-values.ts'
import { type Answer, titleOf } from '../../../contract/resource.ts'
import { recordCount } from '../../../contract/resource-words.ts'
import { recordInFull } from '../../../files/print/record-names.ts'
import type { VerbContext } from './options.ts'

interface TitleContext extends VerbContext {
  /** Whether the records are in the trash. */
  readonly trashed?: boolean
}

/**
 * The record with exactly this title, if any; of events, only those to come have one. Similar titles are suggested when the record is
 * read, and for terms, which have no other ref, at once.
 */
export async function refOfTitle(context: TitleContext, text: string): Promise<Ref | undefined> {
  const { app, client, resource } = context
  const named = await titled(context, text)
  const [first, ...others] = named
  if (!first && resource.trashable) return undefined
  if (!first) return { id: await idOfName(createNameSearch(client), resource, text) }
  if (others.length === 0) return { id: first.id }
  const year = app.world.now().toISOString().slice(0, 4)
  const lines = named.map(record => ({ name: recordInFull(resource, { record, year }), value: record.id }))
  if (app.canAsk) {
    const { askChoice } = await import('../../terminal/prompts.ts')
    const question = resource.name === 'events' ? phrase('Which event is meant?') : phrase('Which one is meant?')
    return { id: await askChoice(app.world, question, async () => lines) }
  }
  throw usage(
    phrase('{records} have the title "{title}": {list}', {
      records: recordCount(named.length, resource.name),
      title: text,
      list: lines.map(({ name }) => name).join('; '),
    }),
    phrase('pass the ID of one of them: {ids}', { ids: lines.map(({ value }) => value).join(', ') }),
  )
}

async function titled({ client, resource, trashed = false }: TitleContext, text: string): Promise<Answer[]> {
  const isTitled = (record: Answer) => sameText(titleOf(resource, record), text)
  if (!trashed && resource.name !== 'events')
    return (await createNameSearch(client).find(resource, text)).filter(isTitled)
  const found: Answer[] = []
  const filters = trashed ? { status: 'trash', ...(resource.name === 'events' && allDates) } : {}
  try {
    for await (const { records } of client.pages(resource, { search: text, per_page: largestPage, ...filters }))
      found.push(...records.filter(isTitled))
  } catch (error) {
    // If nothing can be searched for, the text counts as a slug.
    if (!(error instanceof Failure)) throw error
    return []
  }
  return found
}
