import type { Command } from 'commander'
import type { App } from '../app.ts'
import { answers, noData, planAnswer, rowsOf, runListShape, runShape } from './shared/answers.ts'
import { type CarryOptions, carryOptions } from './shared/apply-plan.ts'
import { type RunFlags, runFlags } from './shared/execute-plan.ts'

/** calctl runs: what bulk writes did, to go on with it or to take it back. */
export function runs(noun: Command, app: App): void {
  answers(noun.command('list'), rowsOf(runListShape))
    .description('the runs whose journals are kept, the latest first')
    .action(async () => (await import('./runs/show.ts')).list(app))
  answers(noun.command('show'), rowsOf(runShape))
    .description('what a run planned and did')
    .argument('[run]', 'its name; the latest if none is given')
    .action(async (run?: string) => (await import('./runs/show.ts')).show(app, run))
  runFlags(
    answers(noun.command('resume'), planAnswer)
      .description('do what a run has not done')
      .argument('[run]', 'its name; the latest if none is given'),
  ).action(async (run: string | undefined, flags: RunFlags) =>
    (await import('./runs/resume.ts')).resume(app, run, flags),
  )
  carryOptions(
    answers(noun.command('undo'), planAnswer)
      .description('take back what a run did')
      .argument('[run]', 'its name; the latest if none is given'),
  ).action(async (run: string | undefined, options: CarryOptions) =>
    (await import('./runs/resume.ts')).undo(app, run, options),
  )
  answers(noun.command('prune'), noData)
    .description('remove old journals; what they tell can then not be resumed or undone')
    .requiredOption('--older-than <duration>', 'such as 90d')
    .action(async ({ olderThan }: { olderThan: string }) => (await import('./runs/show.ts')).prune(app, olderThan))
}
