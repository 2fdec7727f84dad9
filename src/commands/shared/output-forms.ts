import type { Command } from 'commander'
import type { Resource } from '../../contract/resource.ts'
import { excluding, Failure } from '../../failure.ts'
import type { Globals, Output } from '../../globals.ts'
import { type Shape, shapeOf } from '../../terminal/form.ts'
import { listOf } from '../../text/words.ts'

/** What a command answers: which forms `-o` takes, and which names `--fields`. Checked before a command begins. */
export interface OutputForms {
  readonly forms: readonly Output[]
  /** Whose names `--fields` takes; unset where the command has a meaning of its own for it, or none. */
  readonly shape?: Shape
  /** A service may answer more fields than the contract knows: where nothing is written, records are looked at instead. */
  readonly mayHoldMore?: true
}

const tabular = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'count'] as const

const formsOfRecords = ({ name }: Resource): readonly Output[] =>
  name === 'events' ? [...tabular, 'ids', 'ics'] : [...tabular, 'ids']

/** Records that are read. */
export const readRecordsOutput = (resource: Resource): OutputForms => ({
  forms: formsOfRecords(resource),
  shape: resource,
  mayHoldMore: true,
})

/** Records that were written, as the service answers them. */
const writtenRecordsOutput = (resource: Resource): OutputForms => ({ forms: formsOfRecords(resource), shape: resource })

/** Rows with columns; `-o ids` prints their key. */
export const rowsOutput = (shape: Shape): OutputForms => ({
  forms: shape.key === undefined ? tabular : [...tabular, 'ids'],
  shape,
})

/** One value that has no columns. */
export const documentOutput: OutputForms = { forms: ['json', 'ndjson', 'yaml'] }

/** No data: `--json` is for the error, if there is one. */
export const noOutput: OutputForms = { forms: ['json'] }

/** The requests that a dry run would send. */
export const requestShape = shapeOf(['method', 'url', 'body'])

export const profileShape = shapeOf(
  ['name', 'inUse', 'baseUrl', 'baseUrls', 'lang', 'namespace', 'user', 'secret', 'headers', 'protected'],
  { columns: ['name', 'inUse', 'baseUrl', 'lang', 'namespace', 'user', 'protected'], key: 'name' },
)

const runFacts = ['run', 'command', 'started', 'state', 'steps', 'done', 'failed', 'unknown', 'left']

/** The runs whose journals are kept. */
export const runListShape = shapeOf([...runFacts, 'calendar', 'undoes', 'plan'], {
  columns: [...runFacts, 'calendar.label'],
  key: 'run',
})

/** Where a calendar is served. */
export const serverShape = shapeOf(['url'])

/** A row for each field that a plan changes, or for the step where it changes none. */
export const stepShape = shapeOf(['action', 'resource', 'id', 'slug', 'title', 'start', 'field', 'before', 'after'], {
  key: 'id',
})

/** The same for a run, with what became of each step. */
export const runShape = shapeOf(['state', ...stepShape.columns, 'error'], { key: 'id' })

/** The kind of an answer may depend on the arguments and options of the command. */
type Choose = (args: readonly unknown[], options: Readonly<Record<string, unknown>>) => OutputForms

/** What became of a plan; in a dry run what it would do. */
export const planOutput: Choose = (_, { dryRun }) => rowsOutput(dryRun ? stepShape : runShape)

/** A verb that writes records one by one, or with `-`, --from or --repeat as a plan. */
export const writeOutput =
  (resource: Resource): Choose =>
  ([refs], options) => {
    const isPlan = options.from !== undefined || options.repeat !== undefined || [refs].flat().includes('-')
    if (isPlan) return planOutput([], options)
    return options.dryRun ? rowsOutput(requestShape) : writtenRecordsOutput(resource)
  }

const kinds = new WeakMap<Command, Choose>()

/** Declares what a command answers. */
export function declareOutput(command: Command, kind: OutputForms | Choose): Command {
  kinds.set(command, typeof kind === 'function' ? kind : () => kind)
  return command
}

/** What a command answers with the arguments that were given; undefined where it was never declared. */
export const outputFormsOf = (command: Command): OutputForms | undefined =>
  kinds.get(command)?.(command.processedArgs, command.opts())

/** Refuses a form that a command cannot print, and names in `--fields` that its answer cannot have. */
export async function checkOutput(name: string, command: Command, { json, output, fields }: Globals): Promise<void> {
  const kind = outputFormsOf(command)
  if (!kind) return
  const form = json ? 'json' : output
  if (form && !kind.forms.includes(form)) throw cannotPrint(name, form, kind.forms)
  if (!fields || !kind.shape) return
  if (form === 'ics') throw excluding('-o ics', '--fields')
  const { checkFields } = await import('../../terminal/unknown-fields.ts')
  checkFields(kind.shape, fields, kind.mayHoldMore ?? false)
}

function cannotPrint(name: string, form: Output, forms: readonly Output[]): Failure {
  if (forms === noOutput.forms)
    return new Failure('usage', `${name} prints no data, so -o ${form} has no effect`, { hint: `leave out -o ${form}` })
  return new Failure('usage', `${name} cannot print ${form}`, { hint: `use -o ${listOf(forms, 'or')}` })
}
