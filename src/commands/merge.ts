import { Argument } from 'commander'
import { applyPlan, type PlanOptions, planOptions } from './shared/apply-plan.ts'
import { declareOutput, planOutput } from './shared/output-forms.ts'
import { readRef, type Verb, verbCommand } from './shared/verb-command.ts'

interface MergeOptions extends PlanOptions {
  readonly bySlug?: true
}

/** calctl <resource> merge <survivor> <other...>: makes one record of several, and moves to it what links to the others. */
export const merge: Verb = (parent, resource, app) => {
  const { name, singular, keys } = resource
  const command = verbCommand(parent, resource, 'merge', `Make one ${singular} of several that are the same`)
  const going = name === 'events' ? `The ${name} that go` : `The ${name} that go, and whose events move to it`
  command
    .addArgument(new Argument('<survivor>', `The ${singular} that stays, and gets what it lacks from the others`))
    .addArgument(new Argument('<other...>', going))
  if (keys.includes('slug')) command.optionsGroup('Selection:').option('--by-slug', 'Treat numbers as slugs')
  planOptions(command)
  declareOutput(command, planOutput)
  command.action(async (first: string, texts: string[], options: MergeOptions) => {
    const refs = [first, ...texts].map(text => readRef(resource, text, options.bySlug))
    const { buildContext } = await import('./shared/plan-from-files.ts')
    const { readMerged } = await import('../doubles/merged-records.ts')
    const { planMerges } = await import('../doubles/merge-plan.ts')
    const context = await buildContext(app)
    const [survivor, ...others] = await readMerged(context.client, resource, refs)
    if (!survivor) return
    await applyPlan(app, await planMerges(context, resource, undefined, [{ survivor, others }]), options)
  })
}
