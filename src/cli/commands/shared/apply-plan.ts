import { resolve } from 'node:path'
import { shellWord } from '../../../base/text/escaping.ts'
import type { Front, PlanOptions, Policy } from '../../../changes/carry-out/front.ts'
import { createProgress } from '../../../changes/carry-out/progress.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import type { Journal } from '../../../changes/run/journal-writer.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { App } from '../../app.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import type { Globals } from '../../world.ts'
import { reportInvalid } from './plan-output.ts'
import { askAbout, showDryRun, showFirstSteps } from './plan-questions.ts'
import { printWritten } from './written-output.ts'

/**
 * Shared by commands: what several of them do in the same way. `*-options.ts` declare and read options, `refs.ts` and `input.ts` read what
 * the command line names, `plan-from-*.ts` make a plan from it, and this file carries the plan out. Input: arguments and options. Output:
 * values, plans, and their outcome on stdout and stderr.
 */

/** Shows a plan, asks about it, and writes it, as its policy and the options say. */
export async function applyPlan(app: App, plan: Plan, options: PlanOptions, policy: Policy = {}): Promise<void> {
  const { carryOut } = await import('../../../changes/carry-out/carry-out.ts')
  await carryOut(frontOf(app, options), plan, policy)
}

/** The command line as the front of a run. */
export function frontOf(app: App, options: PlanOptions): Front {
  const { world, globals } = app
  const isJson = app.output === 'json'
  return {
    options,
    isJson,
    isQuiet: globals.quiet ?? false,
    isConfirmed: globals.yes ?? false,
    now: () => world.now(),
    sleep: ms => world.sleep(ms),
    stopping: () => world.stopping(),
    runs: globals.demo ? undefined : runsFolder(world),
    files: {
      check: () => checkPlanFile(app, options.save),
    },
    client: () => app.client({ toPlan: true }),
    writer: () => app.writer({ confirmed: 'later' }),
    waitForSite: app.waitForSite,
    briefly: app.briefly,
    notice: app.notice,
    save: plan => saveAs(app, options.save ?? '', plan),
    show: (plan, policy) => showDryRun(app, plan, policy),
    showInvalid: plan => reportInvalid(app, plan),
    showFirst: (plan, policy) => showFirstSteps(app, plan, policy),
    ask: (client, plan, warned) => askAbout(app, client, plan, warned),
    async withLinkedRecords({ resource }, result) {
      const { record } = result
      if (!record) return result
      const { withLinkedRecords } = await import('../../../client/adapters/wp-record.ts')
      const client = await app.client({ toPlan: true })
      return { ...result, record: await withLinkedRecords(client, resourceNamed(resource), record) }
    },
    openJournal: (plan, policy) => openJournal(app, plan, policy, options.wait),
    // With -o json, a program may parse stderr.
    progress: total =>
      globals.quiet || isJson ? undefined : createProgress(world.stderr, total, () => world.now().getTime()),
    print: written => printWritten(app, written),
  }
}

/** Most commands write no files. */
const outputFiles = () => import('./output-files.ts')

/** Throws `usage` if a plan cannot be saved in a file, or would overwrite something other than a plan. */
export async function checkPlanFile({ world }: App, name: string | undefined): Promise<void> {
  if (name === undefined) return
  const { checkOverwrite } = await import('../../../changes/plan/plan-file.ts')
  const path = resolve(world.cwd, name)
  const { checkWritable } = await outputFiles()
  checkWritable(path, name)
  await checkOverwrite(path, name)
}

export async function saveAs({ world }: App, name: string, plan: Plan): Promise<void> {
  const { savePlan } = await import('../../../changes/plan/plan-file.ts')
  await savePlan(resolve(world.cwd, name), name, plan)
}

/**
 * Starts the journal of a plan, once no other run writes to its calendar; the demo has none. Records that were named may be written between
 * the steps of other runs.
 */
export async function openJournal(
  app: App,
  plan: Plan,
  { named }: Policy,
  wait?: number,
): Promise<Journal | undefined> {
  if (app.globals.demo) return undefined
  const { startJournal } = await import('../../../changes/run/journal-writer.ts')
  const open = () =>
    startJournal(runsFolder(app.world), plan, {
      started: app.world.now().toISOString(),
      to: connectionOptions(app.globals),
      command: app.command,
    })
  return named ? open() : takeTurnOf(app, plan, open, wait)
}

/** Opens a journal once no other run on this machine writes to the calendar of a plan. */
export async function takeTurnOf(app: App, plan: Plan, open: () => Journal, wait?: number): Promise<Journal> {
  const { world, command, notice } = app
  const { takeTurn } = await import('../../../changes/run/target-lock.ts')
  const options = {
    command,
    now: world.now(),
    signal: () => world.stopping(),
    sleep: world.sleep,
    wait,
    onWait: notice,
  }
  return takeTurn(runsFolder(world), plan, options, open)
}

/** The options that connect to the calendar, for the commands that hints suggest. */
function connectionOptions({ profile, baseUrl, namespace, lang }: Globals): string {
  const options = { profile, 'base-url': baseUrl, namespace, lang }
  return Object.entries(options)
    .flatMap(([name, value]) => (value === undefined ? [] : ` --${name} ${shellWord(value)}`))
    .join('')
}
