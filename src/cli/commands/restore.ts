import type { Values } from '../../client/client.ts'
import { statuses } from '../../contract/post-status.ts'
import { choiceOption } from './shared/options.ts'
import { declareOutput, writeOutput } from './shared/output-forms.ts'
import type { ManyOptions } from './shared/plan-from-refs.ts'
import { planOptions } from './shared/plan-options.ts'
import { areMany, checkSingle, orOnStdin, selectingOptions } from './shared/refs.ts'
import { translationOptions } from './shared/translation-options.ts'
import { readRef, refsArgument, type Verb, verbCommand } from './shared/verb-command.ts'

/** calctl <resource> restore <ref...>: moves records out of the trash, as drafts unless --status says otherwise. */
export const restore: Verb = (parent, resource, app) => {
  if (!resource.trashable) return
  const command = verbCommand(parent, resource, 'restore', `Restore ${resource.name} from the trash`)
  const selecting = { resource, taken: ['status'], trashed: true }
  refsArgument(command, resource, '[ref...]', orOnStdin).addOption(
    choiceOption(
      '--status <status>',
      'Status to restore to (default: draft)',
      statuses.filter(word => word !== 'trash'),
    ),
  )
  selectingOptions(command, selecting)
  translationOptions(command)
  declareOutput(command, writeOutput(resource))
  planOptions(command).action(async (texts: string[], options: ManyOptions & Values & { readonly status?: string }) => {
    if (areMany(selecting, texts, options) || options.allLanguages)
      return (await import('./shared/plan-from-refs.ts')).restoreMany(app, selecting, texts, options)
    checkSingle(options, '-')
    const refs = texts.map(text => readRef(resource, text, options.bySlug))
    const client = await app.writer({ ...options, confirmed: 'later' })
    const { readForRestore } = await import('../../client/adapters/trash.ts')
    const { recordTarget, restoreStep } = await import('../../changes/plan/build/step.ts')
    const { writeEach } = await import('./shared/single-writes.ts')
    await writeEach(app, {
      client,
      resource,
      items: refs,
      refOf: ref => ref,
      dryRun: options.dryRun,
      stepFor: async ref => {
        const before = await readForRestore(client, resource, ref)
        return restoreStep(recordTarget(resource, before), before, { status: options.status })
      },
    })
  })
}
