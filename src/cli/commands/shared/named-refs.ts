import { Failure, usage } from '../../../base/failure.ts'
import { decodeEntities } from '../../../base/text/escaping.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Client, Ref } from '../../../client/client.ts'
import { largestPage } from '../../../contract/filter.ts'
import { sameText } from '../../../contract/kinds/kind-values.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { isSlug } from '../../../contract/slug.ts'
import { recordInFull } from '../../../files/print/readable.ts'
import type { VerbContext } from './options.ts'

/** Refs, with IDs in place of exact titles of upcoming events. */
export async function withTitles(context: VerbContext, refs: readonly Ref[]): Promise<Ref[]> {
  const named: Ref[] = []
  for (const ref of refs) {
    const isTitle = context.resource.name === 'events' && 'slug' in ref && !isSlug(ref.slug)
    named.push((isTitle && (await refOfTitle(context, ref.slug))) || ref)
  }
  return named
}

/** The upcoming event with exactly this title, if any; similar titles are suggested when the record is read. */
async function refOfTitle({ app, client, resource }: VerbContext, text: string): Promise<Ref | undefined> {
  const named = await titled(client, resource, text)
  const [first, ...others] = named
  if (!first) return undefined
  if (others.length === 0) return { id: first.id }
  const year = app.world.now().toISOString().slice(0, 4)
  const lines = named.map(record => ({ name: recordInFull(resource, { record, year }), value: record.id }))
  if (app.canAsk) {
    const { askChoice } = await import('../../terminal/prompts.ts')
    return { id: await askChoice(app.world, phrase('Which event is meant?'), async () => lines) }
  }
  throw usage(
    phrase('{count} upcoming events are titled "{title}": {events}', {
      count: named.length,
      title: text,
      events: lines.map(({ name }) => name).join('; '),
    }),
    phrase('pass the ID of one of them: {ids}', { ids: lines.map(({ value }) => value).join(', ') }),
  )
}

async function titled(client: Client, resource: Resource, text: string): Promise<Answer[]> {
  const found: Answer[] = []
  try {
    for await (const { records } of client.pages(resource, { search: text, per_page: largestPage }))
      for (const record of records)
        if (sameText(decodeEntities(String(record[resource.title] ?? '')), text)) found.push(record)
  } catch (error) {
    // If nothing can be searched for, the text counts as a slug.
    if (!(error instanceof Failure)) throw error
    return []
  }
  return found
}
