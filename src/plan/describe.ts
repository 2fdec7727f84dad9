import type { Values } from '../client/client.ts'
import { writableValue } from '../client/compare.ts'
import { resourceNamed } from '../contract/contract.ts'
import { type Field, hiddenSecret } from '../contract/field.ts'
import { decodeEntities } from '../text/normalize.ts'
import { counted, listOf, nounFor } from '../text/words.ts'
import { irreversibleNotes } from './limits.ts'
import { actionSigns, effectOf, type Invalid, type Plan, planSummary, referencedKeys, type Step } from './plan.ts'

/** The steps of a plan as text for people: a line for each, with its fields. */
export function* stepLines({ steps }: Plan): Generator<string> {
  const nameOf = linkNames(steps)
  for (const step of steps) yield describeStep(step, nameOf)
}

/** A step with its fields: `~ event 12 "Concert": title "Concert" → "Recital"`. */
export const describeStep = (step: Step, nameOf: NameOf): string =>
  `${actionSigns[effectOf(step)]} ${stepLine(step, nameOf)}`

/** The warnings of a plan, and the number of steps of each kind. */
export function* summaryLines(plan: Plan): Generator<string> {
  yield* plan.notes ?? []
  if (plan.anew) yield newEventsLine(plan.anew)
  yield* irreversibleNotes(plan)
  yield planSummary(plan)
}

/** In a file without IDs, changing a date makes another event: a warning for those who want to move one. */
const newEventsLine = (count: number): string =>
  `${counted(count, 'event')} ${nounFor(count, 'is', 'are')} new: no other one has that title and those dates; to move an event to another date, edit a file that calctl export wrote, which has IDs`

/** The name of the record that another step creates or restores, by the key of that step. */
export type NameOf = (key: string) => string

/** A plan can have many thousand steps on disk: only the names of those that others refer to are kept in memory. */
export function linkNames(steps: Iterable<Step>): NameOf {
  const referenced = new Set<string>()
  for (const { values } of steps) for (const key of referencedKeys(values)) referenced.add(key)
  const names = new Map<string, string>()
  if (referenced.size > 0)
    for (const step of steps)
      if (referenced.has(step.key)) names.set(step.key, `${step.action === 'create' ? 'new ' : ''}${titleOf(step)}`)
  return key => names.get(key) ?? key
}

function titleOf({ resource, before, values }: Step): string {
  const { title } = resourceNamed(resource)
  const value = before?.[title] ?? values[title]
  return value === undefined ? '' : quoted(decodeEntities(String(value)))
}

function stepLine(step: Step, nameOf: NameOf): string {
  const { singular, title } = resourceNamed(step.resource)
  const name = [singular, step.id, titleOf(step)].filter(part => part).join(' ')
  const place = step.at ? ` (${step.at})` : ''
  const values = step.action === 'create' ? without(step.values, title) : step.values
  const changes = Object.keys(values).map(name => changeOf(step, name, nameOf))
  return changes.length > 0 ? `${name}${place}: ${changes.join(', ')}` : `${name}${place}`
}

/** How many places are named of the records that are invalid for the same reason. */
const namedPlaces = 3

/** A line for each reason: a tag that does not exist may be in each of a thousand rows. */
export function* invalidLines(invalid: readonly Invalid[]): Generator<string> {
  const places = new Map<string, string[]>()
  for (const { at, message, hint } of invalid) {
    const reason = `${message}${hint ? ` (${hint})` : ''}`
    const known = places.get(reason)
    if (known) known.push(at)
    else places.set(reason, [at])
  }
  for (const [reason, all] of places) {
    const others = all.length - namedPlaces
    const named = others > 1 ? [...all.slice(0, namedPlaces), counted(others, 'other')] : all
    yield `! ${listOf(named)}: ${reason}`
  }
}

/** `title "Concert" → "Concert de Nadal"` */
function changeOf({ resource, before, values }: Step, name: string, nameOf: NameOf): string {
  const field = resourceNamed(resource).fields[name]
  const after = formatValue(field, values[name], nameOf)
  return before && !field?.secret
    ? `${name} ${formatValue(field, before[name], nameOf)} → ${after}`
    : `${name} ${after}`
}

/** Linked records are shown by their IDs, or by their names if another step creates or restores them. */
function formatValue(field: Field | undefined, value: unknown, nameOf: NameOf): string {
  if (field?.secret && value) return quoted(hiddenSecret)
  const plain = field && isEmbedded(value) ? writableValue(field, value) : value
  if (plain === null || plain === undefined || plain === '') return 'nothing'
  if (Array.isArray(plain))
    return plain.length > 0 ? plain.map(item => formatValue(undefined, item, nameOf)).join(' + ') : 'nothing'
  if (typeof plain === 'object') return '$ref' in plain ? nameOf(String(plain.$ref)) : JSON.stringify(plain)
  return typeof plain === 'string' ? quoted(decodeEntities(plain)) : String(plain)
}

/** Services answer linked records embedded, with their IDs; a record that is sent to be created has none. */
const isEmbedded = (value: unknown): boolean =>
  [value].flat().some(item => typeof item === 'object' && item !== null && 'id' in item)

const maxLength = 60

const quoted = (value: string): string =>
  JSON.stringify(value.length > maxLength ? `${value.slice(0, maxLength - 1)}…` : value)

const without = (values: Values, name: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name))
