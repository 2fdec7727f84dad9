import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { excluding, type Failure, usage, wrongValue } from '../../../base/failure.ts'
import { reason, statOf } from '../../../base/fs.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { blockingRecords, type Plan } from '../../../changes/plan/plan.ts'
import type { WrittenSheets } from '../../../changes/run/error-sheet.ts'
import type { KeptRows } from '../../../changes/run/kept-rows.ts'
import type { StepResult } from '../../../changes/run/result.ts'
import { languages } from '../../../contract/languages.ts'
import { apartFields, type Resource } from '../../../contract/resource.ts'
import { type Shape, shapeOf } from '../../../files/print/readable.ts'
import type { App } from '../../app.ts'
import { cannotWrite } from '../../failures.ts'
import { outputs as allOutputs, type Globals, newsletterForms, type Output } from '../../world.ts'

/** The output of a command: the formats of `-o`, and the names for `--fields`. Checked before the command starts. */
export interface OutputForms {
  readonly forms: readonly Output[]
  /** The names for `--fields`; absent if the command checks them itself, or ignores them. */
  readonly shape?: Shape
  /** A service may answer fields that are not in the contract: commands that only read check the names against the records. */
  readonly mayHaveMoreFields?: true
  /** Commands to use instead for formats that only other options of this command allow. */
  readonly otherwise?: { readonly [form in Output]?: string }
}

const tabular = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'count'] as const

const formsOfRecords = ({ name }: Resource): readonly Output[] =>
  name === 'events' ? [...tabular, 'ids', 'ics'] : [...tabular, 'ids']

/** Records that were read. */
export const readRecordsOutput = (resource: Resource): OutputForms => ({
  forms: formsOfRecords(resource),
  shape: resource,
  mayHaveMoreFields: true,
})

/** Whether records are shown in a table on a terminal, for people. */
export const isShownAsTable = ({ world, output }: App): boolean =>
  world.stdout.isTTY === true && (output === undefined || output === 'table')

/** Whether `--fields` names a field that a site keeps outside of its events API. */
export const asksForApart = ({ globals }: App, resource: Resource): boolean =>
  apartFields(resource).some(name => globals.fields?.includes(name))

/** Rows with columns; `-o ids` prints their key. */
export const rowsOutput = (shape: Shape): OutputForms => ({
  forms: shape.key === undefined ? tabular : [...tabular, 'ids'],
  shape,
})

/** One value that has no columns. */
export const documentOutput: OutputForms = { forms: ['json', 'ndjson', 'yaml'] }

/** Text for a certain program, such as a shell. */
export const textOutput: OutputForms = { forms: [] }

/** No data: `--json` applies to errors only. */
export const noOutput: OutputForms = { forms: ['json'] }

export const profileShape = shapeOf(
  [
    'name',
    'inUse',
    'baseUrl',
    'baseUrls',
    'lang_code',
    'namespace',
    'user',
    'secret',
    'frontUser',
    'frontSecret',
    'headers',
    'protected',
  ],
  { columns: ['name', 'inUse', 'baseUrl', 'lang_code', 'namespace', 'user', 'protected'], key: 'name' },
)

/** The checks of `calctl doctor`. */
export const checkShape = shapeOf(['check', 'state', 'found', 'hint', 'problem'], { key: 'check' })

/** What `calctl lint` finds. */
export const findingShape = shapeOf(
  [
    'severity',
    'rule',
    'resource',
    'id',
    'lang_code',
    'title',
    'start_date',
    'field',
    'message',
    'fixable',
    'suggestion',
    'url',
  ],
  { columns: ['severity', 'rule', 'resource', 'id', 'title', 'message', 'suggestion'], key: 'id' },
)

/** The rules of `calctl lint`. */
export const ruleShape = shapeOf(['rule', 'severity', 'finds', 'why', 'remedy', 'resources', 'thresholds', 'fixable'], {
  columns: ['rule', 'severity', 'finds', 'remedy'],
  key: 'rule',
})

/** Pairs of possible duplicates. */
export const pairShape = shapeOf(['score', 'resource', 'first', 'second', 'why'], {
  columns: ['score', 'resource', 'first.id', 'first.title', 'second.id', 'second.title', 'why'],
})

