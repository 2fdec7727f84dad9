import { once } from 'node:events'
import { excluding, Failure } from '../../base/failure.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { TextsByLanguage } from '../../care/translations/change-in-languages.ts'
import type { Step } from '../../changes/plan/plan.ts'
import type { Client, Ref, Values } from '../../client/client.ts'
import type { Change, ChangeContext } from '../../client/resolve-change.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { storedValue } from '../../contract/record.ts'
import type { Resource } from '../../contract/resource.ts'
import { exampleLines } from '../../contract/resource-words.ts'
import type { App } from '../app.ts'
import {
  type ChangeOptions,
  changeContext,
  changeOptions,
  changesNothing,
  dataOptions,
  readChange,
  readValues,
} from './shared/change-options.ts'
import { type ImageOptions, imageOption, withImageFile } from './shared/image-files.ts'
import { textFlag, textOptions, translationOptions, typedTexts } from './shared/language-options.ts'
import { flagName, readRef, refsArgument, type Verb, verbCommand } from './shared/options.ts'
import { declareOutput, writeOutput } from './shared/output-forms.ts'
import type { ManyOptions } from './shared/plan-from-refs.ts'
import { planOptions } from './shared/plan-options.ts'
import {
  areMany,
  areOnStdin,
  checkSingle,
  checkUnlocks,
  type RefChoice,
  selectingOptions,
  selectionGiven,
  withTitles,
} from './shared/refs.ts'
import type { SingleWrites } from './shared/single-writes.ts'

interface UpdateOptions extends ChangeOptions, ImageOptions, ManyOptions {
  readonly patch?: true
}

/** calctl <resource> update <ref...>: makes the same change to each record, and leaves all other fields as they are. */
export const update: Verb = (parent, resource, app) => {
  const fields = Object.entries(resource.fields)
  const selecting = { resource, taken: takenBy(resource) }
  const command = verbCommand(
    parent,
    resource,
    'update',
    phrase('Change fields of {resource}', { resource: resource.name }),
  )
  refsArgument(command, resource, 'stdin')
  dataOptions(command, fields).option('--clear <fields>', phrase('Clear these fields, for example description,website'))
  const isReset = fields.some(([, { site }]) => site?.resets)
  imageOption(changeOptions(command, resource), resource).option(
    '--patch',
    isReset
      ? phrase(
          'Send only the given fields, in one request, without reading the record first; The Events Calendar resets some of the others',
        )
      : phrase('Send only the given fields, in one request, without reading the record first'),
  )
  textOptions(translationOptions(command), resource)
  selectingOptions(command, selecting).option('--from <file>', phrase('Update the records of this file; - for stdin'))
  planOptions(command)
  declareOutput(command, writeOutput(resource))
  command.action(async (texts: string[], options: UpdateOptions & Record<string, unknown>) => {
    const choice = { selecting, texts, options }
    checkSources(choice)
    const values = await withImageFile(app, await readValues(app, resource, fields, options), options)
    const change = await readChange(resource, values, options)
    const byLanguage = await typedTexts(resource, options)
    if (options.allLanguages || byLanguage.size > 0) return updateTranslations(app, choice, change, byLanguage)
    if (options.from !== undefined || areMany(selecting, texts, options)) return updateMany(app, choice, change)
    checkSingle(options, listOf(['-', '--from'], 'or'))
    const typed = texts.map(text => readRef(resource, text, options.bySlug))
    if (changesNothing(resource, change)) throw nothingToChange(resource)
    if (options.patch) checkPatch(change)
    const client = await app.writer({ ...options, confirmed: 'later' })
    const refs = await withTitles(app, client, resource, typed)
    const context = await changeContext(app, client, options)
    const { linked } = context
    const request = { client, resource, refs, change, context }
    const writes = options.patch ? await patches(request) : await safeUpdates(request)
    const { writeEach } = await import('./shared/single-writes.ts')
    const refOf = (ref: Ref) => ref
    await writeEach(app, { client, resource, items: refs, refOf, linked, dryRun: options.dryRun, ...writes })
  })
}

