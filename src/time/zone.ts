import { Temporal } from 'temporal-polyfill'
import { fixedOffset } from './zone-name.ts'

export { isZone } from './zone-name.ts'

const two = (count: number) => String(count).padStart(2, '0')

/** What `Temporal` calls a zone: fixed offsets are `+05:30` there. */
const identifier = (name: string): string => {
  const offset = fixedOffset(name)
  if (offset === undefined) return name
  const size = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

const text = (date: Temporal.PlainDateTime) => date.toString({ smallestUnit: 'second' }).replace('T', ' ')

/**
 * The UTC wall time, `YYYY-MM-DD HH:MM:SS`, of a wall time in a zone. A time that a change to summer time skips is moved
 * forward; of a time that occurs twice the second is meant.
 */
export const toUtc = (wall: string, zone: string): string =>
  text(
    Temporal.PlainDateTime.from(wall)
      .toZonedDateTime(identifier(zone), { disambiguation: 'later' })
      .withTimeZone('UTC')
      .toPlainDateTime(),
  )

/** The wall time in a zone of a UTC wall time; both `YYYY-MM-DD HH:MM:SS`. */
export const fromUtc = (utc: string, zone: string): string =>
  text(Temporal.PlainDateTime.from(utc).toZonedDateTime('UTC').withTimeZone(identifier(zone)).toPlainDateTime())

/** The two instants, as ISO with their offsets, that a wall time can mean; the same one on all days but those when clocks change. */
export function instantsOf(wall: string, zone: string): { earlier: string; later: string; exists: boolean } {
  const plain = Temporal.PlainDateTime.from(wall)
  const instant = (disambiguation: 'earlier' | 'later') => plain.toZonedDateTime(identifier(zone), { disambiguation })
  const write = (time: Temporal.ZonedDateTime) =>
    `${time.toPlainDateTime().toString({ smallestUnit: 'minute' })}${time.offset}`
  const [earlier, later] = [instant('earlier'), instant('later')]
  return { earlier: write(earlier), later: write(later), exists: earlier.toPlainDateTime().equals(plain) }
}
