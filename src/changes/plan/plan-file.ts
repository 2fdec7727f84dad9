import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { ignoreErrors } from '../../base/attempt.ts'
import { conflict, type Failure, usage } from '../../base/failure.ts'
import { storedFileProblem } from '../../base/fs.ts'
import { reason } from '../../base/io-reasons.ts'
import { isObject } from '../../base/text/json.ts'
import { parseStrictJson } from '../../base/text/strict-json.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { CalendarName } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isPendingUpload } from '../../contract/kinds/image-kind.ts'
import { asksForNone, checkValue } from '../../contract/kinds/kind-values.ts'
import { recordsNoun } from '../../contract/resource-words.ts'
import { linesOf } from '../../files/text-streams.ts'
import { withCurrentNames } from './earlier-names.ts'
import type { Plan, Step } from './plan.ts'
import {
  exactly,
  mistakeIn,
  mistakeWithin,
  patchShape,
  planShape,
  type ShapeCheck,
  stepHead,
  stepShapes,
  textShape,
} from './plan-shapes.ts'
import { createSpool } from './spool.ts'
import { dependenciesOf, isPatch, resolveReferences } from './steps.ts'

/**
 * The end of the first line of a saved plan, and its last line. In between there is one step on each line, so that a plan can be written
 * and read with one step in memory.
 */
const opening = ',"steps":['
const closing = ']}'
const closingWithSum = /^\],"checksum":"([0-9a-f]{64})"\}$/

/** A plan as JSON, line by line; `write` gives what is saved of a step. */
export function* planJson(
  { steps, calctl, id, ...others }: Plan,
  write = (step: Step): Step => step,
): Generator<string> {
  const head = { calctl, id, ...others }
  const sum = createPlanSum(head)
  yield `${JSON.stringify(head).slice(0, -1)}${opening}\n`
  let remaining = steps.length
  for (const step of steps) {
    remaining -= 1
    const text = JSON.stringify(write(step))
    sum.add(text)
    yield `${text}${remaining > 0 ? ',' : ''}\n`
  }
  yield `],"checksum":"${sum.text()}"}\n`
}

/** The checksum of a plan: of its head and of each step, as JSON. A plan without one was saved by an earlier version, or changed on purpose. */
function createPlanSum(head: object) {
  const hash = createHash('sha256').update(JSON.stringify(head))
  return { add: (step: string) => void hash.update(`\n${step}`), text: () => hash.digest('hex') }
}

/** The checksum of what a plan does, whenever and under whatever ID it was made. */
export const contentSum = ({ id: _, ...plan }: Plan): string =>
  createHash('sha256')
    .update([...planJson({ ...plan, made: '' })].join(''))
    .digest('hex')

function checkSum(name: string, expected: unknown, sum: ReturnType<typeof createPlanSum>): void {
  if (expected === undefined || sum.text() === expected) return
  throw conflict(
    phrase('the plan {name} was changed after it was made', { name }),
    phrase('make it again, or remove "checksum" at its end if you changed it on purpose'),
  )
}

/** Whether a text begins like a saved plan. */
export const looksLikePlan = (text: string): boolean =>
  /^\s*\{\s*"calctl"\s*:\s*\d+\s*,\s*("id"\s*:\s*"[^"]*"\s*,\s*)?"(calendar|origin)"\s*:/.test(text)

/** Refuses to overwrite a file that is not a plan. */
export async function checkOverwrite(path: string, name: string): Promise<void> {
  const text = await startOfFile(path)
  if (text === '' || looksLikePlan(text)) return
  throw usage(phrase('{name} exists and is not a plan', { name }), phrase('name another file, or remove it first'))
}

/** Saves a plan, which keeps its ID if it was saved before, in a file that only the user can read, because it contains whole records, including drafts. */
export async function savePlan(path: string, name: string, plan: Plan): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic')
  const lines = Array.from(planJson({ ...plan, id: plan.id ?? randomUUID() }), line => Buffer.from(line))
  try {
    await writeFileAtomic(path, Buffer.concat(lines), { mode: 0o600 })
  } catch (error) {
    throw usage(
      phrase('cannot write {file}: {reason}', { file: name, reason: reason(error as Error) }),
      phrase('give the path of a writable file: --save plan.json'),
    )
  }
}

