import { answeredNo } from '../../../base/failure.ts'
import { sanitizeLine } from '../../../base/text/escaping.ts'
import { capitalized } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Policy, Warned } from '../../../changes/carry-out/front.ts'
import { wordingOf } from '../../../changes/plan/describe.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { plannedChanges } from '../../../changes/plan/plan-question.ts'
import { batches, filterItems } from '../../../changes/plan/spool.ts'
import { describeStep, plannedSentences, readLinkedNames, stepLines } from '../../../changes/plan/step-lines.ts'
import { isRemoval } from '../../../changes/plan/steps.ts'
import type { Client } from '../../../client/client.ts'
import type { App } from '../../app.ts'
import { writeLines } from '../../terminal/sentences.ts'
import { cannotAsk, confirm, mostShown, showBefore } from './confirmation.ts'
import { reportInvalid, showPlan } from './plan-output.ts'

/** Shows what a dry run would do: a plan as data, or for records that were named a sentence each. */
export async function showDryRun(app: App, plan: Plan, { named }: Policy): Promise<void> {
  if (!named || app.output !== undefined || app.globals.fields) return showPlan(app, plan)
  await reportInvalid(app, plan)
  const client = await app.client({ toPlan: true })
  await writeLines(app, await plannedSentences(client, [...plan.steps], app.world.now()), app.world.stdout)
  for (const note of plan.notes ?? []) await app.notice(note)
}

/** Asks about a plan, as its policy says, and for the name of a protected profile; throws `declined` after a no. */
export async function askAbout(app: App, client: Client, plan: Plan, warned: Warned): Promise<Plan> {
  const isConfirmed = warned.policy.isConfirmed === true || app.globals.yes === true
  if (isConfirmed) await showRemovals(app, plan, warned.policy)
  const confirmed = isConfirmed ? plan : await answerOn(app, client, plan, warned)
  await app.confirmProfile()
  return confirmed
}

async function answerOn(app: App, client: Client, plan: Plan, { policy, warnings }: Warned): Promise<Plan> {
  const { named, ask } = policy
  const notes = [...(plan.notes ?? []), ...warnings]
  if (ask) return ask(plan, notes)
  if (!named) return askAboutPlan(app, client, plan)
  if (warnings.length > 0)
    await confirm(app, {
      question: `${notes.map(note => `${capitalized(note)}.`).join(' ')} ${phrase('Continue?')}`,
      declined: phrase('nothing was sent'),
      hint: phrase('change it in WordPress, or add --yes'),
    })
  return plan
}

/**
 * Asks whether to apply a plan whose first steps were shown; `d` shows all of them. Returns the plan; throws `declined` after a no.
 */
async function askAboutPlan(app: App, client: Client, plan: Plan): Promise<Plan> {
  // A saved plan can call itself and its calendar what it likes: the calendar is the one whose ID was compared.
  const [label = '', run] = [client.calendar.label, plan.undoes ?? ''].map(sanitizeLine)
  const goal = run ? phrase('Undo {run} at {label}', { run, label }) : phrase('Apply to {label}', { label })
  const hint = phrase('add --yes, or review the plan with --dry-run')
  if (!app.canAsk) throw cannotAsk(app, `${goal}: ${plannedChanges(plan)}?`, hint)
  const { askLetter } = await import('../../terminal/prompts.ts')
  const question = `${goal}: ${plannedChanges(plan)}. ${phrase('Go on?')}`
  const others = { d: phrase('show all {count} steps', { count: plan.steps.length }) }
  for (;;) {
    const letter = await askLetter(app.world, question, others)
    if (letter === 'n') throw answeredNo(phrase('nothing was changed'))
    if (letter === 'y') return plan
    await showAll(app, stepLines(plan, client.knownName))
  }
}

/** Shows all steps on stderr, because standard output may be a file, which must not contain a part of a question. */
async function showAll(app: App, lines: Iterable<string>): Promise<void> {
  const { stdout, stderr } = app.world
  const print = (sink: typeof stdout) => writeLines(app, lines, sink)
  await (stdout.isTTY ? app.page(print) : print(stderr))
}

/** Shows the first steps of a plan, before its notes and the question, if one will be asked. */
export async function showFirstSteps(app: App, plan: Plan, policy: Policy): Promise<void> {
  const { named, ask, isConfirmed = false, namesRecords = false } = policy
  const isAsked = named ? ask !== undefined || (await app.isUnconfirmed()) : !isConfirmed
  if (app.canAsk && isAsked && !namesRecords) await showLines(app, plan, policy)
}

/** Names what a plan removes about which nobody is asked. */
async function showRemovals(app: App, plan: Plan, policy: Policy): Promise<void> {
  const isShown = policy.named || policy.isConfirmed || plan.undoes !== undefined
  if (isShown || app.globals.quiet || app.output === 'json') return
  const steps = [...filterItems(plan.steps, isRemoval)]
  if (steps.length > 0) await showLines(app, { ...plan, steps }, policy)
}

async function showLines(app: App, plan: Plan, { named }: Policy): Promise<void> {
  const client = await app.client({ toPlan: true })
  const [first = []] = batches(plan.steps, mostShown)
  await readLinkedNames(client, first, wordingOf(plan, client.knownName))
  const wording = wordingOf(plan, client.knownName)
  // Lines wrap, because what people need to see comes after the arrow.
  const lines = named
    ? plannedSentences(client, first, app.world.now())
    : first.map(step => describeStep(step, wording))
  await showBefore(app, await lines, plan.steps.length)
}
