import { answeredNo } from '../../../base/failure.ts'
import { decodeEntities } from '../../../base/text/escaping.ts'
import { isObject } from '../../../base/text/json.ts'
import { phrase } from '../../../base/words/phrase.ts'
import {
  describeStep,
  invalidLines,
  linkNames,
  type NameOf,
  readLinkedNames,
  stepLines,
  summaryLines,
  wordingOf,
} from '../../../changes/plan/describe.ts'
import {
  dependenciesOf,
  effectOf,
  isOnRecord,
  isRemoval,
  type Plan,
  resolveReferences,
  type Step,
} from '../../../changes/plan/plan.ts'
import { plannedChanges } from '../../../changes/plan/plan-question.ts'
import { batches, createSpool } from '../../../changes/plan/spool.ts'
import type { Client, Values } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { ResourceName } from '../../../contract/field.ts'
import { type Field, hiddenSecret } from '../../../contract/field.ts'
import type { Row } from '../../../files/print/readable.ts'
import type { App } from '../../app.ts'
import { cannotAsk, describeUses, mostShown, showBefore } from './confirmation.ts'
import { runShape, stepShape } from './output-forms.ts'

/** Prints a plan as text, as JSON or YAML, or as rows. Invalid records and, with rows, notes go to stderr. */
export async function showPlan(app: App, plan: Plan): Promise<void> {
  const { output, globals, world } = app
  if (output === undefined) {
    const { knownName } = await app.client({ toPlan: true })
    const { writeLines } = await import('../../terminal/sentences.ts')
    await app.page(async stdout => {
      for (const lines of batches(stepLines(plan, knownName), linesPerWrite))
        await writeLines(world, globals, stdout, lines.map(line => `${line}\n`).join(''))
    })
    await reportInvalid(app, plan)
    for (const line of summaryLines(plan)) await writeLines(world, globals, world.stdout, `${line}\n`)
    return
  }
  const isWhole = !globals.fields
  if (isWhole && output === 'json') return printJson(app, plan)
  if (isWhole && output === 'yaml') return app.printValue({ ...plan, steps: Array.from(plan.steps, withHiddenSecrets) })
  await app.print(stepShape, rowsFor(app, plan))
  await reportInvalid(app, plan)
  for (const line of summaryLines(plan)) await app.notice(line)
}

const linesPerWrite = 100

/** Prints the invalid records on stderr, for a plan that is shown or applied. */
export async function reportInvalid(app: App, plan: Plan): Promise<void> {
  // A failure is not a notice that -q suppresses; with JSON, the outcome counts it.
  if (app.globals.quiet && app.output === 'json') return
  const { writeLines } = await import('../../terminal/sentences.ts')
  for (const line of invalidLines(plan.invalid)) await writeLines(app.world, app.globals, app.world.stderr, `${line}\n`)
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
  readonly error?: string | undefined
}

/** Prints the rows of a run. */
export const printRun = (app: App, plan: Plan, stateOf: (step: Step) => StepState): Promise<void> =>
  app.print(runShape, rowsFor(app, plan, stateOf))

/** One row for each changed field; for -o ids and -o count, one row for each step. */
const rowsFor = (app: App, plan: Plan, stateOf?: (step: Step) => StepState): Iterable<Row> =>
  stepRows(plan, app.output === 'ids' || app.output === 'count', stateOf)

function* stepRows(plan: Plan, isPerStep: boolean, stateOf?: (step: Step) => StepState): Generator<Row> {
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
      start: before?.start_date ?? values.start_date ?? null,
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
  const hidden = (values: Values): Values =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        value && (fields[name]?.secret || fields[name]?.queryOnly) ? hiddenSecret : value,
      ]),
    )
  return { ...step, values: hidden(step.values) }
}

/**
 * Asks whether to apply a plan whose first steps were shown: `d` shows all of them, `e` opens them in an editor, where lines of steps to
 * leave out are deleted. Returns the confirmed plan; throws `declined` after a no.
 */
export async function askAboutPlan(app: App, client: Client, plan: Plan, undoes: string | undefined): Promise<Plan> {
  const { label } = plan.calendar
  const goal = undoes ? phrase('Undo {run} at {label}', { run: undoes, label }) : phrase('Apply to {label}', { label })
  const hint = phrase('add --yes, or review the plan with --dry-run')
  if (!app.canAsk) throw cannotAsk(app, `${goal}: ${plannedChanges(plan)}?`, hint)
  const { askLetter } = await import('../../terminal/prompts.ts')
  const uses = await usesSentences(client, plan)
  for (let chosen = plan; ; ) {
    const question = [`${goal}: ${plannedChanges(chosen)}.`, uses, phrase('Go on?')].filter(part => part).join(' ')
    const letter = await askLetter(app.world, question, {
      d: phrase('show all {count} steps', { count: chosen.steps.length }),
      e: phrase('choose the steps in an editor'),
    })
    if (letter === 'n') throw answeredNo(phrase('nothing was changed'))
    if (letter === 'y') return chosen
    if (letter === 'd') await showAll(app, stepLines(chosen, client.knownName))
    else chosen = await editSteps(app, client, chosen)
    if (chosen.steps.length === 0) throw answeredNo(phrase('nothing was changed'))
  }
}

