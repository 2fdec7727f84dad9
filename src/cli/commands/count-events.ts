import { excluding, forExample, usage } from '../../base/failure.ts'
import type { DayRange } from '../../base/time/calendar-words.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import { type Count, createEventCounter, daysInYear, type Grouping } from '../../care/statistics.ts'
import type { Reads, Values } from '../../client/client.ts'
import { inLanguage } from '../../client/languages/routing.ts'
import { type Criteria, select, selectedPages } from '../../client/selection/criteria.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { languages } from '../../contract/languages.ts'
import { statusLabel } from '../../contract/post-status.ts'
import { languageName, recordCount } from '../../contract/resource-words.ts'
import { dayWords } from '../../files/print/day-events.ts'
import type { Row } from '../../files/print/printed-rows.ts'
import { shortDate } from '../../files/print/record-names.ts'
import type { App } from '../app.ts'
import { columnHeading } from '../terminal/column-headings.ts'
import { eachLanguage } from './shared/all-languages.ts'
import { typedFilters } from './shared/chosen-criteria.ts'
import { isShownAsTable } from './shared/output-forms.ts'
import { countShape } from './shared/output-shapes.ts'
import { readTypedCriteria, siteTime, type TypedCriteria } from './shared/read-criteria.ts'
import { workbookOnTerminal } from './shared/unprintable-forms.ts'

export interface StatsOptions extends TypedCriteria {
  readonly by?: Grouping
  readonly year?: number
  readonly compare?: number
}

const events = resourceNamed('events')

/** calctl stats: prints how many events there are in each group, and how many there were in another year. */
export async function countEvents(app: App, options: StatsOptions & Values): Promise<void> {
  const { by = 'month', compare } = options
  const client = await app.client()
  const filters = await typedFilters([events], options)
  const criteria = await readTypedCriteria(app, client, { resources: [events], filters, options })
  const days = await daysOf(app, client, criteria.days, options)
  const reads = await readsFor(app, client, by)
  const counted = await countIn(reads, { ...criteria, days }, by)
  const earlierDays = compare === undefined ? undefined : daysInYear(days, compare)
  const earlier = earlierDays && (await countIn(reads, { ...criteria, days: earlierDays }, by))
  const rows = rowsOf(by, counted.counts(), earlier?.counts(), days)
  await printCounts(app, by, rows)
  await app.notice(totalOf(counted.total(), days))
  if (earlier && earlierDays) await app.notice(totalOf(earlier.total(), earlierDays))
}

/** The days of the report: those of the options, or a whole year. */
async function daysOf(app: App, client: Reads, typed: DayRange | undefined, { year }: StatsOptions): Promise<DayRange> {
  if (typed && year !== undefined) throw excluding('--year', phrase('other days'))
  if (typed && (typed.first === undefined || typed.last === undefined))
    throw usage(phrase('a report needs a first and a last day'), forExample('--from 2026-09-01 --to 2027-06-30'))
  if (typed) return typed
  const asked = year ?? Number((await siteTime(app, client)).slice(0, 4))
  return { first: `${asked}-01-01`, last: `${asked}-12-31` }
}

/** The calendars to read: one for each language, if these are to be counted. */
async function readsFor(app: App, client: Parameters<typeof eachLanguage>[1], by: Grouping): Promise<readonly Reads[]> {
  const { lang } = app.globals
  const chosen = await eachLanguage(app, client, lang === 'all' || (by === 'language' && lang === undefined))
  return chosen.map(language => (language ? inLanguage(client, language) : client))
}

async function countIn(reads: readonly Reads[], criteria: Criteria, by: Grouping) {
  const counter = createEventCounter(by, criteria.days ?? {})
  const { first = '' } = criteria.days ?? {}
  for (const client of reads) {
    const selection = await select(client, events, criteria)
    // An event that began before these days was counted there.
    for await (const { records } of selectedPages(client, events, { ...selection, readsStatuses: true }))
      for (const event of records) if (String(event.start_date) >= first) counter.add(event)
  }
  return counter
}

/** A row for each group. */
function rowsOf(by: Grouping, now: readonly Count[], before: readonly Count[] | undefined, { first = '' }: DayRange) {
  if (!before) return now.map(({ value, events, cancelled }) => ({ value, events, cancelled }))
  const year = first.slice(0, 4)
  const same = (value: string) => (by === 'month' ? `${year}${value.slice(4)}` : value)
  const earlier = new Map(before.map(({ value, events }) => [same(value), events]))
  const values = new Map(now.map(count => [count.value, count]))
  for (const value of earlier.keys()) if (!values.has(value)) values.set(value, { value, events: 0, cancelled: 0 })
  return Array.from(values.values(), ({ value, events, cancelled }) => {
    const old = earlier.get(value) ?? 0
    return { value, events, cancelled, earlier: old, change: events - old }
  })
}

async function printCounts(app: App, by: Grouping, rows: readonly Row[]): Promise<void> {
  const columns = ['value', 'events', 'cancelled', ...('earlier' in (rows[0] ?? {}) ? ['earlier', 'change'] : [])]
  if (app.output === 'xlsx') return writeWorkbook(app, by, rows, columns)
  if (!isShownAsTable(app)) return app.print({ ...countShape, columns }, rows)
  const most = Math.max(1, ...rows.map(({ events }) => Number(events)))
  const shown = rows.map(one => ({
    ...one,
    value: wordsOf(by, String(one.value)),
    bar: '█'.repeat(Math.ceil((Number(one.events) / most) * 24)),
  }))
  const hasBars = (app.world.stdout.columns ?? 80) >= (columns.includes('earlier') ? 100 : 80)
  await app.print({ ...countShape, columns: hasBars ? [...columns, 'bar'] : columns }, shown)
}

/** A group as people call it. */
function wordsOf(by: Grouping, value: string): string {
  if (by === 'price' && value !== '') return value === 'free' ? phrase('free') : phrase('with a price')
  if (value === '') return by === 'price' ? phrase('not said') : phrase('(none)')
  if (by === 'status') return statusLabel(value)
  if (by === 'month') return dayWords(interfaceLanguage(), {}).month(value)
  const language = by === 'language' && languages.find(one => one === value)
  return language ? languageName(language) : value
}

async function writeWorkbook(app: App, by: Grouping, rows: readonly Row[], columns: readonly string[]): Promise<void> {
  const { stdout } = app.world
  if (stdout.isTTY) throw workbookOnTerminal('calctl stats -o xlsx > stats.xlsx')
  const { writeXlsx } = await import('../../files/workbook/write-xlsx.ts')
  const cells = rows.map(row =>
    columns.map(name =>
      name === 'value' ? wordsOf(by, String(row.value)) : { value: Number(row[name]), format: 'General' },
    ),
  )
  const headings = columns.map(name => columnHeading(name))
  for await (const bytes of writeXlsx([{ name: phrase('Events'), headings, rows: cells }])) await stdout.write(bytes)
}

const totalOf = ({ events, cancelled }: Omit<Count, 'value'>, { first = '', last = '' }: DayRange): string =>
  phrase('{events} from {first} to {last}; {cancelled} of them cancelled', {
    events: recordCount(events, 'events'),
    first: shortDate(first, undefined),
    last: shortDate(last, undefined),
    cancelled,
  })
