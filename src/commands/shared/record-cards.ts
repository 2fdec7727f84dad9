import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { dayWords } from '../../days/day-words.ts'
import { useColor } from '../../terminal/colors.ts'
import { recordCard } from '../../terminal/record-card.ts'
import { contentLanguage } from './content-language.ts'

/** Prints a record for people. */
export async function printCard(app: App, client: Client, resource: Resource, record: Answer): Promise<void> {
  const { stdout, env, timeZone } = app.world
  const words = dayWords(contentLanguage(app, client, [record]), env)
  const surface = {
    color: useColor(app.globals.color, env, stdout.isTTY),
    columns: stdout.columns || undefined,
    zone: timeZone(),
  }
  const text = await recordCard(resource, record, words, surface)
  await app.page(sink => sink.write(text, 'painted'))
}
