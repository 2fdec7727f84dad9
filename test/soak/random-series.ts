import { naiveDates } from './naive-rule.ts'
import { mulberry32 } from './random.ts'

/** A series as a feed has it, and the starts of its events as wall times of its zone, sorted. */
export interface RandomSeries {
  readonly text: string
  readonly starts: readonly string[]
  /** Whether an event was moved to a moment that another event of the series has: ical.js keeps one of the two. */
  readonly hasDoubles: boolean
}

const zones = ['', ';TZID=Europe/Madrid', ';TZID=America/New_York', 'Z']
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/**
 * A series with a rule, dates that are left out, dates besides the rule, and events that were moved, several of them to one day. Its
 * starts follow from how it was made.
 */
export function randomSeries(seed: number): RandomSeries {
  const random = mulberry32(seed)
  const below = (count: number) => Math.floor(random() * count)
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T
  const two = (number: number) => String(number).padStart(2, '0')
  const rule = pick([
    `FREQ=DAILY;INTERVAL=${1 + below(3)}`,
    `FREQ=WEEKLY;BYDAY=${[pick(weekdays), pick(weekdays)].filter((day, at, all) => all.indexOf(day) === at).join()}`,
    `FREQ=MONTHLY;BYMONTHDAY=${1 + below(28)}`,
    `FREQ=MONTHLY;BYDAY=${pick(['1', '2', '-1'])}${pick(weekdays)}`,
    'FREQ=DAILY;BYHOUR=10,18',
  ])
  const earliest = `2027-${two(1 + below(9))}-${two(1 + below(28))} ${rule.includes('BYHOUR') ? '10' : two(8 + below(12))}:${pick(['00', '30'])}:00`
  const dates = naiveDates(earliest, rule, '2028-12-31').slice(0, 3 + below(8))
  const [first = earliest] = dates
  const left = dates.slice(1)
  const takeSome = (most: number) =>
    Array.from({ length: below(most + 1) }, () => left.splice(below(left.length), 1)[0]).filter(
      date => date !== undefined,
    )
  const excluded = takeSome(2)
  const moved = takeSome(3)
  const day = pick(dates).slice(0, 10)
  const targets = moved.map((date, index) =>
    random() < 0.6 ? `${day} ${two(9 + index * 3)}:15:00` : `${date.slice(0, 10)} ${two(8 + below(12))}:45:00`,
  )
  const extra = random() < 0.3 ? [`2029-0${1 + below(9)}-11 12:00:00`] : []
  const starts = [first, ...left, ...targets, ...extra].toSorted()
  const zone = pick(zones)
  const property = (name: string, wall: string) =>
    zone === 'Z' ? `${name}:${compact(wall)}Z` : `${name}${zone}:${compact(wall)}`
  const event = (lines: readonly string[]) => [
    'BEGIN:VEVENT',
    'UID:series@calendar.test',
    'DTSTAMP:20261101T000000Z',
    'DURATION:PT1H',
    ...lines,
    'END:VEVENT',
  ]
  const text = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//calctl//test//EN',
    ...event([
      'SUMMARY:Series',
      property('DTSTART', first),
      `RRULE:${rule};COUNT=${dates.length}`,
      ...excluded.map(date => property('EXDATE', date)),
      ...extra.map(date => property('RDATE', date)),
    ]),
    ...moved.flatMap((date, index) =>
      event(['SUMMARY:Moved', property('RECURRENCE-ID', date), property('DTSTART', targets[index] ?? date)]),
    ),
    'END:VCALENDAR',
    '',
  ].join('\r\n')
  return { text, starts, hasDoubles: new Set(starts).size < starts.length }
}

const compact = (wall: string): string => wall.replace(/[-:]/g, '').replace(' ', 'T')
