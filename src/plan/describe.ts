import type { Values } from '../client/client.ts'
import { writableValue } from '../client/compare.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Field } from '../contract/field.ts'
import { decodeEntities } from '../text/normalize.ts'
import { irreversibleNotes } from './limits.ts'
import { actionSigns, effectOf, type Invalid, type Plan, planSummary, referencedKeys, type Step } from './plan.ts'

/** A plan as people read it: a line a step, field by field, then what cannot be done, then how many there are of each. */
export function* planLines(plan: Plan): Generator<string> {
  const nameOf = linkNames(plan.steps)
  for (const step of plan.steps) yield `${actionSigns[effectOf(step)]} ${stepLine(step, nameOf)}`
  yield* summaryLines(plan)
}

/** What cannot be done, what is to be known, and how many steps there are of each kind. */
export function* summaryLines(plan: Plan): Generator<string> {
  for (const one of plan.invalid) yield `! ${invalidLine(one)}`
  yield* plan.notes ?? []
  if (plan.anew) yield anewLine(plan.anew)
  yield* irreversibleNotes(plan)
  yield planSummary(plan)
}

const anewLine = (count: number): string =>
  `${count === 1 ? '1 event is new, as none has its' : `${count} events are new, as none has their`} title and dates; to change dates, edit a sheet of calctl export: it has IDs`

/** What people call the record that another step makes or brings back, by the key of that step. */
export type NameOf = (key: string) => string

/** Of many steps only those that are linked to are kept. */
export function linkNames(steps: Iterable<Step>): NameOf {
  const linkedTo = new Set<string>()
  for (const { values } of steps) for (const key of referencedKeys(values)) linkedTo.add(key)
  const names = new Map<string, string>()
  if (linkedTo.size > 0)
    for (const step of steps)
      if (linkedTo.has(step.key)) names.set(step.key, `${step.action === 'create' ? 'new ' : ''}${titleOf(step)}`)
  return key => names.get(key) ?? key
}

function titleOf({ resource, before, values }: Step): string {
  const { title } = resourceNamed(resource)
  const called = before?.[title] ?? values[title]
  return called === undefined ? '' : text(decodeEntities(String(called)))
}

function stepLine(step: Step, nameOf: NameOf): string {
  const { singular, title } = resourceNamed(step.resource)
  const what = [singular, step.id, titleOf(step)].filter(part => part)
  const values = step.action === 'create' ? without(step.values, title) : step.values
  const changes = Object.keys(values).map(name => changeOf(step, name, nameOf))
  return `${what.join(' ')}${step.at ? ` (${step.at})` : ''}${changes.length > 0 ? `: ${changes.join(', ')}` : ''}`
}

const invalidLine = ({ at, message, hint }: Invalid): string => `${at}: ${message}${hint ? ` (${hint})` : ''}`

/** `title "Concert" → "Concert de Nadal"` */
function changeOf({ resource, before, values }: Step, name: string, nameOf: NameOf): string {
  const field = resourceNamed(resource).fields[name]
  const after = shownAs(field, values[name], nameOf)
  return before ? `${name} ${shownAs(field, before[name], nameOf)} → ${after}` : `${name} ${after}`
}

/** Linked records by their IDs, or by their names where another step makes them or brings them back. */
function shownAs(field: Field | undefined, value: unknown, nameOf: NameOf): string {
  const plain = field && isAnswered(value) ? writableValue(field, value) : value
  if (plain === null || plain === undefined || plain === '') return 'nothing'
  if (Array.isArray(plain))
    return plain.length > 0 ? plain.map(one => shownAs(undefined, one, nameOf)).join(' + ') : 'nothing'
  if (typeof plain === 'object') return '$ref' in plain ? nameOf(String(plain.$ref)) : JSON.stringify(plain)
  return typeof plain === 'string' ? text(decodeEntities(plain)) : String(plain)
}

/** Records as services answer them have IDs, those that are written have none. */
const isAnswered = (value: unknown): boolean =>
  [value].flat().some(one => typeof one === 'object' && one !== null && 'id' in one)

const longest = 60

const text = (value: string): string =>
  JSON.stringify(value.length > longest ? `${value.slice(0, longest - 1)}…` : value)

const without = (values: Values, name: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name))
