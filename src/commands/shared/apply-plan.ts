/**
 * Shared by commands: what several of them do in the same way. `*-options.ts` declare and read options, `refs.ts` and `input.ts` read
 * what is named on the command line, `plan-from-*.ts` build a plan from it, and this file shows the plan, has it confirmed and has
 * `execute-plan.ts` execute it. Input: arguments and options. Output: values, plans, and their outcome on stdout and stderr.
 */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import { Failure, wrongValue } from '../../failure.ts'
import { blockingRecords, conflictsIn, type Plan, type Shard, withBlockingRecords } from '../../plan/plan.ts'
import { counted, nounFor } from '../../text/words.ts'
import { execute, type RunOptions, runOptions } from './execute-plan.ts'
import { wholeNumber } from './option-parsers.ts'
import { checkOutputFiles, fixInFiles, reportErrorSheet, writeErrorSheet } from './output-files.ts'
import { reportNoSteps } from './report-outcome.ts'
import { startRunJournal } from './start-journal.ts'

/** The options of commands that apply a plan. */
export interface PlanOptions extends RunOptions {
  readonly dryRun?: true
  readonly skipInvalid?: true
  readonly maxTrash?: number
  readonly shard?: Shard
}

export const planOptions = (command: Command): Command =>
  runOptions(
    command
      .optionsGroup('Safety:')
      .option('--dry-run', 'Show what would change, without changing it')
      .option('--skip-invalid', 'Skip invalid records instead of stopping')
      .option(
        '--max-trash <number>',
        'Maximum number of records to trash or delete (default: 20, and 30 % of a resource)',
        wholeNumber('--max-trash'),
      )
      .option(
        '--shard <part>',
        'Apply only this part of the plan, for example 2/8 on the second of eight machines',
        readShard,
      ),
  )

