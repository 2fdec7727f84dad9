import { openPlanPage } from '../../../assistants/plan-page.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { summaryLines } from '../../../changes/plan/step-lines.ts'
import type { Client } from '../../../client/client.ts'
import type { App } from '../../app.ts'
import { openPage } from '../open.ts'
import { untilAborted } from '../serve/serve-calendar.ts'
import { reportInvalid } from '../shared/plan-output.ts'

/** Serves the page of a calendar with the changes of a plan, and opens it, until the process is asked to stop. */
export async function servePreview(app: App, client: Client, plan: Plan): Promise<void> {
  const { world } = app
  const stopping = world.stopping()
  const page = await openPlanPage({ client, plan, timezone: world.timeZone(), now: world.now })
  try {
    await reportInvalid(app, plan)
    for (const line of summaryLines(plan)) await app.notice(line)
    await openPage(app, page.address, page.file)
    await app.notice(phrase('the address works once; the page is served until you press Ctrl-C'))
    await untilAborted(stopping)
  } finally {
    await page.close()
  }
}
