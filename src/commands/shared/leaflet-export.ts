import type { App } from '../../app.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Answer } from '../../contract/resource.ts'
import { counted, nounFor } from '../../text/words.ts'
import { contentLanguage } from './content-language.ts'

interface LeafletOptions {
  readonly format: 'csv' | 'tsv' | 'xlsx'
  readonly excel: boolean
  readonly filters: Values
}

/** `export --human`: the events that everybody sees, or those of --status, as a sheet for a leaflet. */
export async function exportLeaflet(app: App, client: Client, options: LeafletOptions): Promise<void> {
  const { format, excel, filters } = options
  const { leafletRow, isPublicEvent } = await import('../../files/export/leaflet.ts')
  const { leafletHeadings } = await import('../../files/csv/leaflet-headings.ts')
  const { peek } = await import('../../files/text-streams.ts')
  const { peeked, all } = await peek(eventsOf(client, filters), events => events.length > 0)
  const language = contentLanguage(app, client, peeked)
  let leftOut = 0
  const isWanted = (event: Answer) => filters.status !== undefined || isPublicEvent(event)
  async function* rows() {
    for await (const event of all)
      if (isWanted(event)) yield leafletRow(event, language)
      else leftOut += 1
  }
  const headings = leafletHeadings(language)
  if (format === 'xlsx') {
    const { writeXlsx } = await import('../../files/workbook/write-xlsx.ts')
    const sheet = { name: resourceNamed('events').words[language], headings, rows: rows() }
    for await (const bytes of writeXlsx([sheet])) await app.world.stdout.write(bytes)
  } else {
    const { sheetStyle, writeRows } = await import('../../files/csv/write-csv.ts')
    const { escapeFormula } = await import('../../text/formulas.ts')
    async function* safeRows() {
      for await (const row of rows()) yield row.map(escapeFormula)
    }
    for await (const text of writeRows(headings, safeRows(), sheetStyle(format, excel)))
      await app.world.stdout.write(text)
  }
  if (leftOut > 0)
    await app.notice(
      `left out ${counted(leftOut, 'event')} that ${nounFor(leftOut, 'is', 'are')} not public; choose others with: --status`,
    )
}

async function* eventsOf(client: Client, filters: Values): AsyncGenerator<Answer> {
  const { wholeListQuery } = await import('../../client/whole-list.ts')
  const { withRawValues } = await import('../../client/wordpress/raw-values.ts')
  const resource = resourceNamed('events')
  for await (const { records } of client.pages(resource, wholeListQuery({ resource }, filters)))
    yield* await withRawValues(client, resource, records, undefined, client.language)
}
