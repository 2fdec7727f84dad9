import { decodeEntities } from '../../../base/text/escaping.ts'
import { isObject } from '../../../base/text/json.ts'
import { linkNames, type NameOf, wordingOf } from '../../../changes/plan/describe.ts'
import type { Plan, Step } from '../../../changes/plan/plan.ts'
import { batches } from '../../../changes/plan/spool.ts'
import { invalidLines, readLinkedNames, stepLines, summaryLines } from '../../../changes/plan/step-lines.ts'
import { effectOf, resolveReferences } from '../../../changes/plan/steps.ts'
import { storedFailure } from '../../../changes/run/journal-entries.ts'
import type { StoredFailure } from '../../../changes/run/journal-format.ts'
import type { RunOutcome } from '../../../changes/run/result.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { type Field, hiddenSecret } from '../../../contract/field.ts'
import type { Row } from '../../../files/print/printed-rows.ts'
import type { App } from '../../app.ts'
import { writeLines, writeText } from '../../terminal/sentences.ts'
import { runShape, stepShape } from './output-shapes.ts'

/** Prints a plan as text, as JSON or YAML, or as rows. Invalid records and, with rows, notes go to stderr. */
export async function showPlan(app: App, plan: Plan): Promise<void> {
  const { output, globals, world } = app
  if (output === undefined) {
    await showSteps(app, plan)
    await reportInvalid(app, plan)
    return writeLines(app, summaryLines(plan), world.stdout)
  }
  const isWhole = !globals.fields
  if (isWhole && output === 'json') return printJson(app, plan)
  if (isWhole && output === 'yaml') return app.printValue({ ...plan, steps: Array.from(plan.steps, withHiddenSecrets) })
  await app.print(stepShape, rowsFor(app, plan))
  await reportInvalid(app, plan)
  for (const line of summaryLines(plan)) await app.notice(line)
}

/** Shows steps as lines for people. */
export async function showSteps(app: App, plan: Pick<Plan, 'steps' | 'made'>): Promise<void> {
  const client = await app.client({ toPlan: true })
  const [first = []] = batches(plan.steps, linesPerWrite)
  await readLinkedNames(client, first, wordingOf(plan, client.knownName))
  await app.page(async stdout => {
    for (const lines of batches(stepLines(plan, client.knownName), linesPerWrite))
      await writeText(app, lines.map(line => `${line}\n`).join(''), stdout)
  })
}

const linesPerWrite = 100

/** Prints the invalid records on stderr, for a plan that is shown or applied. */
export async function reportInvalid(app: App, plan: Plan): Promise<void> {
  // A failure is not a notice that -q suppresses.
  await writeLines(app, invalidLines(plan.invalid), app.world.stderr)
}

/** Writes step by step, because a plan may not fit into memory as one text. */
async function printJson(app: App, plan: Plan): Promise<void> {
  const { planJson } = await import('../../../changes/plan/plan-file.ts')
  await app.writeJson(async stdout => {
    for (const line of planJson(plan, withHiddenSecrets)) await stdout.write(line, 'json')
  })
}

/** The result of a step, for its rows. */
export interface StepState {
  readonly state: string
  /** The ID of the record that was written. */
  readonly id?: number | undefined
  readonly error?: StoredFailure | undefined
}

/** Prints the rows of a run. */
export const printRun = (app: App, plan: Plan, stateOf: (step: Step) => StepState): Promise<void> =>
  app.print(runShape, rowsFor(app, plan, stateOf))

/** One row for each changed field; for -o ids and -o count, one row for each step. */
function* rowsFor({ output }: App, plan: Plan, stateOf?: (step: Step) => StepState): Generator<Row> {
  const isPerStep = output === 'ids' || output === 'count'
  const nameOf = linkNames(plan.steps)
  for (const step of plan.steps) {
    const { resource, before, values } = step
    const { title, fields } = resourceNamed(resource)
    const state = stateOf?.(step)
    const row = {
      ...(state && { state: state.state }),
      action: effectOf(step),
      resource,
      id: state?.id ?? step.id ?? null,
      slug: before?.slug ?? values.slug ?? null,
      title: cellValue(undefined, before?.[title] ?? values[title], nameOf),
      start_date: before?.start_date ?? values.start_date ?? null,
    }
    const error = state && { error: state.error ?? null }
    const names = isPerStep ? [] : Object.keys(values)
    if (names.length === 0) yield { ...row, field: null, before: null, after: null, ...error }
    for (const name of names)
      yield {
        ...row,
        field: name,
        before: cellValue(fields[name], before?.[name], nameOf),
        after: cellValue(fields[name], values[name], nameOf),
        ...error,
      }
  }
}

/** A value for a cell: linked records by ID, or by name if the plan creates them. */
function cellValue(field: Field | undefined, value: unknown, nameOf: NameOf): unknown {
  if (value === undefined) return null
  if (field?.secret && value) return hiddenSecret
  const isLinkedRecord = [value].flat().some(one => isObject(one) && 'id' in one)
  const written = resolveReferences(
    field && isLinkedRecord ? field.kind.canonical(value, field) : value,
    key => nameOf(key) ?? key,
  )
  return typeof written === 'string' ? decodeEntities(written) : written
}

/** A step for printing: with marks in place of passwords. */
function withHiddenSecrets(step: Step): Step {
  const { fields } = resourceNamed(step.resource)
  const hidden = Object.entries(step.values).map(([name, value]) => [
    name,
    value && (fields[name]?.secret || fields[name]?.queryOnly) ? hiddenSecret : value,
  ])
  return { ...step, values: Object.fromEntries(hidden) }
}

/** Prints the outcome for -o: counts, the written IDs in the order of the plan, or a row for each change. */
export async function printOutcome(app: App, plan: Plan, outcome: RunOutcome, run?: string): Promise<void> {
  const { output, globals, world } = app
  if (output === undefined) return
  const { countResults } = await import('../../../changes/run/result.ts')
  if (output === 'count') return world.stdout.write(`${countResults(outcome).done}\n`)
  if (output === 'ids') {
    for (const { key } of plan.steps) {
      const id = outcome.results.get(key)?.id
      if (id !== undefined) await world.stdout.write(`${id}\n`)
    }
    return
  }
  if (globals.fields || output === 'table' || output === 'csv' || output === 'tsv') {
    return printRun(app, plan, ({ key, id }) => {
      const { state = 'left', id: written = id, failure } = outcome.results.get(key) ?? {}
      return { state, id: written, error: failure && storedFailure(failure) }
    })
  }
  const { same, invalid } = plan
  await app.printValue({ run: run ?? null, ...countResults(outcome), same, invalid: invalid.length })
}
