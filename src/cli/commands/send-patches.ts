/** `update --patch`: sends values without reading the records that they change. */

import { excluding, usage } from '../../base/failure.ts'
import { asOption, listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { TextsByLanguage } from '../../care/translations/change-in-languages.ts'
import { planPatches } from '../../changes/plan/making/from-refs.ts'
import type { Change } from '../../client/change.ts'
import type { Client, Values } from '../../client/client.ts'
import { resolveCreation } from '../../client/resolve-change.ts'
import type { Resource } from '../../contract/resource.ts'
import type { App } from '../app.ts'
import { buildContext } from './shared/build-context.ts'
import { changeContext } from './shared/change-context.ts'
import type { ChangeOptions } from './shared/change-options.ts'
import { textFlag } from './shared/language-options.ts'
import { carryOutFor, chosenLines, type ManyOptions } from './shared/plan-from-refs.ts'
import { areMany, type RefChoice, selectionGiven } from './shared/refs.ts'

type PatchChoice = RefChoice<ChangeOptions & ManyOptions & Record<string, unknown>>

/** Sends only the given fields, in one request, and relies on the service to keep the others. */
export async function sendPatches(app: App, choice: PatchChoice, change: Change, texts: TextsByLanguage) {
  const { selecting, options } = choice
  const { resource } = selecting
  if (options.allLanguages || texts.size > 0)
    throw excluding('--patch', options.allLanguages ? '--all-languages' : textFlag(texts))
  if (areMany(selecting, choice.texts, options))
    throw excluding('--patch', selectionGiven(selecting, options)[0] ?? '-')
  checkPatch(change)
  const client = await app.client({ toPlan: true })
  const chosen = await chosenLines(app, choice, { isPatch: true })
  const context = await changeContext(app, client, options)
  const values = await resolveCreation(resource, change.values, context)
  const plan = planPatches(await buildContext(app, options, chosen.isNamed), chosen, values, context.linked)
  const notes = resetNote(client, resource, values)
  await carryOutFor(app, { plan: { ...plan, ...(notes.length > 0 && { notes }) }, chosen, options })
}

function checkPatch({ add = {}, remove = {}, shift, duration, keepInstant }: Change): void {
  const [needsRecord] = [
    ...Object.keys(add).map(name => asOption(`add_${name}`)),
    ...Object.keys(remove).map(name => asOption(`remove_${name}`)),
    ...(shift === undefined ? [] : ['--shift']),
    ...(duration === undefined ? [] : ['--duration']),
    ...(keepInstant ? ['--keep-instant'] : []),
  ]
  if (needsRecord)
    throw usage(
      phrase('{needsRecord} needs the current record, which --patch does not read', { needsRecord }),
      phrase('leave out --patch'),
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
