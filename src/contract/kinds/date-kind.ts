import { expectedDay, momentOf, readDate, wallMs } from '../../base/time/dates.ts'
import { readRelative } from '../../base/time/php-dates.ts'
import { isZone, withOffsetIfAmbiguous } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Kind, Shown } from '../field.ts'
import { noDate } from '../post-status.ts'
import { base, fieldOf } from './base-kind.ts'
import { wallTime } from './kind-values.ts'

/** A wall time, `YYYY-MM-DD HH:MM:SS`; its zone and UTC date are other fields of the record. */
export const dateTimeKind: Kind<string> = {
  ...base,
  isSentAsText: true,
  name: 'dateTime',
  shape: 'moment',
  placeholder: 'date',
  expected({ relative }, value) {
    const usual = relative
      ? phrase('a date as YYYY-MM-DD or YYYY-MM-DD HH:MM, or words such as tomorrow or +1 week')
      : phrase('a date and time')
    return expectedDay(String(value)) ?? usual
  },
  example: '2026-12-05 19:00',
  empty: null,
  isFilledIn: true,
  read: (value, { relative = false }) => (typeof value === 'string' && isDate(value, relative) ? value : undefined),
  // The date of a record that was never published.
  inFile: value => (value === noDate ? undefined : value),
  isStoredBySite: text => text === noDate,
  schema: () => ({ type: 'string', examples: [dateTimeKind.example] }),
  isShown: (asked, shown) => hasDate(String(asked), shown),
  roundTrip: writtenDate,
  column: (value, _field, name, storing) => (value === '' ? '' : storing.wall(name, String(value))),
  patched: value => (value === null ? null : String(value).replace(' ', 'T')),
  unpatched: wallTime,
}

const isDate = (text: string, relative: boolean) =>
  readDate(text) !== undefined || (relative && readRelative(text, '2000-01-01 00:00:00') !== undefined)

/** When clocks are set back, an hour repeats, and services differ in which one they take. */
function writtenDate({ name, answer }: Shown): unknown {
  const { [name]: wall, [`utc_${name}`]: utc, timezone: zone } = answer
  return isMoment(wall) && isMoment(utc) && typeof zone === 'string' && isZone(zone)
    ? withOffsetIfAmbiguous(wall, utc, zone)
    : wall
}

const isMoment = (value: unknown): value is string => typeof value === 'string' && readDate(value) !== undefined

function hasDate(asked: string, { name, answer }: Shown): boolean {
  const date = readDate(asked)
  if (answer.all_day === true && isEnd(name)) return String(answer[name]).startsWith(asked.slice(0, 10))
  if (date?.offset === undefined) return (date?.wall ?? asked) === answer[name]
  const utc = answer[`utc_${name}`] ?? answer[`${name}_utc`]
  return momentOf(date) === wallMs(String(utc))
}

/** An all-day event starts and ends with its days, whatever times were sent. */
const isEnd = (name: string) => name === 'start_date' || name === 'end_date'

export const dateTime = fieldOf(dateTimeKind)