/** Reads a saved plan; undefined if the file is something else or does not exist. Throws `usage` for an invalid plan. */
export async function readPlan(path: string, name: string): Promise<Plan | undefined> {
  if (!looksLikePlan(await startOfFile(path))) return undefined
  const plan = (await readLines(path, name)) ?? (await readWhole(path, name))
  // A plan from standard output has no ID; the moment at which it was built serves as one.
  return { id: plan.made, ...plan }
}

/** As much of a file as is needed to recognize a plan; empty if it cannot be read, which the readers of records report. */
async function startOfFile(path: string): Promise<string> {
  // A pipe cannot be read twice, and a device may never end.
  if (storedFileProblem(path) !== undefined) return ''
  try {
    let text = ''
    for await (const piece of createReadStream(path, { encoding: 'utf8', end: 200 })) text += piece
    return text
  } catch {
    return ''
  }
}

/** Reads a plan as `planJson` writes it; undefined if it has another layout. */
async function readLines(path: string, name: string): Promise<Plan | undefined> {
  const steps = createSpool<Step>()
  const checker = createStepChecker(name)
  let head: PlanHead | undefined
  for await (const line of linesOf(createReadStream(path, 'utf8'))) {
    if (head === undefined) {
      head = readHead(line, name)
      if (head === undefined) return undefined
      continue
    }
    const end = line === closing ? [] : closingWithSum.exec(line)
    if (end) {
      checker.checkDependencies()
      checkSum(name, end[1], head.sum)
      return { ...head.plan, steps }
    }
    const text = line.replace(/,$/, '')
    const step = parseJson(text)
    // Somebody may have edited the plan and put a step on several lines.
    if (step === undefined) return undefined
    head.sum.add(text)
    steps.add(checker.check(withCurrentNames(step)))
  }
  throw truncated(name, steps.length)
}

/** The first line of a plan, and the checksum that begins with it. */
interface PlanHead {
  readonly plan: Plan
  readonly sum: ReturnType<typeof createPlanSum>
}

function readHead(line: string, name: string): PlanHead | undefined {
  const written = line.endsWith(opening) ? parseJson(`${line}${closing}`) : undefined
  const plan = withCurrentNames(written)
  if (!isPlan(plan)) return undefined
  checkHead(name, plan)
  return { plan, sum: sumOfHead(written) }
}

/** Reads a plan that somebody has formatted differently. */
async function readWhole(path: string, name: string): Promise<Plan> {
  const text = await readFile(path, 'utf8')
  const written = parseJson(text)
  const { checksum, ...value } = isObject(written) ? written : {}
  const plan = withCurrentNames(isObject(written) ? value : written)
  if (plan === undefined && !text.trimEnd().endsWith(closing)) throw truncated(name)
  if (!isPlan(plan)) throw invalidPlan(name, phrase('expected JSON as written by calctl diff FILE --save plan.json'))
  checkHead(name, plan)
  const checker = createStepChecker(name)
  const sum = sumOfHead(value)
  for (const step of plan.steps) sum.add(JSON.stringify(step))
  const steps = Array.from(plan.steps, step => checker.check(withCurrentNames(step)))
  checker.checkDependencies()
  checkSum(name, checksum, sum)
  return { ...plan, steps }
}

function sumOfHead(written: unknown) {
  const { steps: _, ...head } = written as Plan
  return createPlanSum(head)
}

const parseJson = (text: string): unknown => ignoreErrors(() => parseStrictJson(text))

const truncated = (name: string, steps?: number) =>
  usage(
    steps === undefined
      ? phrase('the plan {name} is cut off', { name })
      : phrase('the plan {name} is cut off after step {steps}', { name, steps }),
    saveAgain(name),
  )

const saveAgain = (name: string): string =>
  phrase('save it again with: {command}', { command: `calctl diff FILE --save ${name}` })

/** Refuses a plan for another calendar, which has other IDs, or for another language, which its new records would get. */
export function checkPlanTarget(
  plan: Plan,
  { calendar, language }: { calendar: CalendarName; language: Plan['lang_code'] },
): void {
  if (plan.calendar.id !== calendar.id)
    throw conflict(
      phrase('the plan is for {calendar}, but this is {other}', {
        calendar: plan.calendar.label,
        other: calendar.label,
      }),
      phrase('name the profile it was made for with -p, or make a new plan with: calctl diff FILE'),
    )
  if (plan.lang_code !== language) {
    const message = phrase('the plan is for {language}, but this is {other}', {
      language: languageName(plan.lang_code),
      other: languageName(language),
    })
    throw conflict(
      message,
      plan.lang_code
        ? phrase('add: --lang {language}, or make a new plan with: calctl diff FILE', { language: plan.lang_code })
        : phrase('leave out --lang, or make a new plan with: calctl diff FILE'),
    )
  }
}

