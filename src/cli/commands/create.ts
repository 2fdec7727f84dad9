import type { Command } from 'commander'
import { answeredNo, declined, excluding, Failure, forExample, usage } from '../../base/failure.ts'
import { asOption, capitalized, listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { createPlan } from '../../changes/plan/making/context.ts'
import type { Plan, Step } from '../../changes/plan/plan.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { type Answer, isDayAlone, missingFields, type Resource, writableFields } from '../../contract/resource.ts'
import { exampleLines } from '../../contract/resource-words.ts'
import { recordName } from '../../files/print/record-names.ts'
import type { App } from '../app.ts'
import { applyPlan } from './shared/apply-plan.ts'
import { changeContext } from './shared/change-context.ts'
import {
  type ChangeOptions,
  checkDuration,
  dataOptions,
  durationOption,
  linksOption,
  readValues,
} from './shared/change-options.ts'
import { isYes } from './shared/confirmation.ts'
import { type ImageOptions, imageOption, withImageFile } from './shared/image-files.ts'
import { choiceOption, commaSeparated, optionName, type Verb, verbCommand } from './shared/options.ts'
import { declareOutput, writeOutput } from './shared/output-forms.ts'
import { clientFor, type ManyOptions, writeFrom } from './shared/plan-from-refs.ts'
import { planOptions } from './shared/plan-options.ts'
import { printAnswers } from './shared/written-output.ts'

const policies = ['error', 'reuse', 'create'] as const

interface CreateOptions extends ChangeOptions, ImageOptions, ManyOptions {
  readonly ifExists?: (typeof policies)[number]
  readonly repeat?: string
  readonly repeatUntil?: string
  readonly except?: readonly string[]
}

/** calctl <resource> create: creates one record, the records of a file, or a series of events. */
export const create: Verb = (parent, resource, app) => {
  const fields = writableFields(resource)
  const description = phrase('Create {record, select, event {an event} organizer {an organizer} other {a {record}}}', {
    record: resource.singular,
  })
  const command = dataOptions(verbCommand(parent, resource, 'create', description), fields)
  imageOption(linksOption(durationOption(command, resource), resource), resource)
    .optionsGroup('Files:')
    .option('--from <file>', phrase('Create the records of this file; - for stdin'))
  if (resource.name === 'events') repeatOptions(command)
  planOptions(command)
  if (hasUniqueNames(resource))
    command.addOption(choiceOption('--if-exists <policy>', phrase('What to do if the name already exists'), policies))
  declareOutput(command, writeOutput(resource))
  command.action(async (options: CreateOptions & Record<string, unknown>) => {
    const values = await withImageFile(app, await readValues(app, resource, fields, options), options)
    checkExclusions(options, values)
    checkDuration(values, options.duration)
    if (options.from !== undefined) return writeFrom(app, resource, { file: options.from, only: 'create', options })
    if (options.repeat !== undefined) return createSeries(app, values, options)
    const isWhole =
      missingFields(resource, values, options.duration).length === 0 && !lacksHour(values, options.duration)
    if (resource.name !== 'events' || !app.canAsk || isWhole) return createOne(app, resource, values, options)
    await createTyped(app, values, options)
  })
}

/** Whether an event has a day alone, and nothing says that it lasts whole days. */
const lacksHour = ({ start_date: start, end_date: end, all_day: isAllDay }: Values, duration = 1): boolean =>
  isAllDay === undefined && isDayAlone(start) && !isDayAlone(end) && duration % 86_400_000 !== 0

/** Asks for what an event lacks, and for what people usually know about it; if it is not created, prints what was typed. */
async function createTyped(app: App, values: Values, options: CreateOptions): Promise<void> {
  const { eventDialog, withTyped } = await import('./event-dialog.ts')
  const { WentBack } = await import('../terminal/prompts.ts')
  const typed: Record<string, unknown> = {}
  try {
    const client = await clientFor(app, options)
    const dialog = await eventDialog(app, client, { given: values, typed, hasLength: options.duration !== undefined })
    for (;;) {
      await dialog.ask()
      try {
        return await createAnswered(app, values, typed, options)
      } catch (error) {
        if (!(error instanceof WentBack)) throw error
        dialog.goBack()
      }
    }
  } catch (error) {
    throw error instanceof Failure ? withTyped(app, error, typed) : error
  }
}

/** Creates an event, or a series of them, as options and answers describe it. */
async function createAnswered(app: App, given: Values, typed: Record<string, unknown>, options: CreateOptions) {
  const { create_missing: createsMissing, ...answers } = typed
  // What was chosen as new beside similar names is new.
  const isNew = { createMissing: true, allowSimilar: true } as const
  const choices = createsMissing === true ? { ...options, ...isNew } : options
  const whole = { ...given, ...(await withImageFile(app, answers, {})) }
  const { approveEvent, askForRepetition } = await import('./event-dialog.ts')
  const events = resourceNamed('events')
  const approve = async (plan: Plan, notes: readonly string[], isDouble: boolean): Promise<Plan> => {
    for (const note of notes) await app.notice(note)
    const approved = await approveEvent(app, { status: given.status, isDouble })
    if (approved === 'repeat') throw new Repeated(String(plan.steps.at(-1)?.values.start_date))
    if (approved !== 'draft') return plan
    typed.status = 'draft'
    const asDraft = (step: Step): Step =>
      step.resource === 'events' ? { ...step, values: { ...step.values, status: 'draft' } } : step
    return { ...plan, steps: Array.from(plan.steps, asDraft) }
  }
  try {
    await createOne(app, events, whole, { ...choices, approve })
  } catch (error) {
    if (!(error instanceof Repeated)) throw error
    const repeat = await askForRepetition(app, error.start)
    typed.repeat = repeat
    await createSeries(app, whole, { ...choices, repeat }, typed)
  }
}

/** Somebody wants an event on other days, too. */
class Repeated extends Error {
  constructor(readonly start: string) {
    super('repeated')
  }
}

const repeatOptions = (command: Command): Command =>
  command
    .optionsGroup('Series:')
    .option('--repeat <days>', phrase('Create a series of single events, for example "every Tuesday", or by an RRULE'))
    .option(
      '--repeat-until <date>',
      phrase('Last day on which an event of the series can start, for example "30 June"'),
    )
    .option(
      '--except <days>',
      phrase('Days to leave out, for example "24 and 31 December", August or holidays'),
      commaSeparated,
    )

/** Options for a single record or a series, which --from excludes. */
const excludedByFrom = ['repeat', 'repeatUntil', 'except', 'duration', 'ifExists']

function checkExclusions(options: CreateOptions & Record<string, unknown>, values: Values): void {
  const given = (names: readonly string[]) => names.filter(name => options[name] !== undefined).map(optionName)
  if (options.from !== undefined) {
    const [excluded] = [...Object.keys(values).map(asOption), ...given(excludedByFrom)]
    if (excluded) throw excluding('--from', excluded)
  }
  const [dependent] = options.repeat === undefined ? given(['repeatUntil', 'except']) : []
  if (dependent)
    throw usage(
      phrase('{dependent} requires --repeat', { dependent }),
      forExample(`--repeat "${phrase('every Tuesday')}"`),
    )
}

async function createSeries(
  app: App,
  values: Values,
  options: CreateOptions,
  typed: Record<string, unknown> = {},
): Promise<void> {
  const { repeat = '', repeatUntil: until, except, createMissing, duration } = options
  const complete = await askForRequired(app, resourceNamed('events'), values, duration)
  const { planSeries } = await import('../../changes/plan/making/repeated-events.ts')
  const { buildContext } = await import('./shared/build-context.ts')
  const askEnd = async (check: (text: string) => string | true) => {
    const { askValid } = await import('../terminal/prompts.ts')
    typed.repeat_until = await askValid(app.world, phrase('Last day of the series'), check)
    return String(typed.repeat_until)
  }
  const texts = { repeat, until, except, duration, ...(app.canAsk && { askEnd }) }
  await applyPlan(app, await planSeries(await buildContext(app, options), complete, texts, createMissing), options)
}

/** Asks whether to write a plan; `isDouble` if such an event already exists. */
type Approve = (plan: Plan, notes: readonly string[], isDouble: boolean) => Promise<Plan>

async function createOne(
  app: App,
  resource: Resource,
  values: Values,
  { approve, ...options }: CreateOptions & { readonly approve?: Approve },
): Promise<void> {
  const complete = await askForRequired(app, resource, values, options.duration)
  const client = await clientFor(app, options)
  const { resolveCreation } = await import('../../client/resolve-change.ts')
  const context = await changeContext(app, client, options)
  const resolved = await resolveCreation(resource, complete, context, options.duration)
  const matches = hasUniqueNames(resource) ? await context.names.find(resource, String(resolved[resource.title])) : []
  const [match] = matches
  if (match && (await isReused(app, resource, match, options.ifExists))) return keepExisting(app, resource, match)
  const existing = matches.length > 0 ? await existingRecords(client, resource, matches, resolved.lang_code) : undefined
  const step: Step = {
    key: `${resource.name} new`,
    action: 'create',
    resource: resource.name,
    values: resolved,
    ...(existing && { existing }),
  }
  const asks = approve === undefined && !options.dryRun
  const isDouble = resource.name === 'events' && (await sayDoubts(app, client, step, asks))
  const steps = [...context.linked, step]
  const { createCostNotes } = await import('../../changes/plan/making/notes.ts')
  const costs = createCostNotes(client)
  costs.add(step)
  const notes = [...context.said, ...costs.notes()]
  const plan = createPlan(
    { client, now: app.world.now() },
    { steps, same: 0, invalid: [], ...(notes.length > 0 && { notes }) },
  )
  const ask = approve && ((whole: Plan, notes: readonly string[]) => approve(whole, notes, isDouble))
  await applyPlan(app, plan, options, { named: { resource, items: [step.key] }, ask })
}

/** Prints the record that is used instead of a new one. */
async function keepExisting(app: App, resource: Resource, record: Answer): Promise<void> {
  const name = capitalized(recordName(resource, { record }))
  if (app.output === undefined)
    await app.notice(phrase('{record} already exists; nothing was created', { record: name }))
  await printAnswers(app, { resource, items: [record] }, new Map())
}

/** Names what is doubtful about an event, and asks about it at a terminal. Returns whether such an event already exists. */
async function sayDoubts(app: App, client: Client, step: Step, asks: boolean): Promise<boolean> {
  const { doubtsAbout } = await import('./shared/doubtful-events.ts')
  const { double, past } = await doubtsAbout(app, client, step)
  const doubts = [double, past].filter(doubt => doubt !== undefined)
  if (doubts.length > 0 && asks && app.canAsk) {
    const question = `${capitalized(doubts.join('; '))}. ${phrase('Create it anyway?')}`
    const usual = double === undefined ? 'yes' : 'no'
    if (!(await isYes(app, question, usual))) throw answeredNo(phrase('nothing was written'))
  } else for (const doubt of doubts) await app.notice(doubt)
  return double !== undefined
}

/** People choose venues and organizers by name, so two with the same name are rarely intended. */
const hasUniqueNames = ({ name }: Resource) => name === 'venues' || name === 'organizers'

async function isReused(app: App, resource: Resource, match: Answer, policy: CreateOptions['ifExists']) {
  if (policy === 'create' || policy === 'reuse') return policy === 'reuse'
  const exists = phrase(
    '{record, select, organizer {an organizer} other {a {record}}} named "{name}" already exists ({id})',
    { record: resource.singular, name: String(match[resource.title]), id: match.id },
  )
  const question = `${capitalized(exists)}. ${phrase('Create another?')}`
  if (policy === undefined && app.canAsk && (await isYes(app, question))) return false
  throw declined(exists, phrase('add --if-exists reuse to use it, or --if-exists create to create another'))
}

/** The records with the same name, as they are stored: a site may overwrite one of them. */
async function existingRecords(client: Client, resource: Resource, matches: readonly Answer[], language: unknown) {
  const { withRawValues } = await import('../../client/adapters/stored-records.ts')
  const { trimRecord } = await import('../../changes/plan/record-state.ts')
  const known = await withRawValues(client, resource, matches, { language })
  return known.map(record => trimRecord(resource, record))
}

/** Asks for missing required fields; throws `usage` without a terminal. */
async function askForRequired(app: App, resource: Resource, values: Values, duration?: number): Promise<Values> {
  const missing = missingFields(resource, values, duration)
  if (missing.length === 0) return values
  if (!app.canAsk)
    throw usage(
      phrase('missing {list}', { list: listOf(missing.map(asOption)) }),
      forExample(exampleLines(resource, 'create')[0] ?? `calctl ${resource.name} create --help`),
    )
  const { askField } = await import('../terminal/prompts.ts')
  const answers: Record<string, unknown> = {}
  for (const name of missing) {
    const field = resource.fields[name]
    if (field) answers[name] = await askField(app.world, field)
  }
  return { ...values, ...answers }
}
