import { Temporal } from 'temporal-polyfill'

/** Names that `Temporal` does not know: `UTC+1`, `UTC-3`, `UTC+5.5`, `UTC+5:30`. */
const offsetName = /^UTC([+-])(\d{1,2})(?:\.(\d{1,2})|:(\d{2}))?$/i

/** Whether this names a time zone: an IANA name or a `UTC+N`. */
export function isZone(name: string): boolean {
  if (offsetName.test(name)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}

const identifier = (name: string): string => {
  const match = offsetName.exec(name)
  if (!match) return name
  const [, sign, hours = '0', decimal, minutes] = match
  const mins = minutes ?? (decimal ? String(Math.round(Number(`0.${decimal}`) * 60)) : '0')
  return `${sign}${hours.padStart(2, '0')}:${mins.padStart(2, '0')}`
}

const text = (date: Temporal.PlainDateTime) => date.toString({ smallestUnit: 'second' }).replace('T', ' ')

/** The UTC wall time, `YYYY-MM-DD HH:MM:SS`, of a wall time in a zone. */
export const toUtc = (wall: string, zone: string): string =>
  text(Temporal.PlainDateTime.from(wall).toZonedDateTime(identifier(zone)).withTimeZone('UTC').toPlainDateTime())

/** The wall time in a zone of a UTC wall time; both `YYYY-MM-DD HH:MM:SS`. */
export const fromUtc = (utc: string, zone: string): string =>
  text(Temporal.PlainDateTime.from(utc).toZonedDateTime('UTC').withTimeZone(identifier(zone)).toPlainDateTime())
