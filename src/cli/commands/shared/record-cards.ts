import type { Client } from '../../../client/client.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { dayWords } from '../../../files/print/day-words.ts'
import type { App } from '../../app.ts'
import { recordCard } from '../../terminal/record-card.ts'
import { useColor } from '../../terminal/streams.ts'
import { contentLanguage } from './content-language.ts'

/** The other languages of a record, where the calendar has several. */
async function translationsOf(app: App, client: Client, resource: Resource, record: Answer): Promise<string> {
  if (client.languages().all.length < 2) return ''
  const { translationsText } = await import('./translations.ts')
  return translationsText(app, client, resource, record)
}

/** Prints a record for people. */
export async function printCard(app: App, client: Client, resource: Resource, record: Answer): Promise<void> {
  const { stdout, env, timeZone } = app.world
  const words = dayWords(contentLanguage(app, client, [record]), env)
  const surface = {
    color: useColor(app.globals.color, env, stdout.isTTY),
    columns: stdout.columns || undefined,
    zone: timeZone(),
  }
  const translations = await translationsOf(app, client, resource, record)
  const text = await recordCard(resource, record, words, { ...surface, translations })
  await app.page(sink => sink.write(text, 'painted'))
}
