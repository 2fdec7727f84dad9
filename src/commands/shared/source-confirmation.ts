import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import { sourceNotes } from '../../plan/build/source-notes.ts'
import type { Step } from '../../plan/plan.ts'
import { confirm } from './confirmation.ts'

/** Says which texts would lose their blocks or shortcodes for good, and asks whether to go on; throws `declined` after a no. */
export async function confirmSources(
  app: App,
  client: Client,
  steps: readonly Step[],
  dryRun: boolean | undefined,
): Promise<void> {
  const [note] = sourceNotes(client, steps)
  if (note === undefined) return
  if (dryRun || app.globals.yes) return app.notice(note)
  await confirm(app, {
    question: `${note.replace(/^./, first => first.toUpperCase())}. Continue?`,
    declined: 'nothing was sent',
    hint: 'change it in WordPress, or add --yes',
  })
}
