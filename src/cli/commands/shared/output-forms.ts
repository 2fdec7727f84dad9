import type { Command } from 'commander'
import { excluding, type Failure, usage, wrongValue } from '../../../base/failure.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { apartFields, type Resource } from '../../../contract/resource.ts'
import type { Shape } from '../../../files/print/printed-rows.ts'
import type { App } from '../../app.ts'
import { outputs as allOutputs, type Globals, newsletterForms, type Output } from '../../world.ts'
import { runShape, stepShape } from './output-shapes.ts'
import { cannotPrint, printsNoData } from './unprintable-forms.ts'

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

/** The formats can depend on the arguments and options of the command. */
type Choose = (args: readonly unknown[], options: Readonly<Record<string, unknown>>) => OutputForms

/** The results of a plan, or in a dry run its steps. */
export const planOutput: Choose = (_, { dryRun }) => rowsOutput(dryRun ? stepShape : runShape)

/** `--all-languages`, and texts of one language, such as `--title.es`. */
const writesTranslations = (options: Readonly<Record<string, unknown>>): boolean =>
  options.allLanguages === true || Object.keys(options).some(name => name.includes('.'))

/** The output of a verb that writes single records, or with `-`, --from or --repeat a plan. */
export const writeOutput =
  (resource: Resource): Choose =>
  ([refs], options) => {
    const isPlan =
      options.from !== undefined ||
      (options.repeat ?? options.series ?? options.fromHere) !== undefined ||
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
  checkWord(name, output, outputs ?? { forms: allOutputs })
  if (!outputs) return fields
  const hasJson = outputs.forms !== noOutput.forms && outputs.forms.includes('json')
  if (jq !== undefined && !hasJson)
    throw usage(phrase('{name} prints no JSON, so --jq has no effect', { name }), phrase('leave out --jq'))
  const form = json ? 'json' : output
  if (form && !outputs.forms.includes(form)) throw unprintable(name, form, outputs)
  const { shape } = outputs
  if (!shape || !fields) return fields
  if (form === 'ics' || newsletterForms.some(one => one === form)) throw excluding(`-o ${form}`, '--fields')
  const { checkFields } = await import('../../terminal/unknown-fields.ts')
  const { pathCalled } = await import('./spoken-fields.ts')
  const paths = fields.map(name => pathCalled(name, [shape]))
  checkFields(shape, paths, outputs.mayHaveMoreFields ?? false)
  return paths
}

const unprintable = (name: string, form: Output, { forms, otherwise }: OutputForms): Failure =>
  forms === noOutput.forms || forms === textOutput.forms
    ? printsNoData(name, form)
    : cannotPrint(name, form, forms, otherwise?.[form] && `${otherwise[form]} > calendar.${form}`)

/** Throws `usage` for a word that is not a format of any command. */
function checkWord(name: string, word: string | undefined, { forms, otherwise = {} }: OutputForms): void {
  if (word === undefined || allOutputs.some(output => output === word)) return
  const [example] = forms
  if (example === undefined || forms === noOutput.forms) throw printsNoData(name, word)
  const form = allOutputs.find(form => word.endsWith(`.${form}`) && (forms.includes(form) || otherwise[form]))
  if (form)
    throw usage(
      phrase('-o takes a format, not a file: {file}', { file: word }),
      phrase('use: {command}', { command: `${otherwise[form] ?? `${name} -o ${form}`} > ${shellWord(word)}` }),
    )
  throw wrongValue('--output', phrase('one of {list}', { list: forms.join(', ') }), word, example)
}
