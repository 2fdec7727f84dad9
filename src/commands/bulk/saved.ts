import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { App } from '../../app.ts'
import type { Plan, Step } from '../../bulk/plan.ts'
import { createSpool } from '../../bulk/spool.ts'
import { isObject } from '../../contract/object.ts'
import { Failure } from '../../failure.ts'
import { linesOf } from '../../files/text.ts'

/** Keeps a plan in a file that nobody else reads: JSON, a step a line. */
export async function savePlan(app: App, name: string, plan: Plan): Promise<void> {
  try {
    await pipeline(Readable.from(textOf(plan)), createWriteStream(resolve(app.world.cwd, name), { mode: 0o600 }))
  } catch (error) {
    throw new Failure('usage', `cannot write ${name}: ${(error as Error).message}`, {
      hint: 'give the path of a file that can be written: --save plan.json',
    })
  }
}

const opening = ',"steps":['
const closing = ']}'

function* textOf({ steps, ...head }: Plan): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)}${opening}\n`
  let left = steps.length
  for (const step of steps) {
    left -= 1
    yield `${JSON.stringify(step)}${left > 0 ? ',' : ''}\n`
  }
  yield `${closing}\n`
}

/** The plan in a file; undefined where it is a file of records, or none. */
export async function savedPlan(app: App, name: string): Promise<Plan | undefined> {
  if (!/\.json$/i.test(name)) return undefined
  const path = resolve(app.world.cwd, name)
  try {
    return (await planByLines(path)) ?? (await wholePlan(path))
  } catch {
    // Whoever reads the records says what is wrong with the file.
    return undefined
  }
}

/** A plan as it was saved; undefined for what looks otherwise. */
async function planByLines(path: string): Promise<Plan | undefined> {
  const steps = createSpool<Step>()
  let head: unknown
  for await (const line of linesOf(createReadStream(path, 'utf8'))) {
    if (head === undefined) {
      if (!line.endsWith(opening)) return undefined
      head = JSON.parse(`${line}${closing}`)
      if (!isPlan(head)) return undefined
    } else if (line === closing) return { ...(head as Plan), steps }
    else steps.add(JSON.parse(line.replace(/,$/, '')))
  }
  return undefined
}

/** A plan that was written otherwise, by an editor for example. */
async function wholePlan(path: string): Promise<Plan | undefined> {
  const value: unknown = JSON.parse(await readFile(path, 'utf8'))
  return isPlan(value) ? value : undefined
}

const isPlan = (value: unknown): value is Plan =>
  isObject(value) &&
  value.calctl === 1 &&
  Array.isArray(value.steps) &&
  'origin' in value &&
  Array.isArray(value.invalid)

/** Refuses a plan whose IDs belong elsewhere. */
export function checkOrigin(plan: Plan, origin: string): void {
  if (plan.origin === origin) return
  throw new Failure('conflict', `the plan is for ${plan.origin}, and this is ${origin}`, {
    hint: 'name the profile it was made for with -p, or plan anew with: calctl diff',
  })
}
