import { resolve } from 'node:path'
import type { Command } from 'commander'
import { exitStatus } from '../../base/failure.ts'
import { blockingRecords } from '../../changes/plan/plan.ts'
import type { Values } from '../../client/client.ts'
import type { App } from '../app.ts'
import { withPasswordNote } from './shared/apply-plan.ts'
import { checkWritable } from './shared/output-files.ts'
import { declareOutput, rowsOutput, stepShape } from './shared/output-forms.ts'
import { type FileOptions, fileOptions, planFiles, pruneFilters } from './shared/plan-from-files.ts'

/** calctl diff <file...>: shows what apply would change; exits with 1 if there are changes. */
export function diff(command: Command, app: App): void {
  command
    .argument('<file...>', 'CSV, TSV, XLSX, ODS, JSON, NDJSON, YAML, iCalendar or XLIFF: a path, a URL, or - for stdin')
    .option('--save <file>', 'Save the plan to this file, to apply it later with calctl apply')
  pruneFilters(fileOptions(command)).addHelpText('after', notes)
  declareOutput(command, rowsOutput(stepShape)).action(
    async (files: string[], options: FileOptions & Values & { readonly save?: string }) => {
      const { checkOverwrite, savePlan } = await import('../../changes/plan/plan-file.ts')
      const { save } = options
      const path = resolve(app.world.cwd, save ?? '')
      if (save !== undefined) {
        checkWritable(path, save)
        await checkOverwrite(path, save)
      }
      const plan = await withPasswordNote(app, await planFiles(app, files, options))
      const { checkConflicts, checkInvalid } = await import('../../changes/plan/limits.ts')
      const { showPlan } = await import('./shared/plan-output.ts')
      if (save !== undefined) await savePlan(path, save, plan)
      app.status = plan.steps.length > 0 ? 1 : 0
      // `calctl diff … | head -1` exits with the same status.
      app.world.statusUnread = blockingRecords(plan).length > 0 ? exitStatus.usage : app.status
      await showPlan(app, plan)
      checkInvalid(plan)
      checkConflicts(plan)
    },
  )
}

const notes = `
-o table, csv, tsv and ndjson print a row for each field that would change: action, resource, id, slug, title, start,
field, before, after. A record that would be trashed has one row. -o json and yaml print the whole plan.

Examples:
  calctl diff town.csv
  calctl diff town.csv -o csv > changes.csv
  calctl diff town.csv --save plan.json && calctl apply plan.json`
