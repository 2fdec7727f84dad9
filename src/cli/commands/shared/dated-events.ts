import { resolve } from 'node:path'
import { writeAtomically } from '../../../base/fs.ts'
import { type DayRange, monthOf } from '../../../base/time/calendar-words.ts'
import { dayAfter } from '../../../base/time/dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Client, Values } from '../../../client/client.ts'
import { type Criteria, select, selectedPages, withStatuses } from '../../../client/selection/criteria.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { largestPage } from '../../../contract/filter.ts'
import type { Answer } from '../../../contract/resource.ts'
import { agendaSheet } from '../../../files/print/agenda-sheet.ts'
import { type DayEvent, type DaySpan, dayEvent, dayWords, eventsByDay } from '../../../files/print/day-events.ts'
import { monthSheet } from '../../../files/print/month-sheet.ts'
import { type Newsletter, newsletter } from '../../../files/print/newsletter.ts'
import { recordInFull, shortDate } from '../../../files/print/record-names.ts'
import { type PrintedSheet, sheetPage } from '../../../files/print/sheet-page.ts'
import type { App } from '../../app.ts'
import { cannotWrite } from '../../failures.ts'
import { agendaText, type DayView, monthText } from '../../terminal/agenda-text.ts'
import { painter, useColor } from '../../terminal/colors.ts'
import { checkFiltersOfAll, clientToRead, shapeToRead } from './all-languages.ts'
import { type CalendarOptions, calendarFilters, isDrawn, newsletterForm, sheetFile } from './calendar-options.ts'
import { readCriteria } from './chosen-criteria.ts'
import { contentLanguage } from './language-options.ts'
import { typedValues } from './options.ts'
import { createPublicOnly, type PublicOnly } from './public-events.ts'
import { siteTime, siteZone } from './read-criteria.ts'

const events = resourceNamed('events')

/** In columns, for a pipe. */
const pageWidth = 80

/** The events of a range of days, and what was looked for. */
interface DatedEvents extends Pick<Newsletter, 'days' | 'today' | 'words'> {
  readonly events: readonly DayEvent[]
  readonly span: DaySpan
  readonly records: readonly Answer[]
  readonly client: Client
  readonly criteria: Criteria
}

/** How a range of days is drawn. */
interface Drawing {
  /** For a sheet to print. */
  sheet(found: DatedEvents): Omit<PrintedSheet, 'title'>
  /** For a terminal, or for a page in a pipe. */
  text(found: DatedEvents, view: DayView): Iterable<string>
}

/** Days as headings, with the events on each of them. */
export const agendaDrawing: Drawing = {
  sheet: ({ days, today, words }) => agendaSheet(days, today, words),
  text: ({ days }, view) => agendaText(days, view),
}

/** A grid of days. */
export const monthDrawing: Drawing = {
  sheet: ({ events, span, words }) => monthSheet(events, span, words),
  text: ({ events, span }, view) => monthText(events, span, view),
}

/** Shows the events of some days as the options ask for it: as a sheet, a newsletter, records, or drawn. */
export async function showDays(app: App, options: CalendarOptions, choose: ChooseDays, drawing: Drawing) {
  const file = await sheetFile(app, options)
  const found = await readDatedEvents(app, options, choose)
  const title = titleOf(found)
  if (file !== undefined) return writeSheet(app, file, { title, ...drawing.sheet(found) })
  const form = newsletterForm(app)
  if (form === undefined && !isDrawn(app)) return app.print(shapeToRead(app, events), found.records)
  if (form === undefined) await draw(app, found, drawing)
  else if (found.days.size > 0) await app.page(sink => sink.write(newsletter({ title, ...found }, form)))
  if (found.days.size === 0) await noticeNone(app, found)
}

/** The days of a sheet or newsletter, a whole month by its name. */
const titleOf = ({ span: { first, last }, words }: DatedEvents): string =>
  first.endsWith('-01') && monthOf(first).last === last ? words.month(first.slice(0, 7)) : words.range(first, last)

/** The days to show; `now` is the wall time of the calendar. */
type ChooseDays = (now: string, client: Client) => Promise<DayRange>

/** Reads the events that take place on any of the days; for a publication, only public ones. */
export async function readDatedEvents(app: App, options: CalendarOptions, choose: ChooseDays): Promise<DatedEvents> {
  const { world } = app
  const chosen = await typedValues(calendarFilters, options)
  checkFiltersOfAll(app, events, chosen)
  const client = await clientToRead(app)
  const now = await siteTime(app, client)
  const today = now.slice(0, 10)
  const days = await choose(now, client)
  const { where, modifiedAfter } = options
  const criteria = await readCriteria(app, client, {
    resources: [events],
    filters: chosen,
    options: { where, modifiedAfter },
  })
  const publicOnly = publicOnlyFor(app, options, chosen)
  const records = await recordsOf(client, { ...criteria, days }, publicOnly)
  await publicOnly?.noticeOmitted(app)
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
  return { events: dated, days: eventsByDay(dated, span), span, words, today, records, client, criteria }
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
  return withStatuses(client, events, records)
}

async function draw(app: App, found: DatedEvents, drawing: Drawing): Promise<void> {
  const { stdout, env } = app.world
  const color = useColor(app.globals.color, env, stdout.isTTY)
  const columns = (stdout.isTTY && stdout.columns) || pageWidth
  const view = { words: found.words, paint: painter(color), color, columns, today: found.today }
  await app.page(async sink => {
    for (const text of drawing.text(found, view)) await sink.write(text, 'painted')
  })
}

/** Says that nothing was found and, on a terminal, which event is next. */
async function noticeNone(app: App, { client, span, criteria, today }: DatedEvents): Promise<void> {
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

async function writeSheet({ world, notice }: App, file: string, sheet: PrintedSheet): Promise<void> {
  const html = sheetPage(sheet)
  if (file === '-') return world.stdout.write(html)
  try {
    await writeAtomically(resolve(world.cwd, file), html)
  } catch (error) {
    throw cannotWrite(file, error, phrase('write to another file or disk'))
  }
  await notice(phrase('wrote {file}; open it in a browser to print it', { file }))
}
