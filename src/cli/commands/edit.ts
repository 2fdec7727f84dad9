import { phrase } from '../../base/words/phrase.ts'
import type { CreatesMissing } from '../../client/name-lookup.ts'
import type { Answer } from '../../contract/resource.ts'
import { linksOption } from './shared/change-options.ts'
import { type Verb, verbCommand } from './shared/options.ts'
import { declareOutput, writeOutput } from './shared/output-forms.ts'
import { refsArgument } from './shared/ref-arguments.ts'
import { namedRefs } from './shared/refs.ts'

/** calctl <resource> edit <ref...>: opens the fields as YAML in an editor, and sends only those that were changed. */
export const edit: Verb = (parent, resource, app) => {
  const description = phrase('Edit {resource} in a text editor', { resource: resource.name })
  const command = verbCommand(parent, resource, 'edit', description)
  declareOutput(command, writeOutput(resource))
  linksOption(refsArgument(command, resource), resource)
    .optionsGroup('Safety:')
    .option('--dry-run', phrase('Show what would change, without changing it'))
    .action(
      async (
        texts: string[],
        options: { bySlug?: true; createMissing?: CreatesMissing; allowSimilar?: true; dryRun?: true },
      ) => {
        const { clientFor, itemsOf } = await import('./shared/plan-from-refs.ts')
        const client = await clientFor(app, options)
        const refs = await namedRefs({ app, client, resource }, texts, options.bySlug)
        const { withRawValues } = await import('../../client/adapters/stored-records.ts')
        const shown: Answer[] = []
        for (const ref of refs) shown.push(await client.get(resource, ref))
        const records = await withRawValues(client, resource, shown)
        const { editRecords } = await import('./shared/edit-session.ts')
        await editRecords(app, resource, records, async edited => {
          if (edited.length === 0) return app.notice(phrase('no changes; nothing was sent'))
          const { planEdits } = await import('../../changes/plan/making/from-refs.ts')
          const { applyPlan } = await import('./shared/apply-plan.ts')
          const { buildContext } = await import('./shared/build-context.ts')
          const lines = edited.map(({ before }) => ({ ref: { id: before.id }, record: before }))
          const named = { resource, lines, isNamed: true }
          const context = await buildContext(app, options, true)
          const plan = await planEdits(context, { resource, edited }, options.createMissing)
          await applyPlan(app, plan, options, { named: itemsOf(plan, named), readAgain: true })
        })
      },
    )
}
