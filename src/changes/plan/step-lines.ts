import { ignoreFailure } from '../../base/attempt.ts'
import { grouped } from '../../base/groups.ts'
import { listOfFirst, saidOfCounts } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client } from '../../client/client.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { namedRecord, recordNoun, recordsNoun } from '../../contract/resource-words.ts'
import { recordInFull, shortDate } from '../../files/print/record-names.ts'
import { changesRecord, changeTexts, type KnownName, type Wording, withRealChanges, wordingOf } from './describe.ts'
import { conflictsIn, countSteps, overviewOf, withHint } from './overview.ts'
import { type Action, type Invalid, type Plan, type Step, stepActions } from './plan.ts'
import type { RecordLocation } from './site-reader.ts'
import { effectOf, survivorOf } from './steps.ts'

/**
 * The lines of a plan, for a dry run, a question and an editor: its steps with their fields, what is invalid, and how many steps there are.
 */

/** The steps of a plan as text for people: one line for each, with its fields. */
export function* stepLines(plan: Pick<Plan, 'steps' | 'made'>, known?: KnownName): Generator<string> {
  const wording = wordingOf(plan, known)
  for (const step of plan.steps) yield describeStep(step, wording)
}

/** A step with its fields: `~ "Concert", Sat 5 Dec 19:00 (12): title "Concert" → "Recital"`. */
export const describeStep = (step: Step, wording: Wording, id = step.id): string =>
  `${actionSigns[effectOf(step)]} ${stepLine(step, wording, id)}`

/** The warnings of a plan, and the number of steps of each kind. */
export function* summaryLines(plan: Plan): Generator<string> {
  yield* plan.notes ?? []
  if (plan.anew) yield newEventsLine(plan.anew)
  yield* pastLines(plan)
  yield* irreversibleNotes(plan)
  yield planSummary(plan)
}

/** A warning about new events on past days, for a year that was mistyped. */
function* pastLines(plan: Pick<Plan, 'steps' | 'made'>): Generator<string> {
  const past = [...overviewOf(plan).newEvents].filter(([day]) => day !== '' && day < plan.made.slice(0, 10))
  const [first] = past.map(([day]) => day).toSorted()
  if (first === undefined) return
  const count = past.reduce((sum, [, ofDay]) => sum + ofDay, 0)
  const places = { count, day: shortDate(first, undefined, true) }
  yield phrase(
    '{count, plural, one {# new event is past: {day}} other {# new events are past, the first on {day}}}',
    places,
  )
}

/** A warning for those who want to move an event in a file without IDs, where another date makes another event. */
const newEventsLine = (count: number): string =>
  phrase(
    '{count, plural, one {# event is} other {# events are}} new: no event has the same title and dates (to move an event, edit an export, which has IDs, or add --match title)',
    { count },
  )

/** The record of a step with the fields that change: `"Concert", Sat 5 Dec 19:00 (12, row 3): title "Concert" → "Recital"`. */
function stepLine(step: Step, wording: Wording, id = step.id): string {
  const resource = resourceNamed(step.resource)
  const { before, at, lang_code: language } = step
  const survivor = survivorOf(step)
  const record = before ?? (step.action === 'create' ? newRecord(step) : {})
  const place = placeBeside(`${recordNoun(step.resource)} ${id}`, at)
  // Every row of a file may name its language; other steps name it if it is not that of the command.
  const isOther = before !== undefined && (wording.hasLanguages || place === undefined)
  const details = [id, isOther ? language : undefined, place]
  const name = recordInFull(resource, { record, year: wording.year, details })
  const changes = changeTexts(step, wording)
  if (survivor !== undefined)
    return phrase('{name}: merged into {survivor}', { name, survivor: namedRecord(step.resource, survivor) })
  return changes.length > 0 ? `${name}: ${changes.join(', ')}` : name
}

/** The place of a record in a file, unless it names the record again: `event 157` in a file for translators. */
const placeBeside = (record: string, place: string | undefined): string | undefined =>
  place === record ? undefined : place?.replace(new RegExp(`, ${record}$`), '')

/** A new event without its venue, which is among its fields; these say whether the venue is new as well. */
const newRecord = ({ resource, values }: Step): Step['values'] =>
  resource === 'events' ? { ...values, venue: undefined } : values

/** How many places are named if several records are invalid for the same reason. */
const namedPlaces = 3

