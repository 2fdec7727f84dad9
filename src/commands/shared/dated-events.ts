import type { App } from '../../app.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { largestPage } from '../../contract/filter.ts'
import type { Answer } from '../../contract/resource.ts'
import { type DayEvent, type DayRange, dayEvent } from '../../days/day-events.ts'
import { type DayWords, dayWords } from '../../days/day-words.ts'
import type { DayView } from '../../terminal/day-view.ts'
import { counted } from '../../text/words.ts'
import { dayAfter } from '../../time/locale-weeks.ts'
import { wallAt } from '../../time/zone.ts'
import { type CalendarOptions, calendarFilters } from './calendar-options.ts'
import { contentLanguage } from './content-language.ts'
import { typedValues } from './field-options.ts'

const events = resourceNamed('events')

/** The width in a pipe, where there is no terminal. */
const pageWidth = 80

/** Today, by the clock of the user. */
export const localDay = ({ world }: App): string => wallAt(world.now().getTime(), world.timeZone()).slice(0, 10)

/** The events of a range of days. */
export interface DatedEvents {
  readonly events: readonly DayEvent[]
  readonly range: DayRange
  readonly words: DayWords
  readonly today: string
  readonly records: readonly Answer[]
  /** Whether the user chose the statuses. */
  readonly hasStatus: boolean
  /** Prints them in the form of `-o`. */
  print(): Promise<void>
  /** Prints what a function draws for the terminal, or for a page in a pipe. */
  draw(render: (view: DayView) => Iterable<string>): Promise<void>
  /** Says that nothing was found, and on a terminal what comes next. */
  noticeNone(): Promise<void>
}

/** Reads the events of a range that take place on any of its days. */
export async function readDatedEvents(app: App, options: CalendarOptions, range: DayRange): Promise<DatedEvents> {
  const { world } = app
  const chosen = await typedValues(calendarFilters, options)
  const client = await app.client()
  const records = await recordsOf(client, {
    ...chosen,
    starts_before: range.last,
    ends_after: dayAfter(range.first, -1),
  })
  const language = contentLanguage(app, client, records)
  const words = dayWords(language, world.env)
  const today = localDay(app)
  const dated = records.flatMap(record => dayEvent(record, world.timeZone()) ?? [])
  if (dated.length < records.length)
    await app.notice(`left out ${counted(records.length - dated.length, 'event')} without a valid date`)
  return {
    events: dated,
    range,
    words,
    today,
    records,
    hasStatus: chosen.status !== undefined,
    print: () => app.print(events, records),
    draw: render => drawWith(app, words, today, render),
    noticeNone: () => noticeNone(app, client, range, chosen),
  }
}

async function recordsOf(client: Client, query: Values): Promise<Answer[]> {
  const records: Answer[] = []
  for await (const page of client.pages(events, { per_page: largestPage, ...query })) records.push(...page.records)
  return records
}

async function drawWith(
  app: App,
  words: DayWords,
  today: string,
  render: (view: DayView) => Iterable<string>,
): Promise<void> {
  const { painter, useColor } = await import('../../terminal/colors.ts')
  const { color: wanted } = app.globals
  const { stdout, env } = app.world
  const color = useColor(wanted, env, stdout.isTTY)
  const columns = (stdout.isTTY && stdout.columns) || pageWidth
  const view = { words, paint: painter(color), color, columns, today }
  await app.page(async sink => {
    for (const text of render(view)) await sink.write(text, 'painted')
  })
}

async function noticeNone(app: App, client: Client, { first, last }: DayRange, chosen: Values): Promise<void> {
  const none = first === last ? `no events on ${first}` : `no events from ${first} to ${last}`
  if (!app.world.stdout.isTTY || app.globals.quiet) return app.notice(none)
  const { records } = await client.list(events, { ...chosen, per_page: 1, start_date: dayAfter(last) })
  const [next] = records
  if (!next) return app.notice(none)
  const { readableLine } = await import('../../terminal/readable.ts')
  const { decodeNames } = await import('../../terminal/decode-names.ts')
  const record = decodeNames(next) as Answer
  await app.notice(
    `${none}; the next is ${readableLine(record, 'title')}, ${readableLine(record, 'start_date')} (${next.id})`,
  )
}
