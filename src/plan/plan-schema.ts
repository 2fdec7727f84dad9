import type { $ZodIssue } from 'zod/v4/core'
import { resourceNamed, resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { checkValue } from '../contract/kinds.ts'
import { languages } from '../contract/languages.ts'
import { isPendingUpload } from '../contract/pending-upload.ts'
import { isObject } from '../contract/resource.ts'
import * as z from '../contract/zod.lib.ts'
import { Failure } from '../failure.ts'
import { dependenciesOf, type Plan, resolveReferences, type Step, stepActions } from './plan.ts'

const expecting = (what: string, test: (value: unknown) => boolean) =>
  z.unknown().check(z.refine(test, `expected ${what}`))

const id = expecting('an ID', value => Number.isSafeInteger(value) && Number(value) > 0)
const count = expecting('a number', value => Number.isSafeInteger(value) && Number(value) >= 0)
const fields = expecting('fields by name', isObject)
const resource = z.enum(resources.map(({ name }) => name) as [ResourceName, ...ResourceName[]])
const moment = expecting('an ISO date', value => typeof value === 'string' && !Number.isNaN(Date.parse(value)))
const texts = (value: unknown) => Array.isArray(value) && value.every(one => typeof one === 'string')

const planHead = z.strictObject({
  calctl: z.unknown(),
  id: z.optional(z.string()),
  calendar: z.strictObject({ id: z.string(), label: z.string() }),
  language: z.optional(z.enum(languages)),
  made: moment,
  steps: z.unknown(),
  same: count,
  anew: z.optional(count),
  invalid: expecting(
    'a list of invalid records',
    value => Array.isArray(value) && value.every(one => typeof one?.at === 'string' && typeof one.message === 'string'),
  ),
  among: z.optional(fields),
  notes: z.optional(expecting('a list of sentences', texts)),
})

const planStep = z.strictObject({
  key: expecting('text', value => typeof value === 'string' && value !== ''),
  action: z.enum(stepActions),
  resource,
  id: z.optional(id),
  language: z.optional(z.enum(languages)),
  before: z.optional(fields),
  values: fields,
  fingerprint: z.optional(z.string()),
  revision: z.optional(z.string()),
  match: z.optional(expecting('a list of fields', texts)),
  identity: z.optional(fields),
  at: z.optional(z.string()),
  into: z.optional(id),
  trashed: z.optional(expecting('true', value => value === true)),
  copyOf: z.optional(z.strictObject({ id, language: z.enum(languages) })),
  shared: z.optional(z.enum(['here', 'elsewhere'])),
})

/** Whether a value is meant as a plan, of whatever version. */
export const isPlan = (value: unknown): value is Plan =>
  isObject(value) && 'calctl' in value && ('calendar' in value || 'origin' in value) && Array.isArray(value.steps)

/** Throws `usage` if a plan is of another version, or something besides its steps is invalid. */
export function checkHead(name: string, plan: Plan): void {
  if (plan.calctl !== 1)
    throw new Failure('usage', `${name} was saved by another version of calctl: plan format ${plan.calctl}, not 1`, {
      hint: `save it again with: calctl diff FILE --save ${name}`,
    })
  const { success, error } = z.safeParse(planHead, plan)
  if (!success) throw invalidPlan(name, issueText(error.issues[0], plan))
}

/** A plan with a mistake in it, as an editor may make one. */
export const invalidPlan = (place: string, mistake: string): Failure =>
  new Failure('usage', `${place}: ${mistake}`, {
    hint: 'fix it, or save a new plan with: calctl diff FILE --save plan.json',
  })

/** Creates what checks the steps of one plan, each once and in order; throws `usage` for the first invalid one. */
export function createStepChecker(name: string) {
  const keys = new Set<string>()
  /** The key of the first step that depends on a step, by the key of that step. */
  const dependents = new Map<string, string>()
  let number = 0
  return {
    check(value: unknown): Step {
      number += 1
      const mistake = mistakeInStep(value) ?? (keys.has((value as Step).key) ? duplicateKey(value as Step) : undefined)
      if (mistake !== undefined) throw invalidPlan(`${name}: ${stepName(value, number)}`, mistake)
      const step = value as Step
      keys.add(step.key)
      for (const key of dependenciesOf(step)) if (!dependents.has(key)) dependents.set(key, step.key)
      return step
    },
    /** Call it after the last step: throws `usage` if a step depends on one that is not in the plan. */
    checkDependencies(): void {
      for (const [key, dependent] of dependents)
        if (!keys.has(key)) throw invalidPlan(name, `the step "${dependent}" needs the step "${key}", which is missing`)
    },
  }
}

const stepName = (step: unknown, number: number): string =>
  isObject(step) && typeof step.key === 'string' ? `step ${number} (${step.key})` : `step ${number}`

const duplicateKey = ({ key }: Step): string => `another step has the key "${key}"`

function mistakeInStep(value: unknown): string | undefined {
  const { success, error } = z.safeParse(planStep, value)
  if (!success) return issueText(error.issues[0], value)
  return mistakeInRecord(value as Step) ?? mistakeInValues(value as Step)
}

function mistakeInRecord({ action, resource, id, before }: Step): string | undefined {
  const { trashable } = resourceNamed(resource)
  if (trashable ? action === 'delete' : action === 'trash' || action === 'restore')
    return `action: ${resource} are ${trashable ? 'trashed, not deleted' : 'deleted permanently'}, got "${action}"`
  if (action === 'create') return id === undefined ? undefined : 'id: a create cannot have one'
  if (id === undefined) return `id: expected an ID, which every ${action} needs`
  if (before?.id !== id) return `before: expected record ${id}`
  return undefined
}

function mistakeInValues({ resource, values }: Step): string | undefined {
  const { fields } = resourceNamed(resource)
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (!field) return `values.${name}: ${resource} have no such field`
    if (!field.nonEmpty && isEmpty(value)) continue
    if (field.kind === 'image' && isPendingUpload(value)) continue
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

function issueText(issue: $ZodIssue | undefined, value: unknown): string {
  if (!issue || !isObject(value)) return 'expected an object'
  const name = String(issue.path[0] ?? '')
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: unknown`
  const text = value[name] === undefined ? 'nothing' : JSON.stringify(value[name]).slice(0, 60)
  return `${name}: ${expectation(issue)}, got ${text}`
}

function expectation(issue: $ZodIssue): string {
  if (issue.code === 'invalid_type') return `expected ${issue.expected === 'string' ? 'text' : issue.expected}`
  return issue.code === 'invalid_value' ? `expected one of ${issue.values.join(', ')}` : issue.message
}
