import { resolve } from 'node:path'
import type { Command } from 'commander'
import { exitStatus, usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { PlanOptions } from '../../changes/carry-out/front.ts'
import { blockingRecords } from '../../changes/plan/overview.ts'
import type { Values } from '../../client/client.ts'
import { isWebAddress } from '../../client/http/request.ts'
import type { App } from '../app.ts'
import { declareOutput, planOutput, rowsOutput } from './shared/output-forms.ts'
import { stepShape } from './shared/output-shapes.ts'
import { type FileOptions, fileOptions, planFiles, pruneFilters } from './shared/plan-from-files.ts'
import { planOptions, saveOption } from './shared/plan-options.ts'

/** calctl apply <file...>: creates and updates records to match files, or applies a saved plan. */
export function apply(command: Command, app: App): void {
  command.argument(
    '<file...>',
    phrase('CSV, TSV, XLSX, ODS, JSON, NDJSON, YAML or iCalendar: a path, a URL, or - for stdin; or a saved plan'),
  )
  fileOptions(command)
  const fileFlags = [...command.options]
  planOptions(command)
  const others = command.options.length
  pruneFilters(command)
  fileFlags.push(...command.options.slice(others))
  declareOutput(command, planOutput).action(async (files: string[], options: FileOptions & PlanOptions & Values) => {
    const [file = '', ...others] = files
    const { checkPlanTarget, readPlan } = await import('../../changes/plan/plan-file.ts')
    const { applyPlan } = await import('./shared/apply-plan.ts')
    const saved = others.length === 0 ? await readPlan(resolve(app.world.cwd, file), file) : undefined
    if (!saved) {
      const apply = async () => {
        const feed = await feedMemory(app, files, options)
        const plan = await planFiles(app, files, options, feed?.make)
        await (feed ? feed.carryOut(plan, options) : applyPlan(app, plan, options))
      }
      return isFollowed(app, files, options) ? (await feedMemories()).whileFollowing(app, file, apply) : apply()
    }
    const unused = fileFlags.find(option => options[option.attributeName()] !== undefined)
    if (unused) throw noEffectOnPlan(unused.long ?? unused.flags)
    const client = await app.client({ toPlan: true })
    checkPlanTarget(saved, client)
    return applyPlan(app, saved, options, { isSaved: true })
  })
}

/** What calctl remembers of a feed on the web; a local file says how the calendar shall be. */
const feedMemory = async (app: App, files: readonly string[], options: FileOptions) =>
  isFollowed(app, files, options) ? (await feedMemories()).openFeedMemory(app, files[0] ?? '') : undefined

const feedMemories = () => import('./sources/feed-memory.ts')

const isFollowed = (app: App, [address = '', ...others]: readonly string[], { match }: FileOptions): boolean =>
  others.length === 0 && isWebAddress(address) && !match && !app.globals.demo

const noEffectOnPlan = (option: string) =>
  usage(
    phrase('{option} has no effect on a saved plan', { option }),
    phrase('leave it out, or make a new plan with: calctl diff FILE --save plan.json'),
  )

/** calctl diff <file...>: shows what apply would change; with --exit-code it ends with 1 if there are changes. */
export function diff(command: Command, app: App): void {
  command.argument(
    '<file...>',
    phrase('CSV, TSV, XLSX, ODS, JSON, NDJSON, YAML or iCalendar: a path, a URL, or - for stdin'),
  )
  saveOption(command).option('--exit-code', phrase('End with 1 if there are changes, and with 0 if there are none'))
  pruneFilters(fileOptions(command)).addHelpText('after', notes())
  declareOutput(command, rowsOutput(stepShape)).action(
    async (files: string[], options: FileOptions & Values & { readonly save?: string; readonly exitCode?: true }) => {
      const { checkPlanFile, saveAs } = await import('./shared/apply-plan.ts')
      const { save } = options
      await checkPlanFile(app, save)
      const { withNotes } = await import('../../changes/carry-out/carry-out.ts')
      const built = await planFiles(app, files, options, (await feedMemory(app, files, options))?.make)
      const plan = await withNotes(await app.client({ toPlan: true }), built)
      const { checkConflicts, checkInvalid } = await import('../../changes/plan/plan-checks.ts')
      const { showPlan } = await import('./shared/plan-output.ts')
      if (save !== undefined) await saveAs(app, save, plan)
      app.status = options.exitCode && plan.steps.length > 0 ? 1 : 0
      // `calctl diff … | head -1` exits with the same status.
      app.world.statusUnread = blockingRecords(plan).length > 0 ? exitStatus.usage : app.status
      await showPlan(app, plan)
      if (save !== undefined) await app.notice(phrase('saved the plan in {file}', { file: save }))
      checkInvalid(plan)
      checkConflicts(plan)
    },
  )
}

const notes = (): string => `
${phrase('-o table, csv, tsv and ndjson print a row for each field that would change: action, resource, id, slug, title, start, field, before, after. A record that would be trashed has one row. -o json and yaml print the whole plan.')}`
