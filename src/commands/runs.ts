import type { Command } from 'commander'
import type { App } from '../app.ts'
import { type CarryOptions, carryOptions } from './shared/apply-plan.ts'
import { type RunFlags, runFlags } from './shared/execute-plan.ts'

/** calctl runs: what bulk writes did, to go on with it or to take it back. */
export function runs(noun: Command, app: App): void {
  noun
    .command('list')
    .description('the runs whose journals are kept, the latest first')
    .action(async () => (await import('./runs/show.ts')).list(app))
  noun
    .command('show')
    .description('what a run planned and did')
    .argument('[run]', 'its name; the latest if none is given')
    .action(async (run?: string) => (await import('./runs/show.ts')).show(app, run))
  runFlags(
    noun
      .command('resume')
      .description('do what a run has not done')
      .argument('[run]', 'its name; the latest if none is given'),
  ).action(async (run: string | undefined, flags: RunFlags) =>
    (await import('./runs/resume.ts')).resume(app, run, flags),
  )
  carryOptions(
    noun
      .command('undo')
      .description('take back what a run did')
      .argument('[run]', 'its name; the latest if none is given'),
  ).action(async (run: string | undefined, options: CarryOptions) =>
    (await import('./runs/resume.ts')).undo(app, run, options),
  )
  noun
    .command('prune')
    .description('remove old journals; what they tell can then not be resumed or undone')
    .requiredOption('--older-than <duration>', 'such as 90d')
    .action(async ({ olderThan }: { olderThan: string }) => (await import('./runs/show.ts')).prune(app, olderThan))
}