/** Shows all steps on stderr, because standard output may be a file, which must not contain a part of a question. */
async function showAll(app: App, lines: Iterable<string>): Promise<void> {
  const { stdout, stderr } = app.world
  const { writeLines } = await import('../../terminal/sentences.ts')
  const print = async (sink: typeof stdout) => {
    for (const line of lines) await writeLines(app.world, app.globals, sink, `${line}\n`)
  }
  await (stdout.isTTY ? app.page(print) : print(stderr))
}

/** Shows the first steps of a plan, before its notes and the question. */
export async function showFirstSteps(app: App, client: Client, plan: Plan): Promise<void> {
  const { steps } = plan
  const first = firstOf(steps, mostShown)
  await readLinkedNames(client, first, wordingOf(plan, client.knownName))
  const wording = wordingOf(plan, client.knownName)
  // Lines wrap, because what people need to see comes after the arrow.
  await showBefore(
    app,
    first.map(step => describeStep(step, wording)),
    steps.length,
  )
}

function firstOf<T>(items: Iterable<T>, most: number): T[] {
  const first: T[] = []
  for (const item of items) {
    if (first.length === most) break
    first.push(item)
  }
  return first
}

/** `4 events use these venues.`: one request for each resource, except events, from which records are removed. */
async function usesSentences(client: Client, { steps }: Plan): Promise<string | undefined> {
  const removed = new Map<ResourceName, { id: number }[]>()
  for (const step of steps)
    if (isOnRecord(step) && isRemoval(step) && step.resource !== 'events')
      removed.set(step.resource, [...(removed.get(step.resource) ?? []), { id: step.id }])
  const sentences: string[] = []
  for (const [name, records] of removed) {
    const resource = resourceNamed(name)
    const uses = await describeUses(client, resource, records, true)
    if (uses !== undefined) sentences.push(`${uses}.`)
  }
  return sentences.length > 0 ? sentences.join(' ') : undefined
}

/** Opens the steps in the user's editor, and leaves out those whose lines were deleted. */
async function editSteps(app: App, client: Client, plan: Plan): Promise<Plan> {
  const { editText } = await import('./edit-session.ts')
  const lines = [...stepLines(plan, client.knownName)].map((line, index) => `${index + 1}\t${line}\n`)
  const saved = await editText(app, 'plan.txt', `${instructions(lines.length)}${lines.join('')}`)
  const kept = new Set<number>()
  for (const line of saved.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const number = Number(/^\s*(\d+)\b/.exec(line)?.[1])
    if (!(number >= 1 && number <= lines.length)) {
      await app.notice(phrase('this line matches no step, so all steps are kept: {line}', { line: line.slice(0, 60) }))
      return plan
    }
    kept.add(number)
  }
  const out = new Set(Array.from(plan.steps, ({ key }) => key).filter((_, index) => !kept.has(index + 1)))
  const { plan: rest, dependents } = leaveOut(plan, out)
  if (dependents > 0)
    await app.notice(
      phrase('also left out {count, plural, one {# step that needs} other {# steps that need}} one of them', {
        count: dependents,
      }),
    )
  return rest
}

const instructions = (count: number): string =>
  [
    phrase(
      '{count, plural, one {# step} other {# steps}}. Delete the lines of the steps that are not to be done, then save and close.',
      { count },
    ),
    phrase('Other changes in this file have no effect. You are asked again before anything is done.'),
  ]
    .map(line => `# ${line}\n`)
    .join('')
    .concat('\n')

/** A plan without these steps and those that depend on them, and the number of these. */
function leaveOut({ anew: _, ...plan }: Plan, keys: ReadonlySet<string>): { plan: Plan; dependents: number } {
  const out = new Set(keys)
  const dependencies = new Map(Array.from(plan.steps, step => [step.key, dependenciesOf(step)]))
  for (let before = -1; before < out.size; ) {
    before = out.size
    for (const [key, needed] of dependencies) if (needed.some(one => out.has(one))) out.add(key)
  }
  const steps = createSpool<Step>()
  for (const step of plan.steps) if (!out.has(step.key)) steps.add(step)
  return { plan: { ...plan, steps }, dependents: out.size - keys.size }
}