function readShard(text: string): Shard {
  const [, part, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (part === undefined || of === undefined || part < 1 || part > of)
    throw wrongValue('--shard', 'a part and the number of parts', text, '2/8')
  return { part, of }
}

/** The facts about a plan's origin that matter for applying it. */
export interface PlanOrigin {
  /** A saved plan is refused if a run has applied it already. */
  readonly isSaved?: boolean
  /** The run that the plan undoes. It removes only records that the run created, so the default of --max-trash does not apply. */
  readonly undoes?: string
  /** Whether the user has confirmed it as one of several plans. */
  readonly isConfirmed?: boolean
}

/** Shows a plan, asks for confirmation, and applies it. */
export async function applyPlan(app: App, built: Plan, options: PlanOptions, origin: PlanOrigin = {}): Promise<void> {
  const whole = await withPasswordNote(app, await withHiddenLinksNote(app, built))
  const { isSaved = false, undoes } = origin
  const isConfirmed = origin.isConfirmed === true || app.globals.yes === true
  const selected = options.shard ? (await import('../../plan/shard.ts')).selectShard(whole, options.shard) : whole
  // With --skip-invalid the exit status says that something was skipped.
  const plan = options.skipInvalid ? withBlockingRecords(selected) : selected
  if (isSaved) await checkNotApplied(app, plan)
  await checkOutputFiles(app, plan, options)
  // The limit counts the removals of all shards.
  const limited = undoes && options.maxTrash === undefined ? undefined : whole
  if (options.dryRun) return showDryRun(app, plan, options, limited)
  const { reportInvalid } = await import('./plan-output.ts')
  const { summaryLines } = await import('../../plan/describe.ts')
  await reportInvalid(app, plan)
  const isBlocked = blockingRecords(plan).length > 0 && !options.skipInvalid
  if (!isConfirmed && !isBlocked && app.canAsk && plan.steps.length > 0) await showFirst(app, plan)
  for (const line of summaryLines(plan)) await app.notice(line)
  if (isBlocked) throw await invalidRecords(app, plan, options)
  if (plan.steps.length === 0) {
    const sheets = await reportErrorSheet(app, plan, options)
    if (options.report) (await import('../../runs/result.ts')).openReport(resolve(app.world.cwd, options.report)).end()
    return reportNoSteps(app, plan, await fixInFiles(app, sheets, options))
  }
  const { checkRemovals } = await import('../../plan/limits.ts')
  if (limited) checkRemovals(limited, options.maxTrash)
  const client = await app.writer({ confirmed: 'later' })
  const confirmed = isConfirmed ? plan : await confirmPlan(app, client, plan, undoes)
  await app.confirmProfile()
  const start = () => startRunJournal(app, confirmed, undoes)
  const journal = () => (isSaved && !app.globals.demo ? startOnlyOnce(app, confirmed, start) : start())
  const readAt = isSaved ? undefined : Date.parse(plan.made)
  await execute(app, { client, plan: confirmed, journal, readAt, total: confirmed.steps.length }, options)
}

/** Says of hidden events what an undo could not give them back. */
async function withHiddenLinksNote(app: App, plan: Plan): Promise<Plan> {
  const { hiddenLinksNote } = await import('../../plan/build/hidden-links.ts')
  const note = await hiddenLinksNote(await app.client({ toPlan: true }), plan.steps)
  return note === undefined ? plan : { ...plan, notes: [...(plan.notes ?? []), note] }
}

/** Says which events lose their passwords, and lets the journal say it. */
export async function withPasswordNote(app: App, plan: Plan): Promise<Plan> {
  const { withDroppedPasswords } = await import('../../undo/dropped-passwords.ts')
  const { steps, note } = await withDroppedPasswords(await app.client({ toPlan: true }), plan.steps)
  // A saved plan may have it already.
  return { ...plan, steps, ...(note !== undefined && { notes: [...new Set([...(plan.notes ?? []), note])] }) }
}

async function showDryRun(app: App, plan: Plan, options: PlanOptions, limited: Plan | undefined): Promise<void> {
  const { showPlan } = await import('./plan-output.ts')
  const { checkConflicts, removalExcess } = await import('../../plan/limits.ts')
  await showPlan(app, plan)
  const excess = limited && removalExcess(limited, options.maxTrash)
  if (excess) await app.notice(`${excess.message}: it needs --max-trash ${excess.needed}`)
  if (plan.invalid.length === 0) return
  if (blockingRecords(plan).length > 0 && !options.skipInvalid) throw await invalidRecords(app, plan, options)
  await reportErrorSheet(app, plan, options)
  checkConflicts(plan)
}

async function checkNotApplied({ world }: App, plan: Plan): Promise<void> {
  const { checkNotApplied } = await import('../../runs/already-applied.ts')
  const { runsFolder } = await import('../../profiles/user-folders.ts')
  checkNotApplied(runsFolder(world), plan)
}

/** Another process may have started the same plan meanwhile. */
async function startOnlyOnce<T>({ world }: App, plan: Plan, start: () => Promise<T>): Promise<T> {
  const { startOnce } = await import('../../runs/already-applied.ts')
  const { runsFolder } = await import('../../profiles/user-folders.ts')
  return startOnce(runsFolder(world), plan, start)
}

async function invalidRecords(app: App, plan: Plan, options: PlanOptions): Promise<Failure> {
  const sheets = await writeErrorSheet(app, plan, options)
  const count = plan.invalid.length - conflictsIn(plan).length
  const nothingSent = options.dryRun ? '' : '; nothing was sent'
  return new Failure('usage', `${counted(count, 'record')} ${nounFor(count, 'is', 'are')} invalid${nothingSent}`, {
    hint:
      sheets.files.length > 0
        ? `add --skip-invalid to apply the others; ${await fixInFiles(app, sheets, options)}`
        : `fix ${nounFor(count, 'it', 'them')}, or add --skip-invalid --errors FILE to apply the others and get ${nounFor(count, 'it', 'these')} in a file`,
  })
}

async function showFirst(app: App, plan: Plan): Promise<void> {
  const { showFirstSteps } = await import('./plan-question.ts')
  await showFirstSteps(app, await app.client({ toPlan: true }), plan)
}

async function confirmPlan(app: App, client: Client, plan: Plan, undoes: string | undefined): Promise<Plan> {
  const { askAboutPlan } = await import('./plan-question.ts')
  return askAboutPlan(app, client, plan, undoes)
}