/** The options with another meaning: filters with the names of fields, and days with the name of a file, are given with --where. */
const takenBy = ({ fields }: Resource): string[] => [...Object.keys(fields), 'from', 'to']

type UpdateChoice = RefChoice<UpdateOptions & Record<string, unknown>>

function checkSources({ selecting, texts, options }: UpdateChoice): void {
  const { data, from } = options
  if (from !== undefined && texts.length > 0) throw excluding('--from', phrase('IDs or slugs'))
  const [selection] = selectionGiven(selecting, options)
  if (from !== undefined && selection) throw excluding('--from', selection)
  if (data === '-' && (areOnStdin(texts) || from === '-')) throw excluding('--data -', from === '-' ? '--from -' : '-')
}

/** Changes records and their translations together. */
async function updateTranslations(
  app: App,
  choice: UpdateChoice,
  change: Change,
  byLanguage: TextsByLanguage,
): Promise<void> {
  const { selecting, texts, options } = choice
  const { resource } = selecting
  const option = options.allLanguages ? '--all-languages' : textFlag(byLanguage)
  if (options.patch) throw excluding('--patch', option)
  if (options.from !== undefined) throw excluding('--from', option)
  if (changesNothing(resource, change) && byLanguage.size === 0) throw nothingToChange(resource)
  areMany(selecting, texts, options)
  const { changeMany } = await import('./shared/plan-from-refs.ts')
  const changesNamed = !changesNothing(resource, change)
  return changeMany(app, choice, change, { texts: byLanguage, changesNamed })
}

/** Updates many records: with options that change fields, stdin has refs; without them, it has whole records with their new values. */
async function updateMany(app: App, choice: UpdateChoice, change: Change): Promise<void> {
  const { selecting, options } = choice
  const { resource } = selecting
  const [selection = '-'] = selectionGiven(selecting, options)
  if (options.patch) throw excluding('--patch', options.from === undefined ? selection : '--from')
  checkUnlocks(resource, change.values)
  const { changeMany, writeFrom } = await import('./shared/plan-from-refs.ts')
  const hasChange = !changesNothing(resource, change)
  if (hasChange && options.from !== undefined) throw excluding('--from', phrase('options that change fields'))
  if (hasChange) return changeMany(app, choice, change)
  if (selection !== '-') throw nothingToChange(resource)
  if (options.from === undefined) await checkHasValues(app, resource)
  return writeFrom(app, resource, { file: options.from ?? '-', only: 'update' }, options)
}

/** Throws `usage` if stdin has only refs; reads its beginning without consuming it. */
async function checkHasValues({ world }: App, resource: Resource): Promise<void> {
  await once(world.stdin, 'readable')
  const start: unknown = world.stdin.read()
  if (start !== null) world.stdin.unshift(start)
  const { formatOfText } = await import('../../files/file-format.ts')
  try {
    formatOfText(String(start ?? ''), '-')
  } catch {
    throw nothingToChange(resource)
  }
}

const nothingToChange = (resource: Resource) =>
  new Failure('usage', phrase('nothing to change'), {
    hint: phrase('set a field, for example: {example}', {
      example: exampleLines(resource, 'update')[0] ?? 'calctl --help',
    }),
  })

/** The same change for several records. */
interface UpdateRequest {
  readonly client: Client
  readonly resource: Resource
  readonly refs: readonly Ref[]
  readonly change: Change
  readonly context: ChangeContext
}

type Writes = Pick<SingleWrites<Ref>, 'stepFor' | 'notes' | 'notUndoable'>

