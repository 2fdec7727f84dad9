import { attempt } from '../../base/attempt.ts'
import { Failure, usage } from '../../base/failure.ts'
import { readTick } from '../../base/text/yes-no.ts'
import { readDate, wallMs } from '../../base/time/dates.ts'
import { wallAt } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { repeatDates, repetitionNotes } from '../icalendar/occurrences.ts'
import { readRepetitionTexts, valuesOn } from '../icalendar/repeated-dates.ts'
import type { FileReading } from '../records/file-reading.ts'
import type { FileRecord, Mistake } from '../records/file-record.ts'
import type { Cell, PartOf } from './cell-values.ts'

type RowContext = Pick<FileReading, 'now' | 'timezone' | 'notice'>

/** The records of a row that may say how its event repeats, one for each date; or what is wrong with its cells. */
export function repeatedRecords(record: FileRecord, part: PartOf, context: RowContext): FileRecord[] | Mistake {
  const cells = { repeat: part('repeat.days'), until: part('repeat.until'), except: part('repeat.except') }
  const [cell] = Object.values(cells).filter(({ text }) => text !== '' && readTick(text) !== false)
  const start = readDate(String(record.values.start_date))?.wall
  if (!cell || start === undefined) return [record]
  const records = attempt(() => recordsOn(record, start, cells, context))
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

type RepeatCells = Readonly<Record<'repeat' | 'until' | 'except', Cell>>

function recordsOn(record: FileRecord, start: string, { repeat, until, except }: RepeatCells, context: RowContext) {
  const { now, timezone = 'UTC', notice } = context
  const { id, values, valuesIfNew } = record
  const names = {
    repeat: repeat.heading || phrase('Repeat'),
    until: until.heading || phrase('Repeat until'),
    except: except.heading,
  }
  if (id !== undefined) throw usage(phrase('{option}: only new events repeat', { option: names.repeat }))
  const texts = {
    repeat: repeat.text,
    until: until.text || undefined,
    except: except.text.match(/[^\s,;][^,;\n]*/g) ?? [],
  }
  const days = { start: start.slice(0, 10), now: wallAt(now.getTime(), timezone) }
  const { rule, ...limits } = readRepetitionTexts(texts, days, names)
  const end = readDate(String(values.end_date ?? valuesIfNew?.end_date))?.wall ?? start
  const zone = { timezone: String(values.timezone ?? timezone), length: wallMs(end) - wallMs(start) }
  const dates = repeatDates(start, rule, { ...zone, names, written: repeat.text, ...limits })
  notice(repetitionNotes(dates, zone.timezone).join('; '))
  return dates.starts.map(
    (wall): FileRecord => ({
      ...record,
      values: valuesOn(wall, start, values),
      ...(valuesIfNew && { valuesIfNew: valuesOn(wall, start, valuesIfNew) }),
    }),
  )
}
