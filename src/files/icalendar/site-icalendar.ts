import { plainText } from '../../base/text/escaping.ts'
import { msWall, wallMs } from '../../base/time/dates.ts'
import { abbreviation, offsetAt, offsetText } from '../../base/time/zone.ts'
import type { Answer } from '../../contract/resource.ts'
import { dateLines, inUtc, joinLines, line, linkLines, localTime, textLine, transitionsIn } from './write-icalendar.ts'

/** The site whose file is written: its name, and its address without a path. */
interface SiteNames {
  readonly name: string
  readonly home: string
}

/** Events as The Events Calendar writes them: all zones come first, each event is in its own, and nothing is only for calctl. */
export function siteICalendar(events: readonly Answer[], { name, home }: SiteNames): string {
  const years = events.flatMap(({ start_date, end_date }) =>
    [start_date, end_date].map(date => Number.parseInt(String(date), 10)),
  )
  const [first, last] = [Math.min(...years) - 1, Math.max(...years) + 1]
  const zones = [...new Set(events.map(({ timezone }) => String(timezone)))]
  return joinLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    line('prodid', `-//${name} - ECPv6.17.2//NONSGML v1.0//EN`),
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    textLine('x-wr-calname', name),
    line('x-original-url', home),
    textLine('x-wr-caldesc', `Events for ${name}`),
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-Robots-Tag:noindex',
    'X-PUBLISHED-TTL:PT1H',
    ...zones.flatMap(zone => zoneLines(zone, Date.UTC(first, 0), Date.UTC(last + 1, 0))),
    ...events.flatMap(event => eventLines(event, new URL(home).hostname)),
    'END:VCALENDAR',
  ])
}

/** The changes of clocks between two moments. The plugin writes each in UTC, not, as it should be, in the time before it. */
function zoneLines(zone: string, from: number, to: number): string[] {
  const changes = transitionsIn(zone).filter(({ moment }) => moment >= from && moment < to)
  const offset = offsetText(offsetAt(from, zone)).replace(':', '')
  const none = { moment: from, isForward: false, offsetBefore: offset, offsetAfter: offset }
  const observances = (changes.length === 0 ? [none] : changes).flatMap(change => {
    const name = change.isForward ? 'DAYLIGHT' : 'STANDARD'
    const utc = msWall(change.moment)
    return [
      `BEGIN:${name}`,
      `TZOFFSETFROM:${change.offsetBefore}`,
      `TZOFFSETTO:${change.offsetAfter}`,
      `TZNAME:${abbreviation(zone, msWall(change.moment + offsetAt(change.moment, zone)), utc)}`,
      `DTSTART:${localTime(utc)}`,
      `END:${name}`,
    ]
  })
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances, 'END:VTIMEZONE']
}

function eventLines(event: Answer, host: string): string[] {
  // The plugin takes the local times for times in UTC.
  const [start, end] = [event.start_date, event.end_date].map(wall => wallMs(String(wall)) / 1000)
  const modified = inUtc(String(event.modified_utc))
  return [
    'BEGIN:VEVENT',
    ...dateLines(event, String(event.timezone)),
    line('dtstamp', modified),
    line('created', inUtc(String(event.date_utc))),
    line('last-modified', modified),
    line('uid', `${event.id}-${start}-${end}@${host}`),
    textLine('summary', plainText(event.title) ?? ''),
    textLine('description', plainText(event.description) ?? ''),
    line('url', String(event.url)),
    ...linkLines(event).filter(text => !/^X-CALCTL|^ORGANIZER.*:invalid:nomail$/.test(text)),
    'END:VEVENT',
  ]
}
