import { excluding } from '../../base/failure.ts'
import { escapeFormula } from '../../base/text/escaping.ts'
import { phrase } from '../../base/words/phrase.ts'
import { textGaps } from '../../care/translations/text-gaps.ts'
import type { Client } from '../../client/client.ts'
import { exportOrigin } from '../../client/site-discovery.ts'
import type { Resource } from '../../contract/resource.ts'
import { namedRecord, recordCount, recordsNoun } from '../../contract/resource-words.ts'
import { type TextRow, textSheet } from '../../files/texts/text-sheets.ts'
import { longestCell, writeXlsx } from '../../files/workbook/write-xlsx.ts'
import type { App } from '../app.ts'
import { workbookOnTerminal } from './shared/unprintable-forms.ts'

/** The sheet formats in which `languages status --gaps` writes the texts themselves, for translators. */
const sheetForms = ['csv', 'tsv', 'xlsx'] as const

type GapsRequest = Parameters<typeof textGaps>[0]

type SheetForm = (typeof sheetForms)[number]

/** The format for texts, if one was asked for; throws if it cannot be written. */
export function askedSheetForm({ world, output, globals }: App): SheetForm | undefined {
  const form = sheetForms.find(one => one === output)
  if (form === undefined) return undefined
  if (globals.fields) throw excluding(`-o ${form}`, '--fields')
  if (form === 'xlsx' && world.stdout.isTTY)
    throw workbookOnTerminal('calctl languages status --gaps -o xlsx > texts.xlsx')
  return form
}

/** Writes the missing texts of sets of translations, with their originals. */
export async function writeGaps(app: App, client: Client, form: SheetForm, request: GapsRequest): Promise<void> {
  const { resource, languages } = request
  const rows = await withoutLongTexts(app, form, await textGaps(request))
  const origin = exportOrigin(client.calendar)
  const sheet = textSheet({ name: recordsNoun(resource.name), origin, languages }, rows)
  if (form === 'xlsx') for await (const bytes of writeXlsx([sheet])) await app.world.stdout.write(bytes)
  else {
    const { sheetStyle, writeRows } = await import('../../files/csv/write-csv.ts')
    async function* rows() {
      for await (const cells of sheet.rows) yield cells.map(cell => escapeFormula(String(cell)))
    }
    for await (const text of writeRows(sheet.headings, rows(), sheetStyle(form))) await app.world.stdout.write(text)
  }
  if (rows.length > 0) await app.notice(whatToDo(rows, resource, client))
}

async function withoutLongTexts(app: App, form: SheetForm, rows: readonly TextRow[]): Promise<TextRow[]> {
  if (form !== 'xlsx') return [...rows]
  const fitting: TextRow[] = []
  for (const row of rows) {
    const [{ resource, source }] = row.ids
    if ([...row.texts.values()].every(text => text.length <= longestCell)) fitting.push(row)
    else
      await app.notice(
        phrase('{record}: left out {column}, which is longer than a cell can be ({most} characters)', {
          record: namedRecord(resource, source.id),
          column: row.field,
          most: longestCell,
        }),
      )
  }
  return fitting
}

function whatToDo(rows: readonly TextRow[], { name }: Resource, { calendar }: Client): string {
  const records = new Set(rows.map(({ ids: [id] }) => `${id.source.language} ${id.source.id}`))
  return phrase(
    '{texts, plural, one {# text} other {# texts}} of {records} to translate; apply the sheet once it is filled in with: {command}',
    {
      texts: rows.length,
      records: recordCount(records.size, name),
      command: phrase('calctl apply FILE{flags}', { flags: calendar.flags ?? '' }),
    },
  )
}
