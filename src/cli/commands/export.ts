import type { Command } from 'commander'
import { excluding, usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import type { App } from '../app.ts'
import { checkAllDates, filterOptions, readCriteria, typedFilters } from './shared/chosen-criteria.ts'
import { type CriteriaOptions, criteriaOptions } from './shared/criteria-options.ts'
import { noSuchField } from './shared/data-option.ts'
import { choiceOption, resourceArgument } from './shared/options.ts'
import { declareOutput } from './shared/output-forms.ts'
import { workbookOnTerminal } from './shared/unprintable-forms.ts'

const formats = ['ndjson', 'json', 'yaml', 'csv', 'tsv', 'xlsx'] as const

type FileFormat = (typeof formats)[number]

interface ExportOptions extends CriteriaOptions, Values {
  readonly format?: FileFormat
  readonly excel?: true
  readonly human?: true
}

/** calctl export [resource...]: records in a form that can be applied to this site or another. */
export function exportCommand(command: Command, app: App): void {
  command
    .addArgument(resourceArgument('[resource...]', phrase('Resources to export (default: all)')))
    .addOption(choiceOption('--format <format>', phrase('File format (default: ndjson)'), formats))
    .option('--excel', phrase('Write CSV with semicolons, for spreadsheet programs with European settings'))
    .option(
      '--human',
      phrase('Write a sheet of events for a leaflet: names, days, hours and texts, without IDs and HTML'),
    )
    .addHelpText('after', examples())
  criteriaOptions(command, resources)
  filterOptions(command).option('--all-dates', phrase('Events of all dates, the default without a date filter'))
  declareOutput(command, { forms: formats }).action(async (names: ResourceName[], options: ExportOptions) => {
    const format = formatFor(app, options)
    if (options.human) return writeLeaflet(app, names, format, options)
    await writeExport(app, names, format, options)
  })
}

async function writeExport(app: App, names: readonly ResourceName[], format: FileFormat, options: ExportOptions) {
  const wanted = resources.toReversed().filter(({ name }) => names.length === 0 || names.includes(name))
  const { pathCalled } = await import('./shared/spoken-fields.ts')
  const fields = app.globals.fields?.map(name => pathCalled(name, wanted))
  checkFields(wanted, fields)
  const { exportRecords } = await import('../../files/export/export-records.ts')
  const { languagesToRead } = await import('../../client/languages/known-languages.ts')
  const client = await app.client()
  const criteria = await criteriaOf(app, client, wanted, options)
  const languages = app.globals.lang === 'all' ? await languagesToRead(client) : []
  const records = exportRecords({ client, resources: wanted, languages, criteria, notice: app.notice })
  // A sheet contains one resource.
  const isSheet = format === 'csv' || format === 'tsv' || format === 'xlsx'
  const fileOptions = {
    resources: (isSheet ? wanted : resources).map(({ name }) => name),
    ...(fields && { fields }),
    ...(options.excel && { excel: true }),
    secrets: client.capabilities.hasPasswords,
  }
  if (format === 'xlsx') {
    const { writeWorkbook } = await import('../../files/workbook/record-sheets.ts')
    for await (const bytes of writeWorkbook(records, { ...fileOptions, notice: app.notice }))
      await app.world.stdout.write(bytes)
    return
  }
  const { writeRecords } = await import('../../files/write-records.ts')
  const textForm = format === 'json' || format === 'ndjson' ? 'json' : 'text'
  await app.writeJson(async stdout => {
    for await (const text of writeRecords(records, { format, ...fileOptions })) await stdout.write(text, textForm)
  })
}

async function criteriaOf(app: App, client: Client, wanted: readonly Resource[], options: ExportOptions) {
  const filters = await typedFilters(wanted, options)
  for (const resource of wanted) checkAllDates(resource, filters, options)
  return readCriteria(app, client, { resources: wanted, filters, options })
}

async function writeLeaflet(app: App, names: readonly ResourceName[], format: FileFormat, options: ExportOptions) {
  const other = names.find(name => name !== 'events')
  if (other)
    throw usage(phrase('--human supports only events, not {other}', { other }), phrase('export them without --human'))
  if (app.globals.fields) throw excluding('--human', '--fields')
  if (app.globals.lang === 'all') throw excluding('--human', '--lang all')
  if (format !== 'csv' && format !== 'tsv' && format !== 'xlsx')
    throw usage(phrase('--human writes a sheet, not {format}', { format }), phrase('choose csv, tsv or xlsx'))
  const { exportLeaflet } = await import('./export-leaflet.ts')
  const events = [resourceNamed('events')]
  const client = await app.client()
  const criteria = await criteriaOf(app, client, events, options)
  await exportLeaflet(app, client, { format, excel: options.excel === true, criteria })
}

/** Columns that identify a record, which are always exported. */
const identifyingColumns = ['resource', 'id', 'lang_code', 'action', 'origin', 'slug']

function checkFields(wanted: readonly Resource[], fields: readonly string[] = []): void {
  const known = [...identifyingColumns, ...wanted.flatMap(resource => Object.keys(resource.fields))]
  const unknown = fields.find(name => !known.includes(name))
  const hint = phrase('name writable fields, for example title and start_date')
  if (unknown !== undefined) throw noSuchField('--fields', wanted, unknown, hint)
}

/** The file format: `--format`, otherwise `-o`, otherwise CSV for --excel and --human, and NDJSON. */
function formatFor({ output, world }: App, { format, excel, human }: ExportOptions): FileFormat {
  const requested = format ?? formats.find(format => format === output)
  if (excel && requested !== undefined && requested !== 'csv' && requested !== 'tsv')
    throw excluding('--excel', `--format ${requested}`)
  if (requested === 'xlsx' && world.stdout.isTTY) throw workbookOnTerminal('calctl export -o xlsx > calendar.xlsx')
  return requested ?? (excel || human ? 'csv' : 'ndjson')
}

const examples = (): string => `
${phrase('--lang all exports every language.')}

${phrase('For Excel: xlsx, a workbook with a sheet for each kind of record; to hand out, add --human')}

${phrase('For the printer: calctl month december --html december.html')}

${phrase('To apply again, here or on another site: ndjson, the default')}`
