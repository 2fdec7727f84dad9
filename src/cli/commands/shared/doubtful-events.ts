import { Failure } from '../../../base/failure.ts'
import { wallMs } from '../../../base/time/dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Step } from '../../../changes/plan/plan.ts'
import { findExisting } from '../../../changes/run/existing-records.ts'
import type { Client } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { Answer } from '../../../contract/resource.ts'
import { recordInFull, shortDate } from '../../../files/print/readable.ts'
import type { App } from '../../app.ts'
import { siteTime } from './read-criteria.ts'

/** What makes an event doubtful that is to be created, as sentences. */
export interface Doubts {
  /** An event of the same title begins at the same time. */
  readonly double?: string
  /** It is over. */
  readonly past?: string
}

/** Looks for an event like the one that a step creates, and at its dates. A site that does not answer in time leaves no doubt. */
export async function doubtsAbout(app: App, client: Client, step: Step): Promise<Doubts> {
  if (app.globals.quiet && !app.canAsk) return {}
  const resource = resourceNamed('events')
  const now = await siteTime(app, client)
  const [same] = await sameEvents(app, client, step)
  const end = String(step.values.end_date ?? '')
  return {
    ...(same && {
      double: phrase('an event of this title begins at the same time already: {event}', {
        event: recordInFull(resource, { record: same, year: now.slice(0, 4) }),
      }),
    }),
    ...(wallMs(end) < wallMs(now) && {
      past: phrase('this event is past: it ends on {date}', { date: shortDate(end, now.slice(0, 4)) }),
    }),
  }
}

async function sameEvents(app: App, client: Client, step: Step): Promise<readonly Answer[]> {
  const asked: Step = { ...step, match: ['title', 'start_date'] } as Step
  try {
    const existing = await app.briefly(() => findExisting(client, [asked], () => undefined))
    return existing.get(step.key) ?? []
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}
