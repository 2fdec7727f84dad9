import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { App } from '../../app.ts'
import { type CalendarName, withCalendar } from '../../client/origin.ts'
import { isObject } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { linesOf } from '../../files/text-streams.ts'
import type { Plan, Step } from '../../plan/plan.ts'
import { closing, opening, planJson } from '../../plan/plan-text.ts'
import { checkVersion, isPlan, mistakeInHead, stepChecker } from '../../plan/saved-plan.ts'
import { createSpool } from '../../plan/spool.ts'
import { beginsAsPlan } from './input.ts'
import { checkWritable } from './writable-file.ts'

/** Refuses to write a plan over what is none, or where nothing can be written. */
export async function checkPlace(app: App, name: string): Promise<void> {
  const path = resolve(app.world.cwd, name)
  checkWritable(path, name)
  const text = await beginning(path)
  if (text === '' || beginsAsPlan(text)) return
  throw new Failure('usage', `${name} is there already, and is no plan`, {
    hint: 'name another file, or remove it first',
  })
}

/** Keeps a plan in a file that nobody else reads: JSON, a step a line. */
export async function savePlan(app: App, name: string, plan: Plan): Promise<void> {
  try {
    const file = await open(resolve(app.world.cwd, name), 'w', 0o600)
    // A plan that was there already may be one that others can read.
    await file.chmod(0o600)
    await pipeline(Readable.from(planJson({ ...plan, id: randomUUID() })), file.createWriteStream())
  } catch (error) {
    throw new Failure('usage', `cannot write ${name}: ${(error as Error).message}`, {
      hint: 'give the path of a file that can be written: --save plan.json',
    })
  }
}

/** The plan in a file; undefined where it is a file of records, or none. Throws `usage` for a plan that is not as it should be. */
export async function savedPlan(app: App, name: string): Promise<Plan | undefined> {
  const path = resolve(app.world.cwd, name)
  if (!beginsAsPlan(await beginning(path))) return undefined
  const plan = (await planByLines(path, name)) ?? (await wholePlan(path, name))
  // One that was printed has no ID; there is hardly another of its moment.
  return { id: plan.made, ...plan }
}

/** So much of a file says whether it is a plan. */
const enough = 200

/** Empty where there is no such file: whoever reads records says so. */
async function beginning(path: string): Promise<string> {
  try {
    let text = ''
    for await (const piece of createReadStream(path, { encoding: 'utf8', end: enough })) text += piece
    return text
  } catch {
    return ''
  }
}

/** A plan as it was saved; undefined for what looks otherwise. */
async function planByLines(path: string, name: string): Promise<Plan | undefined> {
  const steps = createSpool<Step>()
  const { mistakeIn, missing } = stepChecker()
  let head: Plan | undefined
  for await (const line of linesOf(createReadStream(path, 'utf8'))) {
    if (head === undefined) {
      const value = line.endsWith(opening) ? withCalendar(parsed(`${line}${closing}`)) : undefined
      if (!isPlan(value)) return undefined
      head = value
      checkVersion(name, head)
      check(name, mistakeInHead(head))
    } else if (line === closing) {
      check(name, missing())
      return { ...head, steps }
    } else {
      const step = parsed(line.replace(/,$/, ''))
      // Somebody may have written a step in several lines.
      if (step === undefined) return undefined
      check(`${name}: ${called(step, steps.length + 1)}`, mistakeIn(step))
      steps.add(step as Step)
    }
  }
  throw cutOff(name, steps.length)
}

/** A plan that was written otherwise, by an editor for example. */
async function wholePlan(path: string, name: string): Promise<Plan> {
  const text = await readFile(path, 'utf8')
  const plan = withCalendar(parsed(text))
  if (plan === undefined && !text.trimEnd().endsWith(closing)) throw cutOff(name)
  if (!isPlan(plan)) throw mistaken(name, 'expected JSON, as calctl diff --save writes it')
  checkVersion(name, plan)
  check(name, mistakeInHead(plan))
  const { mistakeIn, missing } = stepChecker()
  let number = 0
  for (const step of plan.steps) {
    number += 1
    check(`${name}: ${called(step, number)}`, mistakeIn(step))
  }
  check(name, missing())
  return plan
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const called = (step: unknown, number: number): string =>
  isObject(step) && typeof step.key === 'string' ? `step ${number} (${step.key})` : `step ${number}`

function check(where: string, mistake: string | undefined): void {
  if (mistake !== undefined) throw mistaken(where, mistake)
}

const mistaken = (where: string, mistake: string) =>
  new Failure('usage', `${where}: ${mistake}`, { hint: 'mend it, or plan anew with: calctl diff --save' })

const cutOff = (name: string, steps?: number) =>
  new Failure('usage', `the plan ${name} was cut off${steps === undefined ? '' : ` after step ${steps}`}`, {
    hint: 'plan anew with: calctl diff --save',
  })

/** Refuses a plan whose IDs belong elsewhere, or whose new records belong to another language. */
export function checkCalendar(
  plan: Plan,
  { calendar, language }: { calendar: CalendarName; language: Plan['language'] },
): void {
  if (plan.calendar.id !== calendar.id)
    throw new Failure('conflict', `the plan is for ${plan.calendar.label}, and this is ${calendar.label}`, {
      hint: 'name the profile it was made for with -p, or plan anew with: calctl diff',
    })
  if (plan.language !== language)
    throw new Failure(
      'conflict',
      `the plan is in ${plan.language ?? 'no language'}, and this is ${language ?? 'none'}`,
      {
        hint: `${plan.language ? `add: --lang ${plan.language}` : 'leave out --lang'}, or plan anew with: calctl diff`,
      },
    )
}
