import { phrase } from '../../../base/words/phrase.ts'
import type { PlanOptions } from '../../../changes/carry-out/front.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { SourceMemory } from '../../../sources/memory.ts'
import { takeInJournals } from '../../../sources/take-in.ts'
import type { App } from '../../app.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { applyPlan } from '../shared/apply-plan.ts'

/** Opens a memory, and takes in what runs have done since it was saved. */
export async function openMemory(app: App, file: string): Promise<SourceMemory> {
  const { calendar, language } = await app.client({ toPlan: true })
  const memory = SourceMemory.open(file, `${calendar.id} ${language ?? ''}`)
  if (memory.damaged > 0)
    await app.notice(
      phrase(
        '{file}: {count, plural, one {# line is damaged; its event is recognized again} other {# lines are damaged; their events are recognized again}}',
        { file, count: memory.damaged },
      ),
    )
  takeInJournals(memory, runsFolder(app.world))
  return memory
}

/** Carries out a plan of sources, and remembers what came of it, also if it failed; `afterwards` is told once all is remembered. */
export async function rememberAfter(
  app: App,
  memory: SourceMemory,
  { plan, remember, afterwards }: { readonly plan: Plan; remember?(): void; afterwards?(): void },
  options: PlanOptions,
): Promise<void> {
  const isOnlyShown = options.dryRun === true || options.save !== undefined
  try {
    await applyPlan(app, plan, options)
  } finally {
    // The demo is gone when the command ends.
    if (!isOnlyShown && !app.globals.demo) {
      remember?.()
      takeInJournals(memory, runsFolder(app.world))
      afterwards?.()
      await memory.save()
    }
  }
}
