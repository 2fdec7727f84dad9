import { asFailure, Failure } from '../../../base/failure.ts'
import { wallAt } from '../../../base/time/zone.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Step } from '../../../changes/plan/plan.ts'
import { findExisting } from '../../../changes/run/existing-records.ts'
import type { Client } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { Answer } from '../../../contract/resource.ts'
import { recordInFull, shortDate } from '../../../files/print/record-names.ts'
import type { App } from '../../app.ts'

/** Looks for an event like the one that a step creates, and checks its dates. If a site does not answer in time, there is no doubt. */
export async function doubtsAbout(app: App, client: Client, step: Step): Promise<{ double?: string; past?: string }> {
  if (app.globals.quiet) return {}
  const resource = resourceNamed('events')
  // The clock of the site would take another request, and shows the same day.
  const { now, timeZone } = app.world
  const today = wallAt(now().getTime(), timeZone()).slice(0, 10)
  const [same] = await sameEvents(app, client, step)
  const end = String(step.values.end_date ?? '')
  return {
    ...(same && {
      double: phrase('an event of this title begins at the same time already: {event}', {
        event: recordInFull(resource, { record: same, year: today.slice(0, 4) }),
      }),
    }),
    ...(end !== '' &&
      end.slice(0, 10) < today && {
        past: phrase('this event is past: it ends on {date}', { date: shortDate(end, today.slice(0, 4)) }),
      }),
  }
}

async function sameEvents(app: App, client: Client, step: Step): Promise<readonly Answer[]> {
  const asked: Step = { ...step, match: ['title', 'start_date'] } as Step
  const existing = await app.briefly(() => findExisting(client, [asked], () => undefined)).catch(asFailure)
  return existing instanceof Failure ? [] : (existing.get(step.key) ?? [])
}
