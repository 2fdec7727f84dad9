import { once } from 'node:events'
import type { App } from '../app.ts'
import type { Client, Ref } from '../client/client.ts'
import type { Change, ChangeContext } from '../client/resolve-change.ts'
import { requireNoDrift } from '../client/safe-update.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { excluding, Failure } from '../failure.ts'
import { answers, writeAnswer } from './shared/answers.ts'
import { planOptions } from './shared/apply-plan.ts'
import {
  type ChangeOptions,
  changeContext,
  changeOptions,
  changesNothing,
  readChange,
} from './shared/change-options.ts'
import { dataOptions, readValues } from './shared/data-options.ts'
import { flagName } from './shared/field-options.ts'
import type { ManyOptions } from './shared/plan-from-refs.ts'
import { areOnStdin, checkSingle, checkUnlocks, orOnStdin } from './shared/refs.ts'
import { forEachOf, readRef, refsArgument, type Verb, verbCommand } from './shared/verb-command.ts'

interface UpdateOptions extends ChangeOptions, ManyOptions {
  readonly patch?: true
}

/** calctl <resource> update <ref...>: changes what is asked and nothing else, the same for every record named. */
export const update: Verb = (parent, resource, app) => {
  const fields = Object.entries(resource.fields)
  const command = verbCommand(parent, resource, 'update', `change fields of ${resource.name}`)
  refsArgument(command, resource, '[ref...]', orOnStdin)
  dataOptions(command, fields).option('--clear <fields>', 'clear these fields, for example description,website')
  changeOptions(command, resource)
    .option('--patch', 'send only the given fields, without reading the record first')
    .option('--from <file>', 'update the records of this file; - for stdin')
  planOptions(command)
  answers(command, writeAnswer(resource))
  command.action(async (texts: string[], options: UpdateOptions & Record<string, unknown>) => {
    checkSources(texts, options)
    const change = await readChange(resource, await readValues(app, resource, fields, options), options)
    if (options.from !== undefined || areOnStdin(texts)) return updateMany(app, resource, texts, change, options)
    checkSingle(options, '- or --from')
    const refs = texts.map(text => readRef(resource, text, options.bySlug))
    if (changesNothing(resource, change)) throw nothingToChange(resource)
    if (options.patch) checkPatch(change)
    const client = await app.writer(options)
    const context = await changeContext(app, client, options)
    const work = options.patch ? patching : safely
    await forEachOf(app, resource, refs, await work(client, resource, change, context))
  })
}

function checkSources(texts: readonly string[], { data, from }: UpdateOptions & Record<string, unknown>): void {
  if (from !== undefined && texts.length > 0) throw excluding('--from', 'refs')
  if (from === undefined && texts.length === 0)
    throw new Failure('usage', 'no records given', { hint: 'pass IDs or slugs, - for stdin, or --from FILE' })
  if (data === '-' && (areOnStdin(texts) || from === '-')) throw excluding('--data -', from === '-' ? '--from -' : '-')
}

/** Records on stdin that come without a change beside them bring it along. */
async function updateMany(
  app: App,
  resource: Resource,
  texts: readonly string[],
  change: Change,
  options: UpdateOptions,
): Promise<void> {
  if (options.patch) throw excluding('--patch', options.from === undefined ? '-' : '--from')
  checkUnlocks(resource, change.values)
  const { changeMany, writeFrom } = await import('./shared/plan-from-refs.ts')
  const changes = !changesNothing(resource, change)
  if (changes && options.from !== undefined) throw excluding('--from', 'options that change fields')
  if (changes) return changeMany(app, resource, texts, change, options)
  if (options.from === undefined) await checkBringsChanges(app, resource)
  return writeFrom(app, resource, options.from ?? '-', 'update', options)
}

/** IDs and slugs alone say what to change, and not how; looks at the beginning of stdin and leaves it there. */
async function checkBringsChanges({ world }: App, resource: Resource): Promise<void> {
  await once(world.stdin, 'readable')
  const start: unknown = world.stdin.read()
  if (start !== null) world.stdin.unshift(start)
  const { formatOfText } = await import('../files/file-format.ts')
  try {
    formatOfText(String(start ?? ''), '-')
  } catch {
    throw nothingToChange(resource)
  }
}

const nothingToChange = (resource: Resource) =>
  new Failure('usage', 'nothing to change', {
    hint: `set a field, for example: ${resource.examples.update?.[0] ?? 'calctl --help'}`,
  })

type Work = (ref: Ref) => Promise<Answer>

/** Reads, changes, and compares: two requests. */
async function safely(client: Client, resource: Resource, change: Change, context: ChangeContext): Promise<Work> {
  const { safeUpdate } = await import('../client/safe-update.ts')
  const { resolveChange } = await import('../client/resolve-change.ts')
  const unlocking = Object.fromEntries(
    Object.entries(change.values).filter(([name]) => resource.fields[name]?.queryOnly),
  )
  return async ref => {
    const toSend = (before: Answer) => resolveChange(resource, before, change, context)
    return requireNoDrift(resource, await safeUpdate(client, resource, ref, unlocking, toSend))
  }
}

function checkPatch({ add = {}, remove = {}, shift, keepInstant }: Change): void {
  const [needsRecord] = [
    ...Object.keys(add).map(name => flagName(`add_${name}`)),
    ...Object.keys(remove).map(name => flagName(`remove_${name}`)),
    ...(shift === undefined ? [] : ['--shift']),
    ...(keepInstant ? ['--keep-instant'] : []),
  ]
  if (needsRecord)
    throw new Failure('usage', `${needsRecord} needs the current record, which --patch does not read`, {
      hint: 'leave out --patch',
    })
}

/** Sends what was given, and trusts the service with the rest: one request. */
async function patching(client: Client, resource: Resource, change: Change, context: ChangeContext): Promise<Work> {
  const { resolveCreation } = await import('../client/resolve-change.ts')
  const values = await resolveCreation(resource, change.values, context)
  return ref => client.update(resource, ref, values)
}
