import { withoutDrift } from '../client/drift.ts'
import { statuses } from '../contract/posts.ts'
import { carryOptions } from './bulk/carry-out.ts'
import type { ManyOptions } from './bulk/many.ts'
import { areOnStdin, checkSingle, orOnStdin } from './bulk/refs.ts'
import { choiceOption } from './options.ts'
import { forEachOf, readRef, refsArgument, type Verb, verbCommand } from './verb.ts'

/** calctl <resource> restore <ref...>: back from the trash, as a draft unless another status is asked for. */
export const restore: Verb = (parent, resource, app) => {
  if (!resource.trashable) return
  const command = verbCommand(parent, resource, 'restore', `bring ${resource.name} back from the trash`)
  refsArgument(command, resource, '<ref...>', orOnStdin).addOption(
    choiceOption(
      '--status <word>',
      'the status to come back with (draft)',
      statuses.filter(word => word !== 'trash'),
    ),
  )
  carryOptions(command).action(async (texts: string[], options: ManyOptions & { readonly status?: string }) => {
    if (areOnStdin(texts)) return (await import('./bulk/many.ts')).restoreMany(app, resource, texts, options)
    checkSingle(options, '-')
    const refs = texts.map(text => readRef(resource, text, options.bySlug))
    const client = await app.writer(options)
    const { restore } = await import('../client/trash.ts')
    await forEachOf(app, resource, refs, async ref =>
      withoutDrift(resource, await restore(client, resource, ref, options.status ?? 'draft')),
    )
  })
}
