import { Argument, type Command } from 'commander'
import type { App } from '../app.ts'
import type { Values } from '../client/client.ts'
import { resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import type { Resource } from '../contract/resource.ts'
import { languages } from '../contract/words.ts'
import { excluding, Failure } from '../failure.ts'
import type { Output } from '../globals.ts'
import { nearest } from '../text/nearest.ts'
import { answers } from './shared/answers.ts'
import { filterOptions, typedFilters } from './shared/field-options.ts'
import { choiceOption } from './shared/option-parsers.ts'

const formats = ['ndjson', 'json', 'yaml', 'csv', 'tsv'] as const

interface ExportOptions {
  readonly format?: (typeof formats)[number]
  readonly excel?: true
}

/** calctl export [resource...]: records in a form that can be applied, here and elsewhere. */
export function exportRecords(command: Command, app: App): void {
  command
    .addArgument(
      new Argument('[resource...]', 'what to export (default: everything)').choices(resources.map(({ name }) => name)),
    )
    .addOption(choiceOption('--format <format>', 'file format (default: ndjson)', formats))
    .option('--excel', 'CSV that European spreadsheet programs open correctly')
    .addHelpText('after', examples)
  filterOptions(command)
  answers(command, { forms: formats }).action(async (names: ResourceName[], options: ExportOptions & Values) => {
    const format = formatFor(app.output, options)
    const wanted = resources.toReversed().filter(({ name }) => names.length === 0 || names.includes(name))
    const { fields } = app.globals
    checkFields(wanted, fields)
    const filters = await typedFilters(wanted, options)
    const { exportRecords } = await import('../files/export/export-records.ts')
    const { writeRecords } = await import('../files/write-records.ts')
    const client = await app.client()
    const spoken = app.globals.lang === 'all' ? languages : [undefined]
    const records = exportRecords({ client, resources: wanted, languages: spoken, filters, notice: app.notice })
    // A sheet holds one resource.
    const said = format === 'csv' || format === 'tsv' ? wanted : resources
    const written = {
      format,
      resources: said.map(({ name }) => name),
      ...(fields && { fields }),
      ...(options.excel && { excel: true }),
    }
    for await (const text of writeRecords(records, written)) await app.world.stdout.write(text)
  })
}

/** What says which record a row is always comes along, asked for or not. */
const heads = ['resource', 'id', 'lang_code', 'action', 'origin', 'slug']

function checkFields(wanted: readonly Resource[], fields: readonly string[] = []): void {
  const known = [...heads, ...wanted.flatMap(resource => Object.keys(resource.fields))]
  const unknown = fields.find(name => !known.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  throw new Failure(
    'usage',
    `--fields: an export of ${wanted.map(({ name }) => name).join(', ')} has no "${unknown}"`,
    {
      hint: meant ? `did you mean ${meant}?` : 'name fields that can be written: --fields title,start_date',
    },
  )
}

/** The kind of file: as `--format` says, else as `-o` does; sheets where they are for spreadsheet programs. */
function formatFor(output: Output | undefined, { format, excel }: ExportOptions): (typeof formats)[number] {
  const asked = format ?? formats.find(format => format === output)
  if (excel && asked !== undefined && asked !== 'csv' && asked !== 'tsv')
    throw excluding('--excel', `--format ${asked}`)
  return asked ?? (excel ? 'csv' : 'ndjson')
}

const examples = `
--lang all exports every language.

Examples:
  calctl export > calendar.ndjson
  calctl export events --starts-after 2026-12-01 --format csv > december.csv
  calctl export -p site --lang all | calctl apply -p local --yes -`
