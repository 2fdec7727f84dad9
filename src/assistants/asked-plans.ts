import { randomBytes } from 'node:crypto'
import { Failure, missing, refused } from '../base/failure.ts'
import { isObject } from '../base/text/json.ts'
import { isSecretName } from '../base/text/secrets.ts'
import { phrase } from '../base/words/phrase.ts'
import type { Plan } from '../changes/plan/plan.ts'
import { stepLines, summaryLines } from '../changes/plan/step-lines.ts'
import { effectOf } from '../changes/plan/steps.ts'
import { isImagePath } from '../contract/kinds/image-kind.ts'
import type { Approval, Decided } from './approval.ts'
import type { About, Desk, Wish } from './desk.ts'
import { alone, areData, inLists, rowsThatFit, shortForm } from './short-answers.ts'

/** The plans of a conversation. Each has a name that nobody can guess, and is settled by a person. */

/** A plan, the page on which it was shown, and what became of it. */
export interface AskedPlan {
  readonly name: string
  readonly plan: Plan
  approval?: Promise<Approval>
  settled?: Decided | undefined
}

export function createAskedPlans(desk: Desk) {
  const plans = new Map<string, AskedPlan>()
  const undos = new Map<string, AskedPlan>()
  const keep = (plan: Plan): AskedPlan => {
    const asked = { name: `plan-${randomBytes(6).toString('hex')}`, plan }
    plans.set(asked.name, asked)
    return asked
  }
  return {
    async plan(wish: Wish): Promise<AskedPlan> {
      checkRecords(wish.records)
      const plan = await desk.plan(wish)
      checkNoDeletes(plan)
      return keep(plan)
    },
    find: (name: string) => plans.get(name),
    /** The plan that takes back a run: made once, and again if the one before was not approved. */
    async undoOf(run: string): Promise<AskedPlan> {
      if (!/^[\w-]{1,40}$/.test(run))
        throw missing(phrase('there is no such run'), phrase('name a run that apply_plan has told of'))
      const before = undos.get(run)
      if (before && (before.settled === undefined || isDone(before.settled))) return before
      const asked = keep(await desk.undo(run))
      undos.set(run, asked)
      return asked
    },
    /** What became of a plan, here or elsewhere. A plan that nobody approved in time can be asked about again. */
    async settledOf(asked: AskedPlan): Promise<Decided | undefined> {
      if (asked.settled?.state === 'expired') for (const part of ['settled', 'approval'] as const) delete asked[part]
      if (asked.settled) return asked.settled
      asked.settled = desk.decided(asked.plan)
      if (asked.settled) await (await asked.approval)?.close()
      return asked.settled
    },
    /** The page of a plan that is not settled: one at a time, which is shown unless the client does that. */
    pageOf(asked: AskedPlan, isShown: boolean): Promise<Approval> {
      asked.approval ??= openPage(desk, asked, isShown).catch(error => {
        delete asked.approval
        throw error
      })
      return asked.approval
    },
    /** Withdraws what nobody has approved. */
    async close() {
      for (const { approval } of plans.values()) await (await approval?.catch(() => undefined))?.close()
    },
  }
}

/** Opens the page of a plan, which closes when the plan is settled. */
async function openPage(desk: Desk, asked: AskedPlan, isShown: boolean): Promise<Approval> {
  const approval = await desk.approve(asked.plan)
  void approval.settled.then(async settled => {
    asked.settled ??= settled
    await approval.close()
  })
  if (isShown) await desk.show(approval)
  return approval
}

/** Records of a calendar have lists of links, and little below them. */
const mostNested = 20

/** Refuses passwords, and images in files: whoever starts the server seldom chooses its folder, so that all files can lie below it. */
function checkRecords(value: unknown, isImage = false, depth = 0): void {
  if (depth > mostNested)
    throw refused(phrase('these records are nested too deeply'), phrase('describe each as a flat record'))
  if (isImage && isImagePath(value))
    throw refused(phrase('assistants name no files of this machine'), phrase('give the ID or the URL of an image'))
  if (Array.isArray(value)) for (const one of value) checkRecords(one, isImage, depth + 1)
  if (!isObject(value)) return
  if (Object.keys(value).some(isSecretName))
    throw refused(phrase('assistants set no passwords'), phrase('leave the password out'))
  for (const [name, one] of Object.entries(value))
    checkRecords(one, name === 'image' || (isImage && (name === 'url' || name === 'id')), depth + 1)
}

function checkNoDeletes({ steps }: Plan): void {
  if (Array.from(steps, effectOf).includes('delete'))
    throw refused(
      phrase('this would delete for good, which no assistant can ask for'),
      phrase('a person can do it with calctl'),
    )
}

const isDone = (settled: Decided): boolean => settled.state === 'approved' && settled.failure === undefined

export type AskedPlans = ReturnType<typeof createAskedPlans>

/** The most records with a mistake of which an answer tells. */
const mostInvalid = 20

/** What a plan would do, in sentences. */
export function planText(about: About, { name, plan }: AskedPlan): string {
  const data = rowsThatFit(stepLines(plan), 2 * inLists).slice(0, mostLines)
  const left = plan.steps.length - data.length
  const invalid = plan.invalid
    .slice(0, mostInvalid)
    .map(({ at, message, hint }) => ({ at, message, hint: hintOf(hint) }))
  return JSON.stringify({
    ...about,
    plan: name,
    said: shortForm([...summaryLines(plan)].slice(-mostInvalid), inLists),
    ...(invalid.length > 0 && { invalid: shortForm(invalid, inLists) }),
    data,
    ...(left > 0 && { left }),
    note: `${areData}. Nothing is written yet`,
  })
}

/** The most changes of which an answer tells; the page shows all. */
const mostLines = 40

/** What became of a plan. */
export const settledText = (about: About, { name }: AskedPlan, settled: Decided): string =>
  JSON.stringify({
    ...about,
    plan: name,
    state: settled.state,
    ...('at' in settled && { at: settled.at }),
    ...(settled.state === 'approved' && { run: settled.run, said: shortForm(settled.said, alone) }),
    note: settledNotes[settled.state === 'approved' && !isDone(settled) ? 'failed' : settled.state],
  })

const settledNotes = {
  approved: 'a person approved the plan; said tells what was done',
  failed: 'a person approved the plan, but not all of it was done; said tells why',
  refused: 'a person refused the plan: nothing was written; ask what to do instead',
  expired: 'nobody approved the plan in time: nothing was written',
} as const

/** What a plan waits for. The address of the page is not told: with it, an assistant could press, too. */
export const waitingText = (about: About, { name }: AskedPlan): string =>
  JSON.stringify({
    ...about,
    plan: name,
    state: 'waiting',
    note: 'nothing is written yet: a person has to press Apply on the page, or to say yes to calctl approve in a terminal; then call again',
  })

/** Hints that are command lines are for people. */
const hintOf = (hint: string | undefined) => (hint?.includes('calctl ') ? undefined : hint)

/** Why a question has no answer. */
export function failureText(error: unknown): string {
  if (!(error instanceof Failure)) return 'calctl failed in a way that nobody expected; its standard error says more'
  const { hint, causes = [] } = error.details
  const said = [error.message, ...causes.slice(0, mostInvalid).map(({ message }) => message)]
  return String(shortForm([...said, hintOf(hint)].filter(one => one).join('; '), alone))
}
