import { once } from 'node:events'
import { ignoreErrors } from '../../base/attempt.ts'
import { excluding, usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { TextsByLanguage } from '../../care/translations/change-in-languages.ts'
import type { Change } from '../../client/change.ts'
import type { Values } from '../../client/client.ts'
import type { Resource } from '../../contract/resource.ts'
import { exampleLines } from '../../contract/resource-words.ts'
import type { App } from '../app.ts'
import { type ChangeOptions, changeOptions, dataOptions, readChange, readValues } from './shared/change-options.ts'
import { type ImageOptions, imageOption, withImageFile } from './shared/image-files.ts'
import { textOptions, translationOptions, typedTexts } from './shared/language-options.ts'
import { type Verb, verbCommand } from './shared/options.ts'
import { declareOutput, writeOutput } from './shared/output-forms.ts'
import { carryOutFor, changePlan, chosenLines, type ManyOptions, writeFrom } from './shared/plan-from-refs.ts'
import { planOptions } from './shared/plan-options.ts'
import { refsArgument } from './shared/ref-arguments.ts'
import { areMany, areOnStdin, checkUnlocks, type RefChoice, selectingOptions, selectionGiven } from './shared/refs.ts'

type UpdateOptions = ChangeOptions & ImageOptions & ManyOptions

/** calctl <resource> update <ref...>: makes the same change to each record, and leaves all other fields as they are. */
export const update: Verb = (parent, resource, app) => {
  const fields = Object.entries(resource.fields)
  const selecting = { resource, taken: takenBy(resource) }
  const description = phrase('Change fields of {resource}', { resource: resource.name })
  const command = verbCommand(parent, resource, 'update', description)
  refsArgument(command, resource, 'stdin')
  dataOptions(command, fields).option('--clear <fields>', phrase('Clear these fields, for example description,website'))
  imageOption(changeOptions(command, resource), resource)
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
    if (await readsFile(app, choice, change)) return updateFromFile(app, choice)
    areMany(selecting, texts, options)
    if (changesNothing(resource, change) && byLanguage.size === 0) throw nothingToChange(resource)
    await changeChosen(app, choice, change, byLanguage)
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

/** Makes the same change to all records, with their translations if the options say so. */
async function changeChosen(app: App, choice: UpdateChoice, change: Change, texts: TextsByLanguage): Promise<void> {
  const { selecting, options } = choice
  const { resource } = selecting
  const access = unlockingValues(resource, change.values)
  if (areMany(selecting, choice.texts, options)) checkUnlocks(resource, change.values)
  const changesNamed = !changesNothing(resource, change)
  const chosen = await chosenLines(app, choice, { access }, { texts, changesNamed })
  const { seriesOf } = chosen
  const ofEach = seriesOf ? await (await import('./event-verbs.ts')).changeOfSeries(app, seriesOf, change) : change
  await carryOutFor(app, { plan: await changePlan(app, chosen, ofEach, options), chosen, options })
}

const unlockingValues = ({ fields }: Resource, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => fields[name]?.queryOnly))

/** Whether the records and their new values are in a file or on stdin; options that change fields make stdin a list of refs. */
async function readsFile(app: App, { selecting, texts, options }: UpdateChoice, change: Change): Promise<boolean> {
  const { resource } = selecting
  const hasChange = !changesNothing(resource, change)
  if (options.from !== undefined) {
    if (hasChange) throw excluding('--from', phrase('options that change fields'))
    return true
  }
  if (hasChange || !areOnStdin(texts)) return false
  await checkHasValues(app, resource)
  return true
}

async function updateFromFile(app: App, { selecting: { resource }, options }: UpdateChoice): Promise<void> {
  if (options.allLanguages && options.from !== undefined) throw excluding('--from', '--all-languages')
  await writeFrom(app, resource, { file: options.from ?? '-', only: 'update', options })
}

/** Throws `usage` if stdin has only refs; reads its beginning without consuming it. */
async function checkHasValues({ world }: App, resource: Resource): Promise<void> {
  await once(world.stdin, 'readable')
  const start: unknown = world.stdin.read()
  if (start !== null) world.stdin.unshift(start)
  const { formatOfText } = await import('../../files/format-of-text.ts')
  if (ignoreErrors(() => formatOfText(String(start ?? ''), '-')) === undefined) throw nothingToChange(resource)
}

const nothingToChange = (resource: Resource) =>
  usage(
    phrase('nothing to change'),
    phrase('set a field, for example: {example}', { example: exampleLines(resource, 'update')[0] ?? 'calctl --help' }),
  )

/** Whether a change would change anything. */
const changesNothing = (resource: Resource, { values, add = {}, remove = {}, shift, duration }: Change) =>
  shift === undefined &&
  duration === undefined &&
  Object.keys({ ...add, ...remove }).length === 0 &&
  Object.keys(values).every(name => resource.fields[name]?.queryOnly)