/** Records of several kinds, found by a text. */
export const foundShape = shapeOf(['resource', 'id', 'title', 'start_date', 'status'], { key: 'id' })

/** The images of a site. */
export const mediaShape = shapeOf(['id', 'type', 'width', 'height', 'alt', 'url'], { key: 'id' })

const userFacts = ['profile', 'user', 'roles', 'write', 'publish', 'editOthers', 'upload']

/** The user of the credentials on a site. */
export const userShape = shapeOf(['calendar', ...userFacts], { columns: ['calendar.label', ...userFacts] })

const runFacts = ['run', 'command', 'started', 'state', 'steps', 'done', 'failed', 'unknown', 'left']

/** Runs, as `runs list` prints them. */
export const runListShape = shapeOf([...runFacts, 'calendar', 'undoes', 'plan'], {
  columns: [...runFacts, 'calendar.label'],
  key: 'run',
})

/** What calctl wrote: runs, or the writes to a record. */
export const historyShape = shapeOf(['run', 'started', 'command', 'state', 'what'], { key: 'run' })

/** The translations of records: a column for each language. */
export const statusShape = {
  ...shapeOf(['title', 'start_date', 'slug', ...languages, 'records'], {
    columns: ['title', 'start_date', ...languages],
  }),
  title: 'title',
  whole: languages,
}

/** The server of `calctl serve`. */
export const serverShape = shapeOf(['url', 'pid', 'file', 'token'], { columns: ['url'] })

/** What became of each source. */
export const sourceStatusShape = shapeOf(
  ['source', 'read', 'events', 'changes', 'conflicts', 'rejected', 'error', 'since'],
  { key: 'source' },
)

/** What waits for a person about the events of sources. */
export const reviewShape = shapeOf(['id', 'title', 'state', 'field', 'said', 'site', 'source', 'key'], { key: 'id' })

/** Which source said each field of an event. */
export const whyShape = shapeOf(['field', 'source', 'said', 'when', 'site', 'state'])

const stepFacts = ['action', 'resource', 'id', 'slug', 'title', 'start_date', 'field', 'before', 'after']

/** A row for each field that a plan changes, or for a step that changes none. */
export const stepShape = shapeOf(stepFacts, { key: 'id' })

/** The same for a run, with the result of each step. */
export const runShape = shapeOf(['state', ...stepFacts, 'error'], {
  columns: ['state', ...stepFacts, 'error.message'],
  key: 'id',
})

/** The formats can depend on the arguments and options of the command. */
type Choose = (args: readonly unknown[], options: Readonly<Record<string, unknown>>) => OutputForms

/** The results of a plan, or in a dry run its steps. */
export const planOutput: Choose = (_, { dryRun }) => rowsOutput(dryRun ? stepShape : runShape)

/** `--all-languages`, and texts of one language, such as `--title.es`. */
const writesTranslations = (options: Readonly<Record<string, unknown>>): boolean =>
  options.allLanguages !== undefined || Object.keys(options).some(name => name.includes('.'))

/** The output of a verb that writes single records, or with `-`, --from or --repeat a plan. */
export const writeOutput =
  (resource: Resource): Choose =>
  ([refs], options) => {
    const isPlan =
      options.from !== undefined ||
      options.repeat !== undefined ||
      writesTranslations(options) ||
      [refs].flat().includes('-')
    return isPlan || options.dryRun ? planOutput([], options) : { forms: formsOfRecords(resource), shape: resource }
  }

const declared = new WeakMap<Command, Choose>()

/** Declares the output of a command. */
export function declareOutput(command: Command, kind: OutputForms | Choose): Command {
  declared.set(command, typeof kind === 'function' ? kind : () => kind)
  return command
}

/** The output forms of a command with its parsed arguments; undefined if none were declared. */
export const outputFormsOf = (command: Command): OutputForms | undefined =>
  declared.get(command)?.(command.processedArgs, command.opts())

/**
 * Throws `usage` for a format that a command cannot print, and for names in `--fields` that its output cannot have; returns the paths for
 * the names.
 */
