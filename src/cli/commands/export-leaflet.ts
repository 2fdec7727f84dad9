import { escapeFormula } from '../../base/text/escaping.ts'
import type { Client, Values } from '../../client/client.ts'
import type { Criteria } from '../../client/selection/criteria.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Answer } from '../../contract/resource.ts'
import type { RawCell } from '../../files/csv/cell-values.ts'
import type { App } from '../app.ts'
import { contentLanguage } from './shared/language-options.ts'
import { createPublicOnly, type PublicOnly } from './shared/public-events.ts'

const resource = resourceNamed('events')

interface LeafletOptions {
  readonly format: 'csv' | 'tsv' | 'xlsx'
  readonly excel: boolean
  readonly criteria: Criteria
}

/** `export --human`: the events that everybody can see, or those of --status, as a sheet for a leaflet. */
export async function exportLeaflet(app: App, client: Client, options: LeafletOptions): Promise<void> {
  const { format, excel, criteria } = options
  const { leafletRow } = await import('../../files/export/leaflet.ts')
  const { leafletHeadings } = await import('../../files/csv/leaflet-headings.ts')
  const { peek } = await import('../../files/text-streams.ts')
  const publicOnly = criteria.filters.status === undefined ? createPublicOnly(resource) : undefined
  const { peeked, all } = await peek(eventsOf(client, criteria, publicOnly), events => events.length > 0)
  const language = contentLanguage(app, client, peeked)
  async function* rows<Cell>(cellOf: (day: string) => Cell) {
    for await (const event of all) yield leafletRow(event, language, cellOf)
  }
  const { writtenDay } = await import('../../base/time/calendar-words.ts')
  const inWords = (day: string) => writtenDay(day, language)
  const headings = leafletHeadings(language)
  if (format === 'xlsx') {
    const { writeXlsx } = await import('../../files/workbook/write-xlsx.ts')
    const { dayCell } = await import('../../files/csv/number-formats.ts')
    const days: RawCell[][] = []
    for await (const row of rows(day => dayCell(day, language) ?? inWords(day))) days.push(row)
    const sheet = { name: resource.words[language], headings, rows: days }
    for await (const bytes of writeXlsx([sheet])) await app.world.stdout.write(bytes)
  } else {
    const { sheetStyle, writeRows } = await import('../../files/csv/write-csv.ts')
    async function* safeRows() {
      for await (const row of rows(inWords)) yield row.map(escapeFormula)
    }
    for await (const text of writeRows(headings, safeRows(), sheetStyle(format, excel)))
      await app.world.stdout.write(text)
  }
  await publicOnly?.noticeOmitted(app)
}

async function* eventsOf(client: Client, criteria: Criteria, publicOnly?: PublicOnly): AsyncGenerator<Answer> {
  const { wholeListQuery } = await import('../../client/find/whole-lists.ts')
  const { withRawValues } = await import('../../client/adapters/stored-records.ts')
  const { select, selectedPages } = await import('../../client/selection/criteria.ts')
  const selection = await select(client, resource, criteria)
  const query = (filters: Values) => wholeListQuery({ resource }, { ...filters, ...publicOnly?.query })
  for await (const { records } of selectedPages(client, resource, selection, query))
    yield* await withRawValues(client, resource, publicOnly?.of(records) ?? records, { language: client.language })
}
