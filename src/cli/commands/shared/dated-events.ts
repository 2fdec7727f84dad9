import { resolve } from 'node:path'
import { reason, writeAtomically } from '../../../base/fs.ts'
import type { DayRange } from '../../../base/time/calendar-words.ts'
import { dayAfter } from '../../../base/time/dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Client, Values } from '../../../client/client.ts'
import { type Criteria, select, selectedPages } from '../../../client/selection/criteria.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { largestPage } from '../../../contract/filter.ts'
import type { Answer } from '../../../contract/resource.ts'
import {
  type DayEvent,
  type DaySpan,
  type DayWords,
  dayEvent,
  dayWords,
  eventsByDay,
} from '../../../files/print/day-events.ts'
import type { PrintedSheet } from '../../../files/print/sheet-page.ts'
import type { App } from '../../app.ts'
import { badSettings } from '../../failures.ts'
import type { DayView } from '../../terminal/agenda-text.ts'
import { useColor } from '../../terminal/streams.ts'
import type { NewsletterForm } from '../../world.ts'
import { type CalendarOptions, calendarFilters, newsletterForm, readCriteria } from './criteria-options.ts'
import { checkFiltersOfAll, clientToRead, contentLanguage, shapeToRead } from './language-options.ts'
import { typedValues } from './options.ts'
import { createPublicOnly, type PublicOnly } from './public-events.ts'
import { siteLocale, siteTime, siteZone } from './read-criteria.ts'

const events = resourceNamed('events')

/** In columns, for a pipe. */
const pageWidth = 80

/** The events of a range of days. */
export interface DatedEvents {
  readonly events: readonly DayEvent[]
  readonly span: DaySpan
  readonly words: DayWords
  readonly today: string
  readonly records: readonly Answer[]
  /** Prints the events in the format of `-o`. */
  print(): Promise<void>
  /** Prints what a function draws for a terminal, or for a page in a pipe. */
  draw(render: (view: DayView) => Iterable<string>): Promise<void>
  /** Says that nothing was found and, on a terminal, which event is next. */
  noticeNone(): Promise<void>
}

/** The days to show; `now` is the wall time of the calendar, and the locale tells how weeks begin. */
type ChooseDays = (now: string, locale: string) => Promise<DayRange>

/** Reads the events that take place on any of the days; for a publication, only public ones. */
export async function readDatedEvents(app: App, options: CalendarOptions, choose: ChooseDays): Promise<DatedEvents> {
  const { world } = app
  const chosen = await typedValues(calendarFilters, options)
  checkFiltersOfAll(app, events, chosen)
  const client = await clientToRead(app)
  const now = await siteTime(app, client)
  const today = now.slice(0, 10)
  const days = await choose(now, siteLocale(app, client))
  const { where, modifiedAfter } = options
  const criteria = await readCriteria(app, client, {
    resources: [events],
    filters: chosen,
    options: { where, modifiedAfter },
  })
  const publicOnly = publicOnlyFor(app, options, chosen)
  const records = await recordsOf(client, { ...criteria, days }, publicOnly)
  const omitted = publicOnly?.notice()
  if (omitted !== undefined) await app.notice(omitted)
  const words = dayWords(contentLanguage(app, client, records), world.env)
  const zone = await siteZone(app, client)
  const drawn = app.globals.lang === 'all' ? records.map(withLanguage) : records
  const dated = drawn.flatMap(record => dayEvent(record, zone) ?? [])
  if (dated.length < records.length)
    await app.notice(
      phrase('left out {count, plural, one {# event} other {# events}} without a valid date', {
        count: records.length - dated.length,
      }),
    )
  const span = spanOf(days, dated)
  return {
    events: dated,
    span,
    words,
    today,
    records,
    print: () => app.print(shapeToRead(app, events), records),
    draw: render => drawWith(app, words, today, render),
    noticeNone: () => noticeNone(app, client, { span, criteria, today }),
  }
}

/**
 * Whether only public events are read: a sheet contains these unless a status is asked for, and a newsletter unless it is told to contain
 * others.
 */
function publicOnlyFor(app: App, { html, with: added }: CalendarOptions, { status }: Values): PublicOnly | undefined {
  if (added !== undefined) return undefined
  if (newsletterForm(app) !== undefined) return createPublicOnly(events, '--with private')
  return html !== undefined && status === undefined ? createPublicOnly(events) : undefined
}

/** The title with the language, for records of several languages in one list. */
const withLanguage = (record: Answer): Answer =>
  record.lang_code ? { ...record, title: `${record.title} (${record.lang_code})` } : record

