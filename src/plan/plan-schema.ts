import { checkValue } from '../contract/check-value.ts'
import { resourceNamed } from '../contract/contract.ts'
import { isPendingUpload } from '../contract/pending-upload.ts'
import { Failure } from '../failure.ts'
import { isObject } from '../text/json.ts'
import { dependenciesOf, type Plan, resolveReferences, type Step } from './plan.ts'
import { type Check, exactly, mistakeIn, mistakeWithin, planShape, stepHead, stepShapes, text } from './plan-shapes.ts'

const anything: Check = { expected: 'anything', test: () => true }

const invalid: Check = {
  expected: 'a list of invalid records',
  test: value =>
    Array.isArray(value) && value.every(one => typeof one?.at === 'string' && typeof one.message === 'string'),
}

/** Parts of a plan are not saved. */
const { part: _part, ...wholePlan } = planShape

const savedPlan = {
  ...wholePlan,
  calendar: exactly({ id: text, label: text }, 'an ID and a label'),
  steps: anything,
  invalid,
}

/** Only writes of single records, which are not saved, have creates with these. */
const { existing: _existing, ...create } = stepShapes.create
const savedSteps = { ...stepShapes, create }

/** Whether a value is meant as a plan, of whatever version. */
export const isPlan = (value: unknown): value is Plan =>
  isObject(value) && 'calctl' in value && ('calendar' in value || 'origin' in value) && Array.isArray(value.steps)

/** Throws `usage` if a plan is of another version, or something besides its steps is invalid. */
export function checkHead(name: string, plan: Plan): void {
  if (plan.calctl !== 1)
    throw new Failure('usage', `${name} was saved by another version of calctl: plan format ${plan.calctl}, not 1`, {
      hint: `save it again with: calctl diff FILE --save ${name}`,
    })
  const mistake = mistakeIn(savedPlan, plan)
  if (mistake !== undefined) throw invalidPlan(name, mistake)
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
  const mistake = mistakeWithin(stepHead, value)
  if (mistake !== undefined) return mistake
  const step = value as Step
  return mistakeInAction(step) ?? mistakeIn(savedSteps[step.action], step) ?? mistakeInValues(step)
}

function mistakeInAction({ action, resource, id, before }: Step): string | undefined {
  const { trashable } = resourceNamed(resource)
  if (trashable ? action === 'delete' : action === 'trash' || action === 'restore')
    return `action: ${resource} are ${trashable ? 'trashed, not deleted' : 'deleted permanently'}, got "${action}"`
  if (action === 'create') return id === undefined ? undefined : 'id: a create cannot have one'
  if (id === undefined) return `id: expected an ID, which every ${action} needs`
  return before?.id === id ? undefined : `before: expected record ${id}`
}

function mistakeInValues({ resource, values }: Step): string | undefined {
  const { fields } = resourceNamed(resource)
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (!field) return `values.${name}: ${resource} have no such field`
    if (!field.nonEmpty && isEmpty(value)) continue
    if (field.kind.shape === 'picture' && isPendingUpload(value)) continue
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