export async function checkOutput(
  name: string,
  command: Command,
  globals: Globals,
): Promise<readonly string[] | undefined> {
  const { json, output, fields, jq } = globals
  const outputs = outputFormsOf(command)
  checkWord(name, output, outputs?.forms ?? allOutputs)
  if (!outputs) return fields
  const hasJson = outputs.forms !== noOutput.forms && outputs.forms.includes('json')
  if (jq !== undefined && !hasJson)
    throw usage(phrase('{name} prints no JSON, so --jq has no effect', { name }), phrase('leave out --jq'))
  const form = json ? 'json' : output
  if (form && !outputs.forms.includes(form)) throw cannotPrint(name, form, outputs)
  const { shape } = outputs
  if (!shape || !fields) return fields
  if (form === 'ics' || newsletterForms.some(one => one === form)) throw excluding(`-o ${form}`, '--fields')
  const { checkFields } = await import('../../terminal/unknown-fields.ts')
  const { pathCalled } = await import('./spoken-fields.ts')
  const paths = fields.map(name => pathCalled(name, [shape]))
  checkFields(shape, paths, outputs.mayHaveMoreFields ?? false)
  return paths
}

/** Throws `usage` for a word that is not a format of any command. */
function checkWord(name: string, word: string | undefined, forms: readonly Output[]): void {
  if (word === undefined || allOutputs.some(output => output === word)) return
  const [example] = forms
  if (example === undefined || forms === noOutput.forms) throw printsNoData(name, word)
  throw wrongValue('--output', phrase('one of {list}', { list: forms.join(', ') }), word, example)
}

const printsNoData = (name: string, form: string): Failure =>
  usage(
    phrase('{name} prints no data, so -o {form} has no effect', { name, form }),
    phrase('leave out -o {form}', { form }),
  )

function cannotPrint(name: string, form: Output, { forms, otherwise }: OutputForms): Failure {
  if (forms === noOutput.forms || forms === textOutput.forms) return printsNoData(name, form)
  const command = otherwise?.[form]
  const hint = command
    ? phrase('use: {command}', { command })
    : (printers()[form] ?? phrase('use {list}', { list: `-o ${listOf(forms, 'or')}` }))
  return usage(phrase('{name} cannot print {form}', { name, form }), hint)
}

/** The commands that print rarely supported formats. */
const printers = (): { readonly [form in Output]?: string } => ({
  xlsx: phrase('write a workbook with: {command}', { command: 'calctl export -o xlsx' }),
  ics: phrase('write a feed of events with: {command}', { command: 'calctl events list --all -o ics' }),
  markdown: phrase('write days with their events with: {command}', { command: 'calctl agenda -o markdown' }),
  html: phrase('write days with their events with: {command}', { command: 'calctl agenda -o html' }),
})

/** The failure for a workbook on a terminal; `command` writes it to a file. */
export const workbookOnTerminal = (command: string): Failure =>
  usage(phrase('a workbook cannot be shown on a terminal'), phrase('write it to a file: {command}', { command }))

/** The files that a run writes besides its journal. */
export interface OutputFiles {
  readonly errors?: string
  readonly report?: string
  /** The plan of `diff`. */
  readonly save?: string
  /** The rows that were read, for --errors. */
  readonly kept?: KeptRows | undefined
}

type Results = ReadonlyMap<string, StepResult>

/** Throws `usage` if an output file is also an input file, under any path. */
export function checkInputsKept({ world }: App, inputs: readonly string[], { errors, report, save }: OutputFiles) {
  for (const [option, name] of Object.entries({ '--errors': errors, '--report': report, '--save': save }))
    for (const input of inputs)
      if (name !== undefined && isSameFile(resolve(world.cwd, input), resolve(world.cwd, name)))
        throw usage(phrase('{option}: {name} is the file that is read', { option, name }), phrase('name another file'))
}

