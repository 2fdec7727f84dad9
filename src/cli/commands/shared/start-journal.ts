import { shellWord } from '../../../base/text/escaping.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import type { Journal } from '../../../changes/run/journal-writer.ts'
import type { App } from '../../app.ts'
import type { Globals } from '../../world.ts'

/** What a run undoes, and how long it waits for other runs, in ms. */
interface RunStart {
  readonly undoes?: string | undefined
  readonly wait?: number | undefined
}

/** Starts the journal of a plan once no other run writes to its calendar; the demo has none. */
export async function startRunJournal(app: App, plan: Plan, { undoes, wait }: RunStart): Promise<Journal | undefined> {
  const open = await journalOpener(app, plan, undoes)
  return open && takeTurnOf(app, plan, open, wait)
}

/** The same for single records, which may be written between the steps of other runs. */
export async function startSingleJournal(app: App, plan: Plan): Promise<Journal | undefined> {
  const open = await journalOpener(app, plan)
  return open?.()
}

async function journalOpener(app: App, plan: Plan, undoes?: string): Promise<(() => Journal) | undefined> {
  if (app.globals.demo) return undefined
  const { startJournal } = await import('../../../changes/run/journal-writer.ts')
  const { runsFolder } = await import('../../profiles/user-folders.ts')
  const folder = runsFolder(app.world)
  return () =>
    startJournal(folder, plan, {
      started: app.world.now().toISOString(),
      to: connectionOptions(app.globals),
      command: app.command,
      ...(undoes && { undoes }),
    })
}

/** Opens a journal once no other run on this machine writes to the calendar of a plan. */
export async function takeTurnOf(app: App, plan: Plan, open: () => Journal, wait?: number): Promise<Journal> {
  const { world, command, notice } = app
  const { takeTurn } = await import('../../../changes/run/target-lock.ts')
  const { runsFolder } = await import('../../profiles/user-folders.ts')
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
