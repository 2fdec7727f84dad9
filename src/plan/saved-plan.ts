import type { $ZodIssue } from 'zod/v4/core'
import { resourceNamed, resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { checkValue } from '../contract/kinds.ts'
import { isObject } from '../contract/resource.ts'
import { languages } from '../contract/words.ts'
import * as z from '../contract/zod.lib.ts'
import { Failure } from '../failure.ts'
import { type Plan, referencedKeys, resolveReferences, type Step, stepActions } from './plan.ts'

const expecting = (what: string, test: (value: unknown) => boolean) =>
  z.unknown().check(z.refine(test, `expected ${what}`))

const id = expecting('an ID', value => Number.isSafeInteger(value) && Number(value) > 0)
const count = expecting('how many', value => Number.isSafeInteger(value) && Number(value) >= 0)
const fields = expecting('fields by name', isObject)
const resource = z.enum(resources.map(({ name }) => name) as [ResourceName, ...ResourceName[]])
const moment = expecting('an ISO date', value => typeof value === 'string' && !Number.isNaN(Date.parse(value)))
const sentences = (value: unknown) => Array.isArray(value) && value.every(one => typeof one === 'string')

const head = z.strictObject({
  calctl: z.unknown(),
  id: z.optional(z.string()),
  calendar: z.strictObject({ id: z.string(), label: z.string() }),
  language: z.optional(z.enum(languages)),
  made: moment,
  steps: z.unknown(),
  same: count,
  anew: z.optional(count),
  invalid: expecting(
    'a list of what cannot be done',
    value => Array.isArray(value) && value.every(one => typeof one?.at === 'string' && typeof one.message === 'string'),
  ),
  among: z.optional(fields),
  notes: z.optional(expecting('a list of sentences', sentences)),
})

const step = z.strictObject({
  key: expecting('text', value => typeof value === 'string' && value !== ''),
  action: z.enum(stepActions),
  resource,
  id: z.optional(id),
  language: z.optional(z.enum(languages)),
  before: z.optional(fields),
  values: fields,
  fingerprint: z.optional(z.string()),
  at: z.optional(z.string()),
  shared: z.optional(z.enum(['here', 'elsewhere'])),
})

/** Refuses a plan in a form of which only another version of calctl knows what it means. */
export function checkVersion(name: string, { calctl }: Plan): void {
  if (calctl !== 1)
    throw new Failure('usage', `${name} was made by another version of calctl: a plan of form ${calctl}, not 1`, {
      hint: 'plan anew with: calctl diff --save',
    })
}

/** Says what is wrong with what stands beside the steps of a plan, if anything is. */
export function mistakeInHead(value: unknown): string | undefined {
  const checked = z.safeParse(head, value)
  return checked.success ? undefined : told(checked.error.issues[0], value)
}

/** Makes what looks at the steps of one plan, each once: it says what is wrong with a step, if anything is. */
export function stepChecker() {
  const keys = new Set<string>()
  const needed = new Map<string, string>()
  return {
    mistakeIn(value: unknown): string | undefined {
      const checked = z.safeParse(step, value)
      if (!checked.success) return told(checked.error.issues[0], value)
      const { key, values } = value as Step
      if (keys.has(key)) return `there is another step with the key "${key}"`
      keys.add(key)
      for (const need of referencedKeys(values)) if (!needed.has(need)) needed.set(need, key)
      return mistakeInRecord(value as Step) ?? mistakeInValues(value as Step)
    },
    /** What is missing once all steps were looked at. */
    missing(): string | undefined {
      for (const [need, key] of needed)
        if (!keys.has(need)) return `the step "${key}" needs the step "${need}", which is not there`
      return undefined
    },
  }
}

function mistakeInRecord({ action, resource, id, before }: Step): string | undefined {
  const { trashable } = resourceNamed(resource)
  if (trashable ? action === 'delete' : action === 'trash' || action === 'restore')
    return `action: ${resource} are ${trashable ? 'trashed, not deleted' : 'deleted for good'}, got "${action}"`
  if (action === 'create') return id === undefined ? undefined : 'id: a create has none'
  if (id === undefined) return `id: expected an ID, which ${action} needs`
  if (before?.id !== id) return `before: expected the record ${id} as it was`
  return undefined
}

function mistakeInValues({ resource, values }: Step): string | undefined {
  const { fields, name: of } = resourceNamed(resource)
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (!field) return `values.${name}: ${of} have no such field`
    if (!field.nonEmpty && isEmpty(value)) continue
    const checked = checkValue(
      field,
      resolveReferences(value, () => 1),
    )
    if (!checked.ok) return `values.${name}: expected ${checked.expected}, got ${JSON.stringify(value)}`
  }
  return undefined
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

function told(issue: $ZodIssue | undefined, value: unknown): string {
  if (!issue || !isObject(value)) return 'expected an object'
  const [name = ''] = issue.path
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: nothing is called that`
  const given = value[String(name)]
  return `${String(name)}: ${sentence(issue)}, got ${given === undefined ? 'nothing' : JSON.stringify(given).slice(0, 60)}`
}

function sentence(issue: $ZodIssue): string {
  if (issue.code === 'invalid_type') return `expected ${issue.expected === 'string' ? 'text' : issue.expected}`
  return issue.code === 'invalid_value' ? `expected one of ${issue.values.join(', ')}` : issue.message
}

/** Whether a value is meant as a plan, whatever its form. */
export const isPlan = (value: unknown): value is Plan =>
  isObject(value) && 'calctl' in value && ('calendar' in value || 'origin' in value) && Array.isArray(value.steps)