const languageName = (language: string | undefined): string =>
  language === undefined ? phrase('the default language') : phrase('language {language}', { language })

const anything: ShapeCheck = { expected: () => phrase('anything'), test: () => true }

const invalid: ShapeCheck = {
  expected: () => phrase('a list of invalid records'),
  test: value =>
    Array.isArray(value) && value.every(one => typeof one?.at === 'string' && typeof one.message === 'string'),
}

const savedPlan = {
  ...planShape,
  calendar: exactly({ id: textShape, label: textShape }, () => phrase('an ID and a label')),
  steps: anything,
  invalid,
}

/** Whether a value is meant as a plan, of any version. */
const isPlan = (value: unknown): value is Plan =>
  isObject(value) && 'calctl' in value && ('calendar' in value || 'origin' in value) && Array.isArray(value.steps)

/** Throws `usage` if a plan is of another version, or if anything except its steps is invalid. */
function checkHead(name: string, plan: Plan): void {
  if (plan.calctl !== 1)
    throw usage(
      phrase('{name} was saved by another version of calctl: plan format {format}, not 1', {
        name,
        format: String(plan.calctl),
      }),
      saveAgain(name),
    )
  const mistake = mistakeIn(savedPlan, plan)
  if (mistake !== undefined) throw invalidPlan(name, mistake)
}

/** The failure for a plan with a mistake, as somebody may make one who edits it. */
const invalidPlan = (place: string, mistake: string): Failure =>
  usage(`${place}: ${mistake}`, phrase('fix it, or save a new plan with: calctl diff FILE --save plan.json'))

/** Creates the check for the steps of one plan: call it once for each, in order; it throws `usage` for an invalid one. */
function createStepChecker(name: string) {
  const keys = new Set<string>()
  /** For each key that steps depend on, the key of the first such step. */
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
        if (!keys.has(key))
          throw invalidPlan(
            name,
            phrase('the step "{step}" needs the step "{key}", which is missing', { step: dependent, key }),
          )
    },
  }
}

const stepName = (step: unknown, number: number): string =>
  isObject(step) && typeof step.key === 'string'
    ? phrase('step {number} ({key})', { number, key: step.key })
    : phrase('step {number}', { number })

const duplicateKey = ({ key }: Step): string => phrase('another step has the key "{key}"', { key })

function mistakeInStep(value: unknown): string | undefined {
  const mistake = mistakeWithin(stepHead, value)
  if (mistake !== undefined) return mistake
  const step = value as Step
  const shape = isPatch(step) ? patchShape : stepShapes[step.action]
  return mistakeInAction(step) ?? mistakeIn(shape, step) ?? mistakeInValues(step)
}

function mistakeInAction(step: Step): string | undefined {
  const { action, resource, id, before } = step
  const { trashable } = resourceNamed(resource)
  if (trashable ? action === 'delete' : action === 'trash' || action === 'restore')
    return trashable
      ? phrase('action: {records} are trashed, not deleted, got "{action}"', { records: recordsNoun(resource), action })
      : phrase('action: {records} are deleted permanently, got "{action}"', { records: recordsNoun(resource), action })
  if (action === 'create') return id === undefined ? undefined : phrase('id: a create cannot have one')
  if (isPatch(step)) return undefined
  if (id === undefined) return phrase('id: expected an ID, which every {action} needs', { action })
  return before?.id === id ? undefined : phrase('before: expected record {id}', { id })
}

function mistakeInValues({ resource, values }: Step): string | undefined {
  const { fields } = resourceNamed(resource)
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (!field) return phrase('values.{name}: {records} have no such field', { name, records: recordsNoun(resource) })
    if (!field.nonEmpty && asksForNone(value)) continue
    if (field.kind.shape === 'picture' && isPendingUpload(value)) continue
    const checked = checkValue(
      field,
      resolveReferences(value, () => 1),
    )
    if (!checked.ok)
      return phrase('{name}: expected {expected}, got {value}', {
        name: `values.${name}`,
        expected: checked.expected,
        value: JSON.stringify(value),
      })
  }
  return undefined
}
