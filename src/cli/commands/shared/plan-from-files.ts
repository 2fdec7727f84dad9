import { readFileSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import type { Command } from 'commander'
import { forExample, misread, usage, wrongValue } from '../../../base/failure.ts'
import { storedFileProblem } from '../../../base/fs.ts'
import { hidePassword } from '../../../base/text/secrets.ts'
import { asOption } from '../../../base/text/sentence-parts.ts'
import { dateOrders } from '../../../base/time/typed-order.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { BuildContext } from '../../../changes/plan/making/context.ts'
import type { FilePlanOptions } from '../../../changes/plan/making/from-files.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import type { Client, Values } from '../../../client/client.ts'
import { isWebAddress } from '../../../client/http/request.ts'
import type { CreatesMissing } from '../../../client/name-lookup.ts'
import { resourceNamed, resources } from '../../../contract/contract.ts'
import { costInstead } from '../../../contract/kinds/site-costs.ts'
import type { Resource } from '../../../contract/resource.ts'
import type { ColumnMap } from '../../../files/csv/column-map.ts'
import { type Format, formats } from '../../../files/file-format.ts'
import type { FileReading } from '../../../files/records/file-reading.ts'
import type { FileRecord } from '../../../files/records/file-record.ts'
import type { App } from '../../app.ts'
import { cannotWrite } from '../../failures.ts'
import type { World } from '../../world.ts'
import { buildContext } from './build-context.ts'
import { createMissingOption } from './change-options.ts'
import { filterOptions, readCriteria, typedFilters } from './chosen-criteria.ts'
import { isYes } from './confirmation.ts'
import { type CriteriaOptions, criteriaGiven, criteriaOptions } from './criteria-options.ts'
import { noSuchField } from './data-option.ts'
import { choiceOption, fieldNames, repeatable } from './options.ts'
import { checkInputsKept, checkTarget } from './output-files.ts'

/** How files are read, and how their records are matched with existing ones. */
export interface FileOptions
  extends ColumnOptions,
    CriteriaOptions,
    Pick<FileReading, 'resource' | 'sheet' | 'dateOrder' | 'datesFrom' | 'until'> {
  readonly format?: Format
  readonly skipInvalidCells?: true
  readonly match?: readonly string[]
  readonly prune?: true
  readonly createMissing?: CreatesMissing
  readonly costInDescription?: true
  readonly strict?: true
  readonly allowInvalid?: true
  readonly copyImages?: true
  readonly allowSimilar?: true
}

export const fileOptions = (command: Command): Command =>
  columnOptions(command.optionsGroup('Files:'))
    .addOption(
      choiceOption(
        '--resource <name>',
        phrase('Resource of the records, if the files do not name it'),
        resources.map(({ name }) => name),
      ),
    )
    .addOption(choiceOption('--format <format>', phrase('File format, if the file name does not show it'), formats))
    .option('--sheet <name>', phrase('Sheet of an XLSX or ODS file (default: the first)'))
    .addOption(
      choiceOption('--date-order <order>', phrase('Order of day and month in dates like 05/12/2026'), dateOrders),
    )
    .option('--dates-from <day>', phrase('Day from which dates without a year count: each is the first such day'))
    .option(
      '--until <date>',
      phrase('iCalendar: skip events that start after this date (default for series: in a year)'),
    )
    .option(
      '--match <fields>',
      phrase('Match records without ID or slug by these fields, for example title+start_date'),
      fieldNames,
    )
    .optionsGroup('Changes:')
    .addOption(createMissingOption())
    .option('--allow-similar', phrase('Also create records whose names are close to existing ones'))
    .option('--cost-in-description', phrase('Write prices that a site cannot show into the description of the event'))
    .option('--prune', phrase('Trash records that are not in the files, among those that the filters select'))
    .option(
      '--copy-images',
      phrase('Upload copies of images that are on other sites, or outside the folder of the file'),
    )
    .option('--allow-invalid', phrase('iCalendar: end with 0 although there are invalid events'))
    .option('--strict', phrase('iCalendar: apply nothing of a feed that has an invalid event or line'))
    .option('--skip-invalid-cells', phrase('Ignore invalid values of optional fields'))

/** Adds the filters of `--prune`, after the options of the command itself, which people look for first. */
export const pruneFilters = (command: Command): Command =>
  filterOptions(criteriaOptions(command, resources, 'Filters for --prune:'))

/** Makes a plan of the records of files. */
export type PlanRecords = (
  records: AsyncIterable<FileRecord>,
  context: BuildContext,
  options: FilePlanOptions,
) => Promise<Plan>

/** Makes the plan of creates and updates by which the calendar matches the files; `make` is told what sources said before. */
export async function planFiles(
  app: App,
  files: readonly string[],
  options: FileOptions & { readonly save?: string } & Pick<FilePlanOptions, 'only'> & Values,
  make?: PlanRecords,
): Promise<Plan> {
  // V8 lets long-lived objects grow fourfold before it collects them. With a limit of twice, a feed of 100,000 events takes 260 MB instead
  // of 360, in the same time.
  setFlagsFromString('--heap-growing-percent=100')
  const { planFromRecords } = await import('../../../changes/plan/making/from-files.ts')
  const asked = options.resource ? [resourceNamed(options.resource)] : resources
  const filters = await typedFilters(asked, options)
  const [unused] = options.prune ? [] : [...Object.keys(filters).map(asOption), ...criteriaGiven(options)]
  if (unused)
    throw usage(phrase('{unused} has no effect without --prune', { unused }), phrase('add --prune, or leave it out'))
  const { pathCalled } = await import('./spoken-fields.ts')
  const match = options.match?.map(name => pathCalled(name, asked))
  checkMatch(match ?? [], asked)
  if (files.filter(name => name === '-').length > 1)
    throw usage(phrase('stdin can be read only once'), phrase('pass - once, or files instead'))
  checkInputsKept(app, files, options)
  const until = options.until === undefined ? undefined : await readWallOption('--until', options.until, app.world)
  const datesFrom = await readDatesFrom(app, options)
  const { spoolStdin } = await import('./input.ts')
  const stdin = files.includes('-') ? await spoolStdin(app) : undefined
  const columns = await openColumnMap(app, options)
  const context = await buildContext(app, { ...options, columns })
  const reading = { ...options, columns, ...(until && { until }), ...(datesFrom && { datesFrom }) }
  const plan = await (make ?? planFromRecords)(recordsOf(app, { files, stdin }, reading, context), context, {
    ...options,
    match,
    briefly: app.briefly,
    files: files.map(sourceName),
    prune: options.prune
      ? await readCriteria(app, context.client, { resources: asked, filters, options, isForChange: true })
      : undefined,
  })
  saveColumns(app, columns, options)
  return plan
}

/** The day of `--dates-from`, which may be given as `tomorrow`. */
const readDatesFrom = async ({ world }: App, { datesFrom }: FileOptions): Promise<string | undefined> =>
  datesFrom === undefined ? undefined : (await readWallOption('--dates-from', datesFrom, world)).slice(0, 10)

/** `season.xlsx` for a file in a folder, `example.org/feed.ics` for a URL, whose query may be secret. */
function sourceName(file: string): string {
  if (file === '-') return 'stdin'
  if (!isWebAddress(file) || !URL.canParse(file)) return basename(file)
  const { host, pathname } = new URL(hidePassword(file))
  return `${host}${pathname}`
}

function checkMatch(match: readonly string[], searched: readonly Resource[]): void {
  for (const name of match) {
    const field = searched.map(({ fields }) => fields[name]).find(field => field !== undefined)
    if (field?.of)
      throw usage(
        phrase('--match: {name} is a link and cannot identify a record', { name }),
        forExample('--match title+start_date'),
      )
    if (field) continue
    throw noSuchField('--match', searched, name, forExample('--match title+start_date'))
  }
}

async function* recordsOf(
  app: App,
  { files, stdin }: { readonly files: readonly string[]; readonly stdin: Iterable<Uint8Array> | undefined },
  options: FileOptions & { readonly columns: ColumnMap },
  { client, zone: timezone }: BuildContext,
): AsyncGenerator<FileRecord> {
  const { readRecords } = await import('../../../files/read-records.ts')
  const { readInput } = await import('./input.ts')
  const { createRecordImages } = await import('./record-images.ts')
  const withImages = createRecordImages(app, client.calendar, options)
  const translations: FileRecord[] = []
  for (const name of files) {
    const shown = shownName(name)
    const notices: string[] = []
    const sayNotices = async () => {
      for (const text of notices.splice(0)) await app.notice(text)
    }
    let isEmpty = true
    const reading = {
      timezone,
      ...options,
      ...ofFile(shown, files),
      flags: client.calendar.flags,
      now: app.world.now(),
    }
    for await (const found of readRecords(readInput(app, name, stdin), {
      ...reading,
      notice: text => notices.push(text),
    })) {
      isEmpty = false
      await sayNotices()
      const record = withShownCost(await withImages(found, name), client, options)
      const placed = files.length > 1 ? { ...record, place: `${shown}, ${record.place}` } : record
      if (placed.translation) translations.push(placed)
      else yield placed
    }
    await sayNotices()
    if (isEmpty) await app.notice(phrase('{file}: no records', { file: name === '-' ? 'stdin' : shown }))
  }
  // Headings that no file has.
  const failure = options.columns.unusedFailure()
  if (failure) throw failure
  yield* translationsOf(client, translations, options)
}

/** The name of a file without the secrets of an address. */
const shownName = (name: string): string => (isWebAddress(name) ? hidePassword(name) : name)

/** A record with a price that its site would not show as it is written: its description has it. That of an existing event stays. */
function withShownCost(record: FileRecord, { capabilities }: Client, { costInDescription }: FileOptions): FileRecord {
  const { cost, description } = record.values
  const isMoved = costInDescription && cost && !capabilities.takesEveryValue
  const shown = isMoved ? costInstead(cost) : undefined
  if (shown === undefined) return record
  const values = { ...record.values, cost: shown }
  return description
    ? { ...record, values: { ...values, description: `${description}\n\n${cost}` } }
    : { ...record, values, valuesIfNew: { ...record.valuesIfNew, description: cost } }
}

const ofFile = (name: string, { length }: readonly string[]) => ({
  ...(name !== '-' && { name }),
  isOneOfSeveral: length > 1,
})

async function* translationsOf(client: Client, records: readonly FileRecord[], { createMissing = false }: FileOptions) {
  if (records.length === 0) return
  const { placedTranslations } = await import('../../../care/translations/new-translations.ts')
  yield* placedTranslations(client, records, { createMissing })
}

/** What the headings of sheets mean. */
interface ColumnOptions {
  readonly map?: readonly string[]
  readonly saveMap?: string
}

const columnOptions = (command: Command): Command =>
  command
    .option(
      '--map <heading=column>',
      phrase('Read a heading as this column, or ignore it: "Lloc=venue", "Notes=ignore", @FILE (repeatable)'),
      repeatable,
    )
    .option(
      '--save-map <file>',
      phrase('Save the meanings of headings and names, including your answers, for: --map @FILE'),
    )

/** The map from the options; asks at a terminal about headings that resemble known ones. */
async function openColumnMap(app: App, { map = [], saveMap }: ColumnOptions): Promise<ColumnMap> {
  const isThis = (heading: string, known: string) =>
    isYes(app, phrase('Is "{heading}" the column "{known}"?', { heading, known }))
  const { ColumnMap, readColumnFile } = await import('../../../files/csv/column-map.ts')
  const columns = app.canAsk ? new ColumnMap(isThis) : new ColumnMap()
  for (const text of map)
    if (text.startsWith('@')) await addFromFile(app, columns, text.slice(1))
    else columns.set(...readPair(text))
  const isMap = (path: string) =>
    storedFileProblem(path) !== undefined || readColumnFile(readFileSync(path, 'utf8')) !== undefined
  if (saveMap !== undefined) await checkTarget(app, saveMap, phrase('a file of columns'), isMap)
  return columns
}

function readPair(text: string): [string, string] {
  const [, heading = '', column = ''] = /^(.*)=(.*)$/s.exec(text) ?? []
  if (heading.trim() !== '' && column.trim() !== '') return [heading, column]
  throw wrongValue('--map', phrase('HEADING=COLUMN, or a file as @columns.json'), text, 'Lloc=venue')
}

async function addFromFile(app: App, columns: ColumnMap, name: string): Promise<void> {
  const { bytesOfFile } = await import('./input.ts')
  const naming = { option: '--map', hint: phrase('pass a file that --save-map wrote') }
  if (columns.addFrom((await buffer(bytesOfFile(app, name, naming))).toString())) return
  throw usage(
    phrase('--map: {name} is not a file of columns', { name }),
    phrase('write headings and columns as JSON: {example}', { example: '{"Lloc": "venue", "Notes": "ignore"}' }),
  )
}

/** Saves the map once the plan is made, because that asks about names. */
function saveColumns(app: App, columns: ColumnMap, { saveMap }: ColumnOptions): void {
  if (saveMap === undefined) return
  try {
    writeFileSync(resolve(app.world.cwd, saveMap), columns.toText())
  } catch (error) {
    throw cannotWrite(saveMap, error, phrase('name another file with --save-map'))
  }
}

/** Reads the day in an option as `YYYY-MM-DD`, or its time as `YYYY-MM-DD HH:MM:SS`, relative to the user's clock; throws `usage`. */
async function readWallOption(
  flag: string,
  text: string,
  { now, timeZone }: Pick<World, 'now' | 'timeZone'>,
): Promise<string> {
  const { readWall } = await import('../../../base/time/typed-dates.ts')
  const { wallAt } = await import('../../../base/time/zone.ts')
  const read = readWall(text, wallAt(now().getTime(), timeZone()))
  if (read.ok) return read.day
  throw misread(flag, text, read)
}
