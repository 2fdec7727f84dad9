import { requireNoDrift } from '../client/safe-update.ts'
import { statuses } from '../contract/posts.ts'
import { answers, writeAnswer } from './shared/answers.ts'
import { carryOptions } from './shared/apply-plan.ts'
import type { ManyOptions } from './shared/many.ts'
import { choiceOption } from './shared/options.ts'
import { areOnStdin, checkSingle, orOnStdin } from './shared/refs.ts'
import { forEachOf, readRef, refsArgument, type Verb, verbCommand } from './shared/verb.ts'

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
  answers(command, writeAnswer(resource))
  carryOptions(command).action(async (texts: string[], options: ManyOptions & { readonly status?: string }) => {
    if (areOnStdin(texts)) return (await import('./shared/many.ts')).restoreMany(app, resource, texts, options)
    checkSingle(options, '-')
    const refs = texts.map(text => readRef(resource, text, options.bySlug))
    const client = await app.writer(options)
    const { restore } = await import('../client/trash.ts')
    await forEachOf(app, resource, refs, async ref =>
      requireNoDrift(resource, await restore(client, resource, ref, options.status ?? 'draft')),
    )
  })
}