/** The span of the days; without an end, it ends on the last day on which an event begins. */
function spanOf({ first, last }: DayRange, dated: readonly DayEvent[]): DaySpan {
  const starts = dated.map(({ firstDay }) => firstDay).toSorted()
  const from = first ?? starts[0] ?? last ?? ''
  const [, latest = from] = [from, last ?? starts.at(-1) ?? from].toSorted()
  return { first: from, last: latest }
}

async function recordsOf(client: Client, criteria: Criteria, publicOnly?: PublicOnly): Promise<Answer[]> {
  const records: Answer[] = []
  const query = (filters: Values) => ({ per_page: largestPage, ...filters, ...publicOnly?.query })
  const selection = await select(client, events, criteria)
  for await (const page of selectedPages(client, events, selection, query))
    records.push(...(publicOnly?.of(page.records) ?? page.records))
  const { withEventStatuses } = await import('../../../client/adapters/event-statuses.ts')
  return withEventStatuses(client, events, records)
}

async function drawWith(
  app: App,
  words: DayWords,
  today: string,
  render: (view: DayView) => Iterable<string>,
): Promise<void> {
  const { painter } = await import('../../terminal/streams.ts')
  const { color: wanted } = app.globals
  const { stdout, env } = app.world
  const color = useColor(wanted, env, stdout.isTTY)
  const columns = (stdout.isTTY && stdout.columns) || pageWidth
  const view = { words, paint: painter(color), color, columns, today }
  await app.page(async sink => {
    for (const text of render(view)) await sink.write(text, 'painted')
  })
}

/** What was looked for without a result. */
interface Sought {
  readonly span: DaySpan
  readonly criteria: Criteria
  readonly today: string
}

async function noticeNone(app: App, client: Client, { span, criteria, today }: Sought): Promise<void> {
  const { recordInFull, shortDate } = await import('../../../files/print/readable.ts')
  const year = today.slice(0, 4)
  const [first, last] = [shortDate(span.first, year), shortDate(span.last, year)]
  const none =
    first === last
      ? phrase('no events on {day}', { day: first })
      : phrase('no events from {first} to {last}', { first, last })
  // With conditions, the next event could be many pages away.
  const isChecked = (criteria.conditions ?? []).length > 0
  if (!app.world.stdout.isTTY || app.globals.quiet || isChecked) return app.notice(none)
  const { filters } = await select(client, events, { filters: criteria.filters })
  const { records } = await client.list(events, { ...filters, per_page: 1, start_date: dayAfter(span.last) })
  const [record] = records
  if (!record) return app.notice(none)
  const next = recordInFull(events, { record, year })
  await app.notice(phrase('{none}; the next is {event}', { none, event: next }))
}

/** The heading of an agenda. */
export const titleOfDays = ({ span, words }: DatedEvents): string => words.range(span.first, span.last)

/** The heading of a month. */
export const titleOfMonth = ({ span, words }: DatedEvents): string => words.month(span.first.slice(0, 7))

/** Prints days for a newsletter. */
export async function printNewsletter(
  app: App,
  found: DatedEvents,
  title: string,
  form: NewsletterForm,
): Promise<void> {
  const days = eventsByDay(found.events, found.span)
  if (days.size === 0) return found.noticeNone()
  const { newsletter } = await import('../../../files/print/newsletter.ts')
  const { today, words } = found
  await app.page(sink => sink.write(newsletter({ title, days, today, words }, form)))
}

/** Writes a month as a sheet to print. */
export async function writeMonthSheet(app: App, found: DatedEvents, file: string): Promise<void> {
  const { monthSheet } = await import('../../../files/print/month-sheet.ts')
  const { span, words } = found
  await writeSheet(app, file, monthSheet(titleOfMonth(found), found.events, span, words))
}

/** Writes an agenda as sheets to print. */
export async function writeAgendaSheet(app: App, found: DatedEvents, file: string): Promise<void> {
  const { agendaSheet } = await import('../../../files/print/agenda-sheet.ts')
  const { span, words, today } = found
  const days = eventsByDay(found.events, span)
  await writeSheet(app, file, agendaSheet(titleOfDays(found), days, today, words))
}

async function writeSheet({ world, notice }: App, file: string, sheet: PrintedSheet): Promise<void> {
  const { sheetPage } = await import('../../../files/print/sheet-page.ts')
  const html = sheetPage(sheet)
  if (file === '-') return world.stdout.write(html)
  try {
    await writeAtomically(resolve(world.cwd, file), html)
  } catch (error) {
    throw badSettings(
      phrase('cannot write {file}: {reason}', { file, reason: reason(error as NodeJS.ErrnoException) }),
      phrase('write to another file or disk'),
    )
  }
  await notice(phrase('wrote {file}; open it in a browser to print it', { file }))
}