/** Throws `usage` if --errors or --report cannot be written, or would overwrite somebody's file. */
export async function checkOutputFiles(app: App, plan: Plan, { errors, report, kept }: OutputFiles): Promise<void> {
  const { cwd } = app.world
  if (errors) {
    const { formatOf } = await import('../../../files/file-format.ts')
    if (formatOf(errors) === 'ods')
      throw usage(phrase('--errors writes CSV, TSV or XLSX, not ODS'), phrase('name another file'))
    const { areErrorHeadings, possibleSheets } = await import('../../../changes/run/error-sheet.ts')
    const { headingsOf } = await import('../../../files/headings-of.ts')
    const isSheet = async (path: string) => areErrorHeadings(await headingsOf(path))
    for (const name of possibleSheets(errors, plan, kept))
      await checkTarget(app, name, phrase('an error sheet'), isSheet)
  }
  if (report) {
    const { isReport } = await import('../../../changes/run/result.ts')
    await checkTarget(app, report, phrase('a report'), path => isReport(firstLineOf(path)))
  }
  if (errors && report && isSameFile(resolve(cwd, errors), resolve(cwd, report)))
    throw usage(phrase('--errors and --report name the same file'), phrase('name another file'))
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map(statOf)
  if (!first || !second) return one === other
  return first.isFile() && first.dev === second.dev && first.ino === second.ino
}

/** Throws `usage` for a file that cannot be written, or has other contents; devices and pipes have none. */
export async function checkTarget(
  { world }: App,
  name: string,
  what: string,
  isOwn: (path: string) => boolean | Promise<boolean>,
): Promise<void> {
  const path = resolve(world.cwd, name)
  const stats = statOf(path)
  if (stats?.isFile() && stats.size > 0 && !(await isOwn(path)))
    throw usage(
      phrase('{name} exists and is not {what}', { name, what }),
      phrase('name another file, or remove it first'),
    )
  checkWritable(path, name)
}

/** The first line of a file; empty if it cannot be read. */
const firstLineOf = (path: string): string =>
  startOf(path)
    .replace(/^\ufeff/, '')
    .split('\n', 1)[0] ?? ''

/** The beginning of a file; empty if it cannot be read. */
export function startOf(path: string): string {
  try {
    const fd = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(1 << 16)
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(fd)
    }
  } catch {
    return ''
  }
}

const noSheets: WrittenSheets = { files: [], count: 0 }

/** Writes the records that were not applied to --errors, if it is given. */
async function writeErrorSheet(app: App, plan: Plan, { errors, kept }: OutputFiles, results: Results = new Map()) {
  if (!errors) return noSheets
  const { writeErrorSheets } = await import('../../../changes/run/error-sheet.ts')
  try {
    return await writeErrorSheets(errors, { plan, results, kept }, app.world.cwd)
  } catch (error) {
    throw cannotWrite(errors, error, phrase('free some space; see the remaining steps with: calctl runs show'))
  }
}

/** The same, with a notice that names the files and, if no failure does, the next step. */
export async function reportErrorSheet(app: App, plan: Plan, options: OutputFiles, results?: Results) {
  const sheets = await writeErrorSheet(app, plan, options, results)
  const { files, count } = sheets
  if (count > 0 && app.output !== 'json')
    await app.notice(
      phrase('wrote {count, plural, one {# record that was} other {# records that were}} not applied to {list}', {
        count,
        list: listOf(files),
      }),
    )
  const isReported = blockingRecords(plan).length > 0 || !plan.invalid.some(({ stopsOnlyItself }) => stopsOnlyItself)
  if (count > 0 && app.output !== 'json' && !isReported) await app.notice(await fixInFiles(app, sheets, options))
  return sheets
}

/** The next step with error sheets; if there are none, how to get one. */
export async function fixInFiles(app: App, { files, count }: WrittenSheets, { kept }: OutputFiles): Promise<string> {
  if (files.length === 0)
    return phrase('fix the skipped records and run the command again; --errors FILE writes them to a file')
  const { flags = '' } = (await app.client({ toPlan: true })).calendar
  const command = ['calctl apply', ...files.map(shellWord)].join(' ') + (kept?.flags ?? '') + flags
  return phrase('fix {count, plural, one {it} other {them}} in {list}, then run: {command}', {
    count,
    list: listOf(files),
    command,
  })
}

/** Throws `usage` for a file that cannot be written, before there is anything to write. */
export function checkWritable(path: string, name: string): void {
  const existed = existsSync(path)
  try {
    closeSync(openSync(path, 'a'))
  } catch (error) {
    throw usage(
      phrase('cannot write {file}: {reason}', { file: name, reason: reason(error as Error) }),
      phrase('choose another file'),
    )
  }
  if (!existed) rmSync(path)
}
