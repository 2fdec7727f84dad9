import { attempt } from '../../base/attempt.ts'
import { Failure, usage } from '../../base/failure.ts'
import { readTick } from '../../base/text/yes-no.ts'
import { msWall, readDate, wallMs } from '../../base/time/dates.ts'
import { wallAt } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { repeatDates } from '../icalendar/occurrences.ts'
import { hasEnd, readRepetitionTexts, repetitionNotes, withoutEnd } from '../icalendar/repeated-dates.ts'
import type { FileRecord, Mistake, Notice } from '../records/file-record.ts'
import type { PartOf } from './cell-values.ts'

interface RowContext {
  readonly now: Date
  /** The zone of events that do not have their own. */
  readonly timezone: string
  readonly notice: Notice
}

/** The records of a row that may say how its event repeats, one for each date; or what is wrong with its cells. */
export function repeatedRecords(record: FileRecord, part: PartOf, context: RowContext): FileRecord[] | Mistake {
  const start = readDate(String(record.values.start_date))?.wall
  const written = ['repeat.days', 'repeat.until', 'repeat.except'].map(part)
  const [cell] = written.filter(({ text }) => text !== '' && readTick(text) !== false)
  if (!cell || start === undefined || record.action === 'ignore') return [record]
  const records = attempt(() => recordsOn(datesOf(record, part, { ...context, start }), record, start))
  if (!(records instanceof Failure)) return records
  const { message, details } = records
  return {
    column: cell.heading,
    expected: '',
    value: cell.text,
    message,
    ...(details.hint && { advice: details.hint }),
  }
}

function datesOf(record: FileRecord, part: PartOf, { now, timezone, notice, start }: RowContext & { start: string }) {
  const { values, valuesIfNew } = record
  const [repeat, until, except] = [part('repeat.days'), part('repeat.until'), part('repeat.except')]
  const names = {
    repeat: repeat.heading || phrase('Repeat'),
    until: until.heading || phrase('Repeat until'),
    except: except.heading,
  }
  if (repeat.text === '') throw usage(phrase('a row without "{column}" does not repeat', { column: names.repeat }))
  if (record.id !== undefined) throw usage(phrase('{option}: only new events repeat', { option: names.repeat }))
  const texts = {
    repeat: repeat.text,
    ...(until.text !== '' && { until: until.text }),
    except: except.text.split(/[,;\n]/).flatMap(day => day.trim() || []),
  }
  const read = readRepetitionTexts(texts, { start: start.slice(0, 10), now: wallAt(now.getTime(), timezone) }, names)
  if (!hasEnd(read)) throw withoutEnd(texts, names)
  const { rule, ...limits } = read
  const end = readDate(String(values.end_date ?? valuesIfNew?.end_date))?.wall ?? start
  const zone = String(values.timezone ?? timezone)
  const dates = repeatDates(start, rule, { timezone: zone, length: wallMs(end) - wallMs(start), names, ...limits })
  notice(repetitionNotes(dates).join('; '))
  return dates.starts
}

/** The record on each of these days. */
const recordsOn = (starts: readonly string[], record: FileRecord, first: string): FileRecord[] =>
  starts.map(start => {
    const moved = (values: FileRecord['values']) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, movedValue(name, value, start, first)]))
    return {
      ...record,
      values: moved(record.values),
      ...(record.valuesIfNew && { valuesIfNew: moved(record.valuesIfNew) }),
    }
  })

function movedValue(name: string, value: unknown, start: string, first: string): unknown {
  if (name === 'slug' && value !== '') return `${value}-${start.slice(0, 10)}`
  const date = /^(start|end)_date$/.test(name) ? readDate(String(value)) : undefined
  const moved = date && msWall(wallMs(date.wall) + wallMs(start) - wallMs(first))
  return date?.dayOnly ? moved?.slice(0, 10) : (moved ?? value)
}
