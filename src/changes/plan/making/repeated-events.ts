import { msWall, wallMs } from '../../../base/time/dates.ts'
import { createAllow } from '../../../client/adapters/allowed-values.ts'
import type { Values } from '../../../client/client.ts'
import type { CreatesMissing } from '../../../client/name-lookup.ts'
import { resolveCreation } from '../../../client/resolve-change.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { type RepeatOptions, repeatStarts } from '../../../files/icalendar/occurrences.ts'
import { createPlan, type Plan, type Step } from '../plan.ts'
import { SiteReader } from '../site-reader.ts'
import type { BuildContext } from './context.ts'
import { createLinkResolver, namesBySearch } from './links.ts'

/** How an event repeats. */
export interface Repetition extends Pick<RepeatOptions, 'until' | 'except'> {
  /** `FREQ=WEEKLY;COUNT=10` */
  readonly rule: string
  /** How long each event lasts, in ms; absent if the first event has an end. */
  readonly duration?: number | undefined
}

/** Makes the plan that creates a series as single events, each at the same wall time and with the length of the first. */
export async function planSeries(
  context: BuildContext,
  values: Values,
  { rule, until, except, duration }: Repetition,
  createMissing: CreatesMissing = false,
): Promise<Plan> {
  const { client } = context
  const source = namesBySearch(client, new SiteReader(client), undefined)
  const links = createLinkResolver(() => source)
  const linkOptions = { language: client.language, createsMissing: createMissing, isForeign: false, care: context.care }
  const seriesContext = { ...context, allow: createAllow(client), names: links.namesFor(linkOptions) }
  const first = await resolveCreation(resourceNamed('events'), values, seriesContext, duration)
  const [start, end] = [wallOf(first.start_date), wallOf(first.end_date)]
  const timezone = typeof first.timezone === 'string' && first.timezone !== '' ? first.timezone : context.zone
  const length = wallMs(end) - wallMs(start)
  const starts = repeatStarts(start, rule, { timezone, length, ...(until && { until }), ...(except && { except }) })
  const steps = starts.map(
    (wall): Step => ({
      key: ['events', client.language, first.title, wall].filter(part => part !== undefined).join(' '),
      action: 'create',
      resource: 'events',
      values: {
        ...first,
        start_date: wall,
        end_date: msWall(wallMs(wall) + length),
        ...(typeof first.slug === 'string' && first.slug !== '' && { slug: `${first.slug}-${wall.slice(0, 10)}` }),
      },
    }),
  )
  const notes = links.notes.size > 0 && { notes: [...links.notes] }
  return createPlan(context, { steps: [...links.steps, ...steps], same: 0, invalid: [], ...notes })
}

/** A date without its UTC offset, because rules count in wall time. */
const wallOf = (date: unknown): string => String(date).slice(0, 19)
