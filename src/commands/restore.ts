import { Option } from 'commander'
import { statuses } from '../contract/posts.ts'
import { withoutDrift } from './drift.ts'
import { forEachOf, readRef, refsArgument, type Verb, verbCommand } from './verb.ts'

/** calctl <resource> restore <ref...>: back from the trash, as a draft unless another status is asked for. */
export const restore: Verb = (parent, resource, app) => {
  if (!resource.trashable) return
  refsArgument(verbCommand(parent, resource, 'restore', `bring ${resource.name} back from the trash`), resource)
    .addOption(
      new Option('--status <word>', 'the status to come back with (draft)').choices(
        statuses.filter(word => word !== 'trash'),
      ),
    )
    .option('--dry-run', 'show the request that would be sent')
    .action(async (texts: string[], options: { bySlug?: true; status?: string; dryRun?: true }) => {
      const refs = texts.map(text => readRef(resource, text, options.bySlug))
      const client = await app.writer(options)
      const { restore } = await import('../client/trash.ts')
      await forEachOf(app, resource, refs, async ref =>
        withoutDrift(resource, await restore(client, resource, ref, options.status ?? 'draft')),
      )
    })
}
