import { resolve } from 'node:path'
import type { Command } from 'commander'
import { statOf } from '../../base/fs.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { App } from '../app.ts'
import { plansFolder } from '../profiles/user-folders.ts'
import { cannotAsk } from './shared/confirmation.ts'
import { declareOutput, textOutput } from './shared/output-forms.ts'

/** calctl approve [plan]: asks a person about a saved plan, or about those that come into a folder, and carries out what is approved. */
export function approve(command: Command, app: App): void {
  declareOutput(command, textOutput)
    .argument('[plan]', phrase('A saved plan, or a folder into which plans come (default: those of calctl mcp)'))
    .option('--page', phrase('Ask on a page in the browser'))
    .addHelpText('after', notes())
    .action(async (place: string | undefined, { page }: { readonly page?: true }) => {
      const folder = place === undefined ? plansFolder(app.world) : resolve(app.world.cwd, place)
      // Each plan needs a person, so --yes is no answer.
      if (!page && !app.canAsk)
        throw cannotAsk(
          app,
          phrase('Approve {plan}?', { plan: place ?? folder }),
          phrase('run it at a terminal without --yes, or add --page'),
        )
      const { approveFolder, approvePlan } = await import('./preview/approve-plans.ts')
      if (place === undefined || statOf(folder)?.isDirectory()) return approveFolder(app, folder, page)
      const { savedPlan } = await import('./preview/saved-plan.ts')
      await approvePlan(app, await savedPlan(app, place), place, page)
    })
}

const notes = () => `
${phrase('Asks at the terminal, as calctl apply does, or with --page on the page of calctl preview --approve. A no is kept: an assistant cannot ask about the same changes again. In a folder, each plan that comes is asked about in turn until you press Ctrl-C; plans that were settled before are left out.')}`