/** One line for each reason: a missing tag may be in each of a thousand rows. */
export function* invalidLines(invalid: readonly Invalid[]): Generator<string> {
  const faults = invalid.flatMap(one => (one.faults ?? [one]).map(fault => ({ at: one.at, reason: withHint(fault) })))
  for (const [reason, all] of grouped(faults, fault => fault.reason)) {
    const places = all.map(({ at }) => at)
    yield `! ${listOfFirst(places, namedPlaces)}: ${reason}`
  }
}

/** A sentence for each change that an undo of the plan could not fully revert. */
const irreversibleNotes = (plan: Pick<Plan, 'steps'>): string[] =>
  resources
    .filter(({ name }) => countSteps(plan, name, 'delete') > 0)
    .map(({ name }) =>
      phrase('{records} are deleted permanently: undo creates them again with new IDs', { records: recordsNoun(name) }),
    )

/** The number of steps with each effect. */
export function countActions(plan: Pick<Plan, 'steps'>): Record<Action, number> {
  const total = { create: 0, update: 0, trash: 0, delete: 0, restore: 0 }
  for (const counts of Object.values(overviewOf(plan).counts))
    for (const action of stepActions) total[action] += counts[action]
  return total
}

const actionSigns: Readonly<Record<Action, string>> = {
  create: '+',
  update: '~',
  trash: '-',
  delete: '-',
  restore: '^',
}

/** `12 to create, 31 to update, 104 unchanged, 1 invalid`, without zeros. */
export function planSummary(plan: Plan): string {
  const { create, update, trash, delete: deleted, restore } = countActions(plan)
  const conflicts = conflictsIn(plan).length
  const invalid = plan.invalid.length - conflicts
  const parts = saidOfCounts([
    [create, count => phrase('{count} to create', { count })],
    [update, count => phrase('{count} to update', { count })],
    [trash, count => phrase('{count} to move to the trash', { count })],
    [deleted, count => phrase('{count} to delete permanently', { count })],
    [restore, count => phrase('{count} to restore', { count })],
    [plan.same, count => phrase('{count} unchanged', { count })],
    [invalid, count => phrase('{count} invalid', { count })],
    [conflicts, count => phrase('{count, plural, one {# conflict} other {# conflicts}}', { count })],
  ])
  return parts.length > 0 ? parts.join(', ') : phrase('nothing to do')
}

/** What a dry run would have done, one sentence for each record. Reads linked records whose names are not known yet. */
export async function plannedSentences(client: Client, steps: readonly Step[], now: Date): Promise<string[]> {
  const plan = { steps, made: now.toISOString() }
  await readLinkedNames(client, steps, wordingOf(plan, client.knownName))
  const wording = wordingOf(plan, client.knownName)
  return steps.map(step => plannedSentence(step, wording))
}

function plannedSentence(step: Step, wording: Wording): string {
  const shown = withRealChanges(resourceNamed(step.resource), step)
  const action = effectOf(step)
  // The values that a removal sends do not change the record.
  const record = stepLine(action === 'delete' || action === 'trash' ? { ...shown, values: {} } : shown, wording)
  if (!changesRecord(step)) return phrase('Would change nothing: {record} already has these values', { record })
  if (action === 'create') return phrase('Would create {record}', { record })
  if (action === 'update') return phrase('Would change {record}', { record })
  if (action === 'restore') return phrase('Would restore {record}', { record })
  return action === 'trash'
    ? phrase('Would move to the trash: {record}', { record })
    : phrase('Would permanently delete {record}', { record })
}

/** At most this many names are read for a dry run or a question; other records are shown by ID. */
const mostNames = 200

/** Reads the records that steps link to, if their names are not known, so that the client knows them. */
export async function readLinkedNames(client: Client, steps: Iterable<Step>, { nameOf }: Wording): Promise<void> {
  const unknown = new Map<string, RecordLocation>()
  for (const step of steps)
    for (const { of, id } of linksIn(step))
      if (nameOf(`${of} ${id}`) === undefined)
        unknown.set(`${of} ${id}`, { resource: of, id, language: step.lang_code })
  // A record that cannot be read is shown by its ID.
  const { SiteReader } = await import('./site-reader.ts')
  await new SiteReader(client).readCurrent([...unknown.values()].slice(0, mostNames)).catch(ignoreFailure)
}

/** The existing records that a step links to. */
const linksIn = ({ resource, values }: Step): { of: ResourceName; id: number }[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const { of } = resourceNamed(resource).fields[name] ?? {}
    return of ? [value].flat().flatMap(id => (typeof id === 'number' && id > 0 ? [{ of, id }] : [])) : []
  })
