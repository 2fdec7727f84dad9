import { misread, usage } from '../../../base/failure.ts'
import { listOfFirst } from '../../../base/text/sentence-parts.ts'
import { msWall, readDate, wallMs } from '../../../base/time/dates.ts'
import { publicHolidays } from '../../../base/time/holidays.ts'
import { type Repetition, type RepetitionContext, readLastDay, readRepetition } from '../../../base/time/repetitions.ts'
import { wallAt } from '../../../base/time/zone.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { createAllow } from '../../../client/adapters/allowed-values.ts'
import type { Values } from '../../../client/client.ts'
import type { CreatesMissing } from '../../../client/name-lookup.ts'
import { resolveCreation } from '../../../client/resolve-change.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { type Meaning, readingMistake } from '../../../contract/reading.ts'
import { repeatDates } from '../../../files/icalendar/occurrences.ts'
import type { Plan, Step } from '../plan.ts'
import { SiteReader } from '../site-reader.ts'
import { type BuildContext, createPlan } from './context.ts'
import { createLinkResolver, namesBySearch } from './links.ts'

/** How an event repeats, as somebody wrote it. */
export interface RepetitionTexts {
  /** `cada dimarts`, `FREQ=WEEKLY;COUNT=10` */
  readonly repeat: string
  readonly until?: string | undefined
  readonly except?: readonly string[] | undefined
  /** How long each event lasts, in ms; absent if the first event has an end. */
  readonly duration?: number | undefined
  /** Asks for the last day of a series without end; absent if nobody can be asked. */
  askEnd?(check: (text: string) => string | true): Promise<string>
}

/** Makes the plan that creates a series as single events, each at the same wall time and with the length of the first. */
export async function planSeries(
  context: BuildContext,
  values: Values,
  texts: RepetitionTexts,
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
  const { rule, ...limits } = await readTexts(texts, { start: start.slice(0, 10), now })
  const { starts, leftOut } = repeatDates(start, rule, { timezone, length, ...limits })
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
  const plan = createPlan(context, { steps: [...links.steps, ...steps], same: 0, invalid: [] })
  return { ...plan, notes: [...links.notes, ...seriesNotes(starts, leftOut, timezone)] }
}

/** What to know of a series before it is created. */
function seriesNotes(starts: readonly string[], leftOut: readonly string[], timezone: string): string[] {
  const days = (walls: readonly string[]) =>
    listOfFirst(
      walls.map(wall => wall.slice(0, 10)),
      10,
    )
  const known = publicHolidays(timezone)
  const onHolidays = known ? starts.filter(wall => known.has(wall.slice(0, 10))) : []
  const [first = '', last = ''] = [starts.at(0), starts.at(-1)].map(wall => wall?.slice(0, 10))
  return [
    phrase('{count, plural, one {# date} other {# dates}}, from {first} to {last}', {
      count: starts.length,
      first,
      last,
    }),
    leftOut.length > 0 ? phrase('left out: {days}', { days: days(leftOut) }) : [],
    onHolidays.length > 0 && known
      ? phrase(
          'public holidays in {region, select, catalonia {Catalonia} spain {Spain} andorra {Andorra} other {France}}: {days}',
          { region: known.region, days: days(onHolidays) },
        )
      : [],
  ].flat()
}

/** Reads how an event repeats; throws `usage` for what cannot be read, and for what never ends. */
async function readTexts(texts: RepetitionTexts, context: RepetitionContext): Promise<Repetition> {
  const { repeat, until, except = [] } = texts
  const repetition = settled('--repeat', repeat, readRepetition(repeat, context))
  const words = except.join(', ')
  const areDates = except.every(day => readDate(day) !== undefined)
  const limited = areDates
    ? {
        ...repetition,
        except: [...(repetition.except ?? []), ...except.map(day => readDate(day)?.wall.slice(0, day.length) ?? day)],
      }
    : settled('--except', words, readRepetition(repeat, context, words))
  if (until !== undefined) return { ...limited, until: settled('--repeat-until', until, readEnd(until, context)) }
  if (limited.until !== undefined || /\b(?:COUNT|UNTIL)=/.test(limited.rule)) return limited
  if (!texts.askEnd) throw withoutEnd(repeat)
  const answer = await texts.askEnd(text => {
    const reading = readEnd(text, context)
    const mistake = readingMistake(reading, text)
    if (mistake) return `${mistake.message}; ${mistake.hint}`
    const isBefore = 'value' in reading && reading.value.slice(0, 10) < context.start
    return !isBefore || phrase('that is before it starts, {date}', { date: context.start })
  })
  return { ...limited, until: settled('--repeat-until', answer, readEnd(answer, context)) }
}

const withoutEnd = (repeat: string) =>
  usage(
    phrase('"{repeat}" has no end', { repeat }),
    phrase('add the last day: {option}', { option: '--repeat-until 2027-06-30' }),
  )

/** The last day of a series, or the wall time. */
function readEnd(text: string, context: RepetitionContext): Meaning<string> {
  const date = readDate(text)
  return date ? { value: date.dayOnly ? date.wall.slice(0, 10) : date.wall } : readLastDay(text, context)
}

/** The value of an option; throws if there is none, or several, one of which can be chosen at a terminal. */
function settled<T>(option: string, text: string, reading: Meaning<T>): T {
  const mistake = readingMistake(reading, text)
  if (mistake || !('value' in reading)) throw misread(option, text, mistake ?? { message: '', hint: '' })
  return reading.value
}

/** A date without its UTC offset, because rules count in wall time. */
const wallOf = (date: unknown): string => String(date).slice(0, 19)
