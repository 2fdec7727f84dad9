import { stripVTControlCharacters } from 'node:util'
import { Failure } from '../../src/base/failure.ts'
import { readLength } from '../../src/base/time/durations.ts'
import { readTyped } from '../../src/base/time/typed-dates.ts'
import type { ChangeContext } from '../../src/client/change.ts'
import { resolveCreation } from '../../src/client/resolve-change.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { type Keys, words } from '../support/world.ts'

/** A row of when.tsv: a text of a kind, in its context, and what it means. */
export interface WhenRow {
  readonly kind: string
  readonly context: string
  readonly language: string
  readonly text: string
  /** A start and an end, all meanings with `||` between them, or `no`. */
  readonly meaning: string
}

/** What became of a text: the dates of the event, or what was said in place of writing it. */
export interface WhenOutcome {
  readonly events: readonly Readonly<Record<string, unknown>>[]
  readonly said: string
}

export type WhenEntrance = (row: WhenRow) => Promise<WhenOutcome>

/** A Saturday. */
const readingsNow = new Date('2026-11-28T09:00:00Z')

const headings: Readonly<Record<string, readonly string[]>> = {
  ca: ['Títol', 'Data', 'Hora', 'Hora fi', 'Durada', 'Data fi', 'Tot el dia'],
  es: ['Título', 'Fecha', 'Hora', 'Hora fin', 'Duración', 'Fecha fin', 'Todo el día'],
  en: ['Title', 'Date', 'Time', 'End time', 'Duration', 'End date', 'All day'],
}

/** What a row says of an event: its start, and its end or length. */
function partsOf({ kind, context, text, meaning }: WhenRow): { start: string; end?: string; length?: string } {
  const known = context.replace(/^(?:start|day) /, '')
  if (kind === 'end' || kind === 'last') return { start: known, end: text }
  if (kind === 'length') return { start: '2027-03-10 19:00', length: text }
  const start = kind === 'hour' ? `${known} ${text}` : text
  const hasEnd = meaning.includes('/') || !meaning.includes(':')
  return hasEnd ? { start } : { start, length: '1h' }
}

const wholeDay = ({ kind }: WhenRow) => kind === 'last' && { all_day: true }

const plan = (out: string): Readonly<Record<string, unknown>>[] => {
  try {
    const { steps = [] } = JSON.parse(out) as { steps?: { resource: string; values: Record<string, unknown> }[] }
    return steps.filter(({ resource }) => resource === 'events').map(({ values }) => values)
  } catch {
    return []
  }
}

