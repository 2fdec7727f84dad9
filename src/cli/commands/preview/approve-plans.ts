import { resolve } from 'node:path'
import { filesComingInto } from '../../../assistants/waiting-plans.ts'
import { asFailure, declined, Failure, renderFailure } from '../../../base/failure.ts'
import { statOf } from '../../../base/fs.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { carryOut } from '../../../changes/carry-out/carry-out.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { checkPlanTarget, readPlan } from '../../../changes/plan/plan-file.ts'
import { runsOfPlan } from '../../../changes/run/already-applied.ts'
import type { App } from '../../app.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { writeText } from '../../terminal/sentences.ts'
import { appBeside, closing } from '../shared/app-beside.ts'
import { frontOf } from '../shared/apply-plan.ts'
import { approveOnPage, checkApprovable } from './plan-on-page.ts'
import { anotherPlan, checkNotRefused, keepRefusal, refusalNote, refusedAt } from './refusals.ts'

/** Asks about a saved plan, at the terminal or on a page, and carries out what is approved. */
export async function approvePlan(app: App, plan: Plan, file: string, onPage = false): Promise<void> {
  const client = await app.client({ toPlan: true })
  checkPlanTarget(plan, client)
  await checkApprovable(app, plan, file)
  const refusal = refusalNote(app.world, plan)
  if (refusal !== undefined) await app.notice(refusal)
  if (onPage) return approveOnPage(app, client, plan)
  const [front, known] = [frontOf(app, {}), refusedAt(app.world, plan)]
  const openJournal: typeof front.openJournal = (...run) => {
    checkNotRefused(app.world, plan, known)
    // Whoever asked may have withdrawn it.
    if (!statOf(resolve(app.world.cwd, file)))
      throw declined(phrase('the plan was withdrawn; nothing was changed'), anotherPlan())
    return front.openJournal(...run)
  }
  try {
    await carryOut({ ...front, openJournal }, plan, { isSaved: true })
  } catch (error) {
    if (error instanceof Failure && error.details.isAnswer) keepRefusal(app.world, plan)
    throw error
  }
}

/** Asks about each plan that is in a folder or comes into it, until the process is asked to stop. */
export async function approveFolder(app: App, folder: string, onPage = false): Promise<void> {
  const { world } = app
  await app.notice(phrase('waiting for plans in {folder}; press Ctrl-C to stop', { folder }))
  for await (const file of filesComingInto(folder, world.stopping(), world.sleep))
    await closing(appBeside(app), own => offer(own, file, onPage)).catch(error => say(app, asFailure(error)))
}

/** Asks about a plan that nobody has settled. */
async function offer(app: App, file: string, onPage: boolean): Promise<void> {
  const plan = await readPlan(file, file).catch(error => {
    // Whoever asked may have withdrawn it.
    if (statOf(file)) throw error
    return undefined
  })
  if (plan === undefined || refusedAt(app.world, plan) !== undefined) return
  if (runsOfPlan(runsFolder(app.world), plan).length === 0) await approvePlan(app, plan, file, onPage)
}

/** Says why a plan was not carried out; what the user stopped ends the command. */
async function say(app: App, failure: Failure): Promise<void> {
  if (failure.kind === 'interrupted') throw failure
  await writeText(app, renderFailure(failure, false), app.world.stderr)
}
