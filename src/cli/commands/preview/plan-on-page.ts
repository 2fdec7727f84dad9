import { type Approving, openApproval } from '../../../assistants/approval.ts'
import { openPlanPage } from '../../../assistants/plan-page.ts'
import { answeredNo, declined } from '../../../base/failure.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { carryOut, excessOf } from '../../../changes/carry-out/carry-out.ts'
import { blockingRecords } from '../../../changes/plan/overview.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { checkConflicts, checkInvalid } from '../../../changes/plan/plan-checks.ts'
import { summaryLines } from '../../../changes/plan/step-lines.ts'
import { checkNotApplied } from '../../../changes/run/already-applied.ts'
import { requireUnchanged } from '../../../changes/run/require-unchanged.ts'
import type { Client } from '../../../client/client.ts'
import type { App } from '../../app.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { openPage } from '../open.ts'
import { untilAborted } from '../serve/serve-calendar.ts'
import { frontOf } from '../shared/apply-plan.ts'
import { reportInvalid } from '../shared/plan-output.ts'
import { checkNotRefused, keepRefusal, refusalNote, refusedAt } from './refusals.ts'

/** Serves the page of a calendar with the changes of a plan, and opens it, until the process is asked to stop. */
export async function servePreview(app: App, client: Client, plan: Plan): Promise<void> {
  const { world } = app
  const page = await openPlanPage({ client, plan, timezone: world.timeZone(), now: world.now })
  try {
    await show(app, plan, page)
    await app.notice(phrase('the address works once; the page is served until you press Ctrl-C'))
    await untilAborted(world.stopping())
  } finally {
    await page.close()
  }
}

/** Says what a plan does, and opens its page. */
async function show(app: App, plan: Plan, page: { readonly address: string; readonly file: string }): Promise<void> {
  await reportInvalid(app, plan)
  for (const line of summaryLines(plan)) await app.notice(line)
  await openPage(app, page.address, page.file)
}

/** Shows a plan on a page where a person approves or refuses it, and carries out what was approved. */
export async function approveOnPage(app: App, client: Client, plan: Plan): Promise<void> {
  const { world } = app
  const stopping = world.stopping()
  // The name of a protected profile is asked for here: nobody on the page can answer.
  await app.writer()
  const page = await openApproval(approvingBy(app, client, plan))
  try {
    await show(app, plan, page)
    await app.notice(
      phrase(
        'the address works once; the page waits ten minutes for your decision; to decide here instead, press Ctrl-C, then: calctl approve FILE',
      ),
    )
    void untilAborted(stopping).then(page.withdraw)
    const settled = await page.settled
    if (settled.state !== 'approved')
      throw answeredNo(
        settled.state === 'refused' || stopping.aborted
          ? phrase('nothing was changed')
          : phrase('nobody approved the plan in ten minutes; nothing was changed'),
      )
    if (settled.failure) throw settled.failure
    checkConflicts(plan)
  } finally {
    await page.close()
  }
}

/** Throws for a plan that would be refused after a yes. Whoever approves cannot say --max-trash, so a plan that needs it is left to `apply`. */
export async function checkApprovable(app: App, plan: Plan, file: string): Promise<void> {
  if (blockingRecords(plan).length > 0) await reportInvalid(app, plan)
  checkInvalid(plan)
  const runs = app.globals.demo ? undefined : runsFolder(app.world)
  if (runs !== undefined) checkNotApplied(runs, plan)
  const excess = await excessOf(runs, plan, { isSaved: true })
  if (!excess) return
  const command = `calctl apply ${shellWord(file)} --max-trash ${excess.needed}`
  throw declined(excess.message, phrase('carry the plan out with: {command}', { command }))
}

/** The command line as that which carries out what is approved, and keeps what is refused: what is said of a run goes to the page, too. */
export function approvingBy(app: App, client: Client, plan: Plan): Approving {
  const { world } = app
  const known = refusedAt(world, plan)
  return {
    client,
    plan,
    remark: refusalNote(world, plan),
    timezone: world.timeZone(),
    now: world.now,
    refuse: () => keepRefusal(world, plan),
    async carryOut(approved, state) {
      checkNotRefused(world, plan, known)
      await requireUnchanged(await app.writer(), approved, () => world.now().getTime())
      const said: string[] = []
      let run: string | undefined
      const front = frontOf(app, {})
      await carryOut(
        {
          ...front,
          async notice(text) {
            said.push(text)
            await front.notice(text)
          },
          progress(total) {
            // What was said before is on the page already.
            said.length = 0
            const shown = front.progress(total)
            return {
              say: async sentence => shown?.say(sentence),
              end: async () => shown?.end(),
              async step(hasFailed = false) {
                state.done += 1
                await shown?.step(hasFailed)
              },
            }
          },
          async print(written) {
            run = written.run
            await front.print(written)
          },
        },
        approved,
        { isSaved: true, isConfirmed: true },
      )
      return { said: said.join('\n'), run }
    },
  }
}
