import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { Failure, wrongValue } from '../../failure.ts'
import type { Plan, Shard } from '../../plan/plan.ts'
import { tellErrors, writtenErrors } from './error-sheet.ts'
import { type RunFlags, runFlags, tellNothing } from './execute-plan.ts'
import { wholeNumber } from './options.ts'

/** How a plan is to be carried out. */
export interface CarryOptions extends RunFlags {
  readonly dryRun?: true
  readonly skipInvalid?: true
  readonly maxTrash?: number
  readonly shard?: Shard
}

/** Adds how a plan is to be carried out. */
export const carryOptions = (command: Command): Command =>
  runFlags(
    command
      .option('--dry-run', 'show what would be done, and do nothing')
      .option('--skip-invalid', 'do the others where some records cannot be done')
      .option(
        '--max-trash <number>',
        'how many records may be trashed or deleted (20, and 30 % of a set)',
        wholeNumber('--max-trash'),
      )
      .option('--shard <part>', 'only one of several parts, for several machines: 2/8', readShard),
  )

function readShard(text: string): Shard {
  const [, part, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (part === undefined || of === undefined || part < 1 || part > of)
    throw wrongValue('--shard', 'a part and how many there are', text, '2/8')
  return { part, of }
}

/** What is known of a plan beside what it says. */
export interface Making {
  /** It was made a while ago: it is refused where a run carried it out, and so are steps whose record has moved since. */
  readonly kept?: boolean
  /** The run that it takes back: what is trashed then was made by that run, so that only a number that was given limits it. */
  readonly undoes?: string
}

/** Shows a plan, asks, and does it. */
export async function carryOut(app: App, whole: Plan, options: CarryOptions, making: Making = {}): Promise<void> {
  const plan = options.shard ? (await import('../../plan/shard.ts')).selectShard(whole, options.shard) : whole
  if (making.kept) await checkNotDone(app, plan)
  const limited = making.undoes && options.maxTrash === undefined ? undefined : whole
  if (options.dryRun) return rehearse(app, plan, options, limited)
  const { summaryLines } = await import('../../plan/describe.ts')
  for (const line of summaryLines(plan)) await app.notice(line)
  if (plan.invalid.length > 0 && !options.skipInvalid) throw await invalid(app, plan, options)
  if (plan.steps.length === 0) {
    await tellErrors(app, plan, options)
    if (options.report) (await import('../../runs/report.ts')).openReport(resolve(app.world.cwd, options.report)).end()
    return tellNothing(app, plan)
  }
  const { checkRemovals } = await import('../../plan/limits.ts')
  if (limited) checkRemovals(limited, options.maxTrash)
  const asked = await confirmed(app, plan, making.undoes)
  const client = await app.writer()
  const { execute, started } = await import('./execute-plan.ts')
  const { refreshPlan } = await import('../../runs/refresh.ts')
  // Whoever is asked may take an hour.
  const current = asked || making.kept ? await refreshPlan(client, plan) : { plan }
  const start = () => started(app, plan, making.undoes)
  const journal = () => (making.kept && !app.globals.demo ? startedOnce(app, plan, start) : start())
  await execute(app, { client, journal, total: plan.steps.length, ...current }, options)
}

/** `limited` is the plan whose removals are limited, all its parts together. */
async function rehearse(app: App, plan: Plan, options: CarryOptions, limited: Plan | undefined): Promise<void> {
  const { showPlan } = await import('./plan-output.ts')
  const { removalExcess } = await import('../../plan/limits.ts')
  await showPlan(app, plan)
  const excess = limited && removalExcess(limited, options.maxTrash)
  if (excess) await app.notice(`${excess.message}: it needs --max-trash ${excess.needed}`)
  if (plan.invalid.length === 0) return
  if (!options.skipInvalid) throw await invalid(app, plan, options)
  await tellErrors(app, plan, options)
}

async function checkNotDone({ world }: App, plan: Plan): Promise<void> {
  const { checkNotApplied } = await import('../../runs/already-applied.ts')
  const { runsFolder } = await import('../../profiles/user-folders.ts')
  await checkNotApplied(runsFolder(world), plan)
}

/** Somebody else may have begun since it was looked at. */
async function startedOnce<T>({ world }: App, plan: Plan, start: () => Promise<T>): Promise<T> {
  const { startOnce } = await import('../../runs/already-applied.ts')
  const { runsFolder } = await import('../../profiles/user-folders.ts')
  return startOnce(runsFolder(world), plan, start)
}

async function invalid(app: App, plan: Plan, options: CarryOptions): Promise<Failure> {
  const { files } = await writtenErrors(app, plan, options)
  const written = files.length > 0 ? ` in ${files.join(' and ')}` : ''
  const unsent = options.dryRun ? '' : '; nothing was sent'
  return new Failure('usage', `${plan.invalid.length} of the records cannot be done${unsent}`, {
    hint: `mend them${written}, or do the others with: --skip-invalid`,
  })
}

/** Whether somebody was asked, and said yes. */
async function confirmed(app: App, plan: Plan, undoes: string | undefined): Promise<boolean> {
  if (app.globals.yes) return false
  const { planSummary } = await import('../../plan/plan.ts')
  if (!app.canAsk)
    throw new Failure('declined', `nobody can be asked whether to do this: ${planSummary(plan)}`, {
      hint: 'to do it without being asked add: --yes; to look at it closely: --dry-run',
    })
  const { askYesNo } = await import('../../terminal/prompts.ts')
  if (!(await askYesNo(app.world, undoes ? `take back ${undoes}?` : 'do this?')))
    throw new Failure('declined', 'left everything as it was', { hint: 'to look at it closely add: --dry-run' })
  return true
}