/** The entrances for a text about when an event takes place, on an empty calendar. */
export function whenEntrances(): Readonly<Record<'option' | 'data' | 'sheet' | 'library' | 'terminal', WhenEntrance>> {
  const { calctl, file } = calendarWithFiles({ now: readingsNow })
  const dry = async (words: readonly string[], language: string): Promise<WhenOutcome> => {
    const { out, err } = await calctl([...words, '--dry-run', '-o', 'json', '--ui', language])
    return { events: plan(out), said: out + err }
  }
  return {
    option(row) {
      const { start, end, length } = partsOf(row)
      const given = [`--start-date=${start}`, end && `--end-date=${end}`, length && `--duration=${length}`]
      const isWholeDay = row.kind === 'last' && '--all-day'
      return dry(
        ['events', 'create', '--title', 'X', ...[...given, isWholeDay].flatMap(word => word || [])],
        row.language,
      )
    },
    data(row) {
      const { start, end, length } = partsOf(row)
      const values = { title: 'X', start_date: start, ...(end && { end_date: end }), ...wholeDay(row) }
      const rest = length ? [`--duration=${length}`] : []
      return dry(['events', 'create', '--data', JSON.stringify(values), ...rest], row.language)
    },
    sheet(row) {
      const known = row.context.replace(/^(?:start|day) /, '')
      const day =
        row.kind === 'length'
          ? '2027-03-10'
          : ['end', 'hour', 'last'].includes(row.kind)
            ? known.slice(0, 10)
            : row.text
      const hour =
        row.kind === 'length' ? '19:00' : row.kind === 'end' ? known.slice(11) : row.kind === 'hour' ? row.text : ''
      const [lastDay, lastHour = ''] = row.kind === 'last' ? row.text.split(' ') : ['']
      const end = row.kind === 'end' ? row.text : lastHour
      const length = row.kind === 'length' ? row.text : ''
      const cells = ['X', day, hour, end, length, lastDay, row.kind === 'last' ? 'x' : '']
      const lines = [headings[row.language] ?? [], cells].map(line => line.map(cell => `"${cell}"`).join(';'))
      const path = file('rows.csv', `${lines.join('\n')}\n`)
      return dry(['apply', path, '--dates-from', '2026-11-28'], row.language)
    },
    async library(row) {
      const { start, end, length } = partsOf(row)
      const values = { title: 'X', start_date: start, ...(end && { end_date: end }), ...wholeDay(row) }
      const said: string[] = []
      try {
        const made = await resolveCreation(
          resourceNamed('events'),
          values,
          libraryContext(said),
          readLength(length ?? ''),
        )
        return { events: [made], said: said.join('\n') }
      } catch (error) {
        if (error instanceof Failure) return { events: [], said: `${error.message} ${error.details.hint}` }
        throw error
      }
    },
    terminal: fromDialog,
  }
}

const ctrlC = '\u0003'

/** Answers the questions about the dates, and then leaves: what was typed is given back as a command line, and a menu has all meanings. */
async function fromDialog(row: WhenRow): Promise<WhenOutcome> {
  const { start, end } = partsOf(row)
  const given = row.kind === 'end' ? ['--start-date', start] : []
  // A text that cannot be read is asked for again, with the reason below it.
  const text: Keys = [`${end ?? start}\r`, '\n> ', ctrlC]
  const isWholeDay = row.kind !== 'end' && !row.meaning.includes(':')
  const { calctl } = calendarWithFiles({
    now: readingsNow,
    terminal: 200,
    keys: isWholeDay ? [text, '\r', '\r'] : [text],
  })
  const { err } = await calctl(['events', 'create', '--title', 'X', ...given, '--ui', row.language])
  const typed = words(/calctl (events create .*)/.exec(err)?.[1] ?? '')
  const typedFor = (option: string) => (typed.includes(option) ? typed[typed.lastIndexOf(option) + 1] : undefined)
  const moment = (text: string | undefined) => {
    const read = readTyped(text ?? '', 'Europe/Madrid', readingsNow)
    return read.ok && !read.dayOnly ? read.wall : text
  }
  const event = {
    start_date: moment(typedFor('--start-date')),
    end_date: moment(typedFor('--end-date')),
    all_day: typed.includes('--all-day'),
  }
  const isKnown = row.kind === 'end' ? event.end_date : event.start_date
  const [, menu = ''] = /\? [^\n]*\?\n(❯ [\s\S]*?)\n\n/.exec(stripVTControlCharacters(err)) ?? []
  return isKnown === undefined || menu !== '' ? { events: [], said: readBack(menu) } : { events: [event], said: err }
}

/** The meanings of a menu as dates: each of them reads back as one date. */
const readBack = (menu: string): string =>
  menu
    .split('\n')
    .map(line => readTyped(line.replace(/^[❯ ] /, ''), 'Europe/Madrid', readingsNow))
    .flatMap(read => (read.ok ? read.wall.slice(0, read.dayOnly ? 10 : 16) : []))
    .join(' | ')

const libraryContext = (said: string[]): ChangeContext => ({
  now: readingsNow,
  zone: 'Europe/Madrid',
  names: { resolve: async (_, values) => values, find: async () => [] } as ChangeContext['names'],
  notice: async text => void said.push(text),
})
