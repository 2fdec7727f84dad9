import type { NamedRecords, Written } from '../../../changes/carry-out/front.ts'
import type { StepResult } from '../../../changes/run/result.ts'
import { onlyShown } from '../../../contract/record.ts'
import type { Answer } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { printOutcome } from './plan-output.ts'

/**
 * What a command prints of what it has written: the records that were named as the site answered, or the outcome of a run.
 */

/** Prints the answers of records that were named, and otherwise the outcome of the run. */
export async function printWritten(app: App, { plan, outcome, run, named, answers }: Written): Promise<void> {
  return named ? printAnswers(app, named, answers) : printOutcome(app, plan, outcome, run)
}

/** Prints records that were named, as the site answered or as they already were. */
export async function printAnswers(app: App, named: NamedRecords, answers: Written['answers']): Promise<void> {
  const { output, globals, world } = app
  // On a terminal a sentence says what was done.
  if (output === undefined && globals.fields === undefined && world.stdout.isTTY) return
  const records = named.items.flatMap(item => (typeof item === 'string' ? recordIn(answers.get(item)) : item) ?? [])
  const [record] = records
  if (named.items.length > 1) await app.print(named.resource, records.map(onlyShown), { wereWritten: true })
  else if (record) await app.print(named.resource, onlyShown(record), { wereWritten: true })
}

/** The record in a result; a failure has it if the service changed more or less than it was asked to. */
const recordIn = (result: StepResult | undefined): Answer | undefined =>
  result?.record ?? result?.failure?.details.record
