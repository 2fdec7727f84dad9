import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { Client, Values } from '../client/client.ts'
import { type Answer, type Resource, writableFields } from '../contract/resource.ts'
import { excluding, Failure } from '../failure.ts'
import { answers, writeAnswer } from './shared/answers.ts'
import { carryOptions } from './shared/apply-plan.ts'
import { type ChangeOptions, circumstances, linksOption } from './shared/change-options.ts'
import { dataOptions, readValues } from './shared/data-options.ts'
import { flagName } from './shared/field-options.ts'
import type { ManyOptions } from './shared/many.ts'
import { choiceOption, commaSeparated } from './shared/options.ts'
import { checkSingle } from './shared/refs.ts'
import { forEachOf, type Verb, verbCommand } from './shared/verb.ts'
import { readWall } from './shared/wall.ts'

const policies = ['error', 'reuse', 'create'] as const

interface CreateOptions extends ChangeOptions, ManyOptions {
  readonly ifExists?: (typeof policies)[number]
  readonly repeat?: string
  readonly repeatUntil?: string
  readonly except?: readonly string[]
}

/** calctl <resource> create: asks for required fields that are missing where somebody can be asked. */
export const create: Verb = (parent, resource, app) => {
  const fields = writableFields(resource)
  const command = dataOptions(verbCommand(parent, resource, 'create', `a new ${resource.singular}`), fields)
  linksOption(command, resource).option('--from <file>', 'create every record of a file; - for stdin')
  if (resource.name === 'events') repeatOptions(command)
  carryOptions(command)
  if (isNamedOnce(resource))
    command.addOption(choiceOption('--if-exists <policy>', 'where one of that name is there already', policies))
  answers(command, writeAnswer(resource))
  command.action(async (options: CreateOptions & Record<string, unknown>) => {
    checkRepetition(options)
    if (options.from === undefined && options.repeat === undefined)
      checkSingle(options, resource.name === 'events' ? '--from or --repeat' : '--from')
    const given = await readValues(app, resource, fields, options)
    if (options.from !== undefined) return createFrom(app, resource, options.from, given, options)
    const typed = await completed(app, resource, given)
    if (options.repeat !== undefined) return repeated(app, typed, options.repeat, options)
    const client = await app.writer(options)
    const { resolveCreation } = await import('../client/resolve-change.ts')
    const around = await circumstances(app, client, options)
    await forEachOf(app, resource, [typed], async () => {
      const values = await resolveCreation(resource, typed, around)
      const namesakes = isNamedOnce(resource) ? await around.names.find(resource, String(values[resource.title])) : []
      const [there] = namesakes
      if (there && (await reuses(app, resource, there, options.ifExists))) return there
      return createNew(client, resource, values, namesakes)
    })
  })
}

const repeatOptions = (command: Command): Command =>
  command
    .option('--repeat <rule>', 'a series, as single events: FREQ=WEEKLY;COUNT=10')
    .option('--repeat-until <date>', 'the last day on which one may start', text => readWall('--repeat-until', text))
    .option('--except <dates>', 'days on which there is none: 2026-12-25', (text, before?: readonly string[]) => [
      ...(before ?? []),
      ...commaSeparated(text).map(date => readWall('--except', date)),
    ])

function checkRepetition({ repeat, repeatUntil, except }: CreateOptions): void {
  const idle = repeatUntil === undefined ? except && '--except' : '--repeat-until'
  if (repeat === undefined && idle)
    throw new Failure('usage', `${idle} needs --repeat too`, { hint: 'for example: --repeat FREQ=WEEKLY' })
}

async function createFrom(app: App, resource: Resource, file: string, given: Values, options: CreateOptions) {
  const [beside] = [
    ...Object.keys(given).map(flagName),
    ...(options.repeat === undefined ? [] : ['--repeat']),
    ...(options.ifExists === undefined ? [] : ['--if-exists']),
  ]
  if (beside) throw excluding('--from', beside)
  const { writeFrom } = await import('./shared/many.ts')
  return writeFrom(app, resource, file, 'create', options)
}

async function repeated(app: App, values: Values, repeat: string, options: CreateOptions): Promise<void> {
  const { createSeries } = await import('./shared/many.ts')
  return createSeries(app, values, { ...options, repeat })
}

/** Venues and organizers are chosen by name, so that two of one name are rarely meant. */
const isNamedOnce = ({ name }: Resource) => name === 'venues' || name === 'organizers'

async function reuses(
  app: App,
  resource: Resource,
  there: Answer,
  policy: CreateOptions['ifExists'],
): Promise<boolean> {
  if (policy === 'create' || policy === 'reuse') return policy === 'reuse'
  const what = `a ${resource.singular} called "${there[resource.title]}" is there already, with the ID ${there.id}`
  if (policy === undefined && app.canAsk) {
    const { askYesNo } = await import('../terminal/prompts.ts')
    if (await askYesNo(app.world, `${what}. Make another?`)) return false
  }
  throw new Failure('declined', what, {
    hint: 'to use it or to make another add: --if-exists reuse or --if-exists create',
  })
}

/** Some services write into the record of that name instead of making another. */
async function createNew(
  client: Client,
  resource: Resource,
  values: Values,
  namesakes: readonly Answer[],
): Promise<Answer> {
  const created = await client.create(resource, values)
  const before = namesakes.find(({ id }) => id === created.id)
  if (!before) return created
  const { differences } = await import('../client/compare.ts')
  throw new Failure(
    'conflict',
    `${client.calendar.label} allows one ${resource.singular} of a name, and wrote into ${created.id} instead`,
    {
      hint: `look at it with: calctl ${resource.name} get ${created.id}`,
      drift: differences(resource, before, created),
      record: created,
    },
  )
}

async function completed(app: App, resource: Resource, values: Values): Promise<Values> {
  const missing = resource.required.filter(name => values[name] === undefined)
  if (missing.length === 0) return values
  if (!app.canAsk)
    throw new Failure('usage', `missing ${missing.map(flagName).join(', ')}`, {
      hint: `for example: ${resource.examples.create?.[0] ?? `calctl ${resource.name} create --help`}`,
    })
  const { askField } = await import('../terminal/prompts.ts')
  const answers: Record<string, unknown> = {}
  for (const name of missing) {
    const field = resource.fields[name]
    if (field) answers[name] = await askField(app.world, field)
  }
  return { ...values, ...answers }
}
