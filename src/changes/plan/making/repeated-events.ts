import { wallMs } from '../../../base/time/dates.ts'
import type { Repetition, RepetitionContext } from '../../../base/time/repetitions.ts'
import { wallAt } from '../../../base/time/zone.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { createAllow } from '../../../client/adapters/allowed-values.ts'
import type { Values } from '../../../client/client.ts'
import type { CreatesMissing } from '../../../client/name-lookup.ts'
import { resolveCreation } from '../../../client/resolve-change.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { readingMistake } from '../../../contract/reading.ts'
import { repeatDates, repetitionNotes } from '../../../files/icalendar/occurrences.ts'
import {
  type RepetitionTexts,
  readLastDate,
  readRepetitionTexts,
  valuesOn,
} from '../../../files/icalendar/repeated-dates.ts'
import type { Plan, Step } from '../plan.ts'
import { SiteReader } from '../site-reader.ts'
import { type BuildContext, createPlan } from './context.ts'
import { createLinkResolver, namesBySearch } from './links.ts'

/** What `create --repeat` is told. */
interface SeriesOptions extends RepetitionTexts {
  /** How long each event lasts, in ms; absent if the first event has an end. */
  readonly duration?: number | undefined
  /** Asks for the last day of a series without end; absent if nobody can be asked. */
  askEnd?(check: (text: string) => string | true): Promise<string>
}

/** Makes the plan that creates a series as single events, each at the same wall time and with the length of the first. */
export async function planSeries(
  context: BuildContext,
  values: Values,
  texts: SeriesOptions,
  createMissing: CreatesMissing = false,
): Promise<Plan> {
  const { client } = context
  const source = namesBySearch(client, new SiteReader(client), undefined)
  const links = createLinkResolver(() => source)
  const linkOptions = { language: client.language, createsMissing: createMissing, isForeign: false, care: context.care }
  const seriesContext = { ...context, allow: createAllow(client), names: links.namesFor(linkOptions) }
  const first = await resolveCreation(resourceNamed('events'), values, seriesContext, texts.duration)
  const [start, end] = [wallOf(first.start_date), wallOf(first.end_date)]
  const timezone = typeof first.timezone === 'string' && first.timezone !== '' ? first.timezone : context.zone
  const length = wallMs(end) - wallMs(start)
  const now = wallAt(context.now.getTime(), context.zone)
  const { rule, ...limits } = await withEnd(texts, { start: start.slice(0, 10), now })
  const dates = repeatDates(start, rule, { timezone, length, written: texts.repeat, ...limits })
  const steps = dates.starts.map(
    (wall): Step => ({
      key: ['events', client.language, first.title, wall].filter(part => part !== undefined).join(' '),
      action: 'create',
      resource: 'events',
      values: valuesOn(wall, start, first),
    }),
  )
  const plan = createPlan(context, { steps: [...links.steps, ...steps], same: 0, invalid: [] })
  return { ...plan, notes: [...links.notes, ...repetitionNotes(dates, timezone)] }
}

/** How an event repeats; asks for the end if the texts have none. */
async function withEnd(texts: SeriesOptions, context: RepetitionContext): Promise<Repetition> {
  const read = readRepetitionTexts(texts, context)
  if (!texts.askEnd || read.until !== undefined || /\b(?:COUNT|UNTIL)=/.test(read.rule)) return read
  const until = await texts.askEnd(text => {
    const reading = readLastDate(text, context)
    const mistake = readingMistake(reading, text)
    if (mistake) return `${mistake.message}; ${mistake.hint}`
    const isBefore = 'value' in reading && reading.value.slice(0, 10) < context.start
    return !isBefore || phrase('that is before it starts, {date}', { date: context.start })
  })
  return readRepetitionTexts({ ...texts, until }, context)
}

/** A date without its UTC offset, because rules count in wall time. */
const wallOf = (date: unknown): string => String(date).slice(0, 19)