/** Reads each record, with the stored texts that are to change, and updates it. */
async function safeUpdates({ client, resource, refs, change, context }: UpdateRequest): Promise<Writes> {
  const { createRefsReader } = await import('./shared/refs.ts')
  const { withRawValues } = await import('../../client/adapters/stored-records.ts')
  const { resolveChange } = await import('../../client/resolve-change.ts')
  const { recordTarget, updateStep } = await import('../../changes/plan/making/step.ts')
  const { createLengthNotes } = await import('../../changes/plan/making/notes.ts')
  const access = Object.fromEntries(Object.entries(change.values).filter(([name]) => resource.fields[name]?.queryOnly))
  const names = Object.keys({ ...change.values, ...change.add, ...change.remove })
  const read = await createRefsReader(client, { resource, refs }, access, names)
  return {
    notes(steps) {
      const lengths = createLengthNotes({ isFile: false })
      for (const step of steps) lengths.add(step, change.values)
      return lengths.notes()
    },
    notUndoable: steps =>
      changesSecretsOnly(resource, change) && !steps.some(setsFirstSecret) ? secretsNotKept() : undefined,
    async stepFor(ref) {
      const before = await read(ref)
      const values = await resolveChange(resource, before, change, context)
      const [stored = before] = await withRawValues(client, resource, [before], { names: Object.keys(values) })
      return updateStep(recordTarget(resource, before), stored, values)
    },
  }
}

const secretsNotKept = (): string => phrase('it cannot be undone, because no journal keeps passwords')

/** Whether a step sets the first password of a record, which an undo removes. */
const setsFirstSecret = ({ resource, before, values }: Step): boolean =>
  before !== undefined &&
  Object.keys(values).some(name => resourceNamed(resource).fields[name]?.secret && storedValue(name, before) === '')

function changesSecretsOnly({ fields }: Resource, { values, add, remove, shift }: Change): boolean {
  const names = Object.keys({ ...values, ...add, ...remove }).filter(name => !fields[name]?.queryOnly)
  return shift === undefined && names.length > 0 && names.every(name => fields[name]?.secret)
}

function checkPatch({ add = {}, remove = {}, shift, duration, keepInstant }: Change): void {
  const [needsRecord] = [
    ...Object.keys(add).map(name => flagName(`add_${name}`)),
    ...Object.keys(remove).map(name => flagName(`remove_${name}`)),
    ...(shift === undefined ? [] : ['--shift']),
    ...(duration === undefined ? [] : ['--duration']),
    ...(keepInstant ? ['--keep-instant'] : []),
  ]
  if (needsRecord)
    throw new Failure(
      'usage',
      phrase('{needsRecord} needs the current record, which --patch does not read', { needsRecord }),
      {
        hint: phrase('leave out --patch'),
      },
    )
}

/** A note on which other fields The Events Calendar resets if it is sent only these values. */
function resetNote({ capabilities }: Client, resource: Resource, values: Values): string[] {
  const { fields, required, singular } = resource
  if (capabilities.keepsWhatIsLeftOut) return []
  const isGiven = (name: string) => [name, fields[name]?.site?.sameAs ?? name].some(one => one in values)
  const reset = Object.keys(fields).filter(
    name => fields[name]?.site?.resets && !required.includes(name) && !isGiven(name),
  )
  if (reset.length === 0) return []
  return [
    phrase('The Events Calendar resets fields of the {record} that --patch does not send: {list}', {
      record: singular,
      list: listOf(reset),
    }),
  ]
}

/** Sends only the given fields, in one request, and relies on the service to keep the others. */
async function patches({ client, resource, change, context }: UpdateRequest): Promise<Writes> {
  const { resolveCreation } = await import('../../client/resolve-change.ts')
  const values = await resolveCreation(resource, change.values, context)
  return {
    stepFor: async ref => ({
      key: `${resource.name} ${'id' in ref ? ref.id : ref.slug}`,
      action: 'update',
      resource: resource.name,
      ...('id' in ref && { id: ref.id }),
      ref,
      values,
    }),
    notes: () => resetNote(client, resource, values),
    notUndoable: () => phrase('it cannot be undone, because --patch does not read the record first'),
  }
}
