import { phrase } from '../../../base/words/phrase.ts'
import type { PlanOptions } from '../../../changes/carry-out/front.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { SourceMemory } from '../../../sources/memory.ts'
import type { Settled } from '../../../sources/settle.ts'
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
  { plan, remember, afterwards }: Partial<Settled> & { readonly plan: Plan; afterwards?(): void },
  options: PlanOptions,
): Promise<void> {
  // The demo is gone when the command ends.
  const isKept = options.dryRun !== true && options.save === undefined && !app.globals.demo
  if (isKept) {
    remember?.(false)
    // The journal of a run that is killed has only what its steps write.
    if (plan.steps.length > 0) await memory.save()
  }
  try {
    await applyPlan(app, plan, options)
  } finally {
    if (isKept) {
      remember?.(true)
      takeInJournals(memory, runsFolder(app.world))
      afterwards?.()
      await memory.save()
    }
  }
}
