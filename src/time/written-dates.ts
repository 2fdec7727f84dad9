import { readClock } from './clock-times.ts'
import { missingDay, readDate, wallMs } from './dates.ts'

/** The names of the months in Catalan, Spanish and English with their abbreviations, without accents. */
const months = [
  'gener gen enero ene january jan',
  'febrer febr feb febrero february',
  'marc mar marzo march',
  'abril abr april apr',
  'maig mai mayo may',
  'juny jun junio june',
  'juliol jul julio july',
  'agost ag ago agosto august aug',
  'setembre set septiembre setiembre sep sept september',
  'octubre oct october',
  'novembre nov noviembre november',
  'desembre des diciembre dic december dec',
].map(names => names.split(' '))

/** The days of the week from Sunday on. */
const weekdays = [
  'diumenge dg domingo dom sunday sun',
  'dilluns dl lunes lun monday mon',
  'dimarts dt martes mar tuesday tue tues',
  'dimecres dc miercoles mie wednesday wed',
  'dijous dj jueves jue thursday thu thur thurs',
  'divendres dv viernes vie friday fri',
  'dissabte ds sabado sab saturday sat',
].map(names => names.split(' '))

/** The names of the months as they are written in a date, with the preposition before them. */
const monthsInDates = {
  ca: 'de gener,de febrer,de març,d’abril,de maig,de juny,de juliol,d’agost,de setembre,d’octubre,de novembre,de desembre',
  en: 'January,February,March,April,May,June,July,August,September,October,November,December',
  es: 'de enero,de febrero,de marzo,de abril,de mayo,de junio,de julio,de agosto,de septiembre,de octubre,de noviembre,de diciembre',
}

/** A day, `YYYY-MM-DD`, as people read it: `5 de desembre de 2027`, which `readWrittenDate` reads. */
export function writtenDay(day: string, language: keyof typeof monthsInDates): string {
  const [year = '', month = '', date = ''] = day.split('-')
  const name = monthsInDates[language].split(',')[Number(month) - 1]
  if (name === undefined) return day
  return `${Number(date)} ${name} ${language === 'en' ? '' : 'de '}${year}`
}

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const weekday = String.raw`(?:(?<weekday>[a-z]+)\.?,?\s+)?`
const year = String.raw`(?<year>\d{4}|(?<=[-/])\d{2})`
const time = String.raw`(?:[\s,]+(?<time>.+))?`
const forms = [
  // 5 de desembre de 2027, 1r d’abril del 2027, 5-Dec-27
  String.raw`${weekday}(?:el )?(?<day>\d{1,2})(?:r|er|n|t|e|º|ª|st|nd|rd|th)?\.?[\s/-]*(?:de |d['’]|of )?(?<month>[a-z]+)\.?[\s,/-]*(?:del? |de l['’]|d['’]|of )?${year}${time}`,
  // December 5, 2027
  String.raw`${weekday}(?<month>[a-z]+)\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+${year}${time}`,
].map(form => new RegExp(`^${form}$`, 'i'))

/** A date with its month in words: as `YYYY-MM-DD` with or without `HH:MM:SS`, or what would be right. */
export type WrittenDate =
  | { readonly date: string }
  /** Completes "expected …". */
  | { readonly expected: string }

/** Reads `5 de desembre de 2027`, `5-Dec-2027 19:30`, `Sunday, December 5, 2027`; undefined for what is no such date. */
export function readWrittenDate(text: string): WrittenDate | undefined {
  const folded = text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ')
  for (const form of forms) {
    const parts = form.exec(folded)?.groups
    const month = months.findIndex(names => names.includes(parts?.month ?? ''))
    if (parts && month >= 0) return dateOf(parts, month + 1)
  }
  return undefined
}

function dateOf(parts: Readonly<Record<string, string | undefined>>, month: number): WrittenDate | undefined {
  const { day = '', year = '', weekday, time } = parts
  const fullYear = year.length === 2 ? `20${year}` : year
  const date = `${fullYear}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
  const days = missingDay(date)
  if (days !== undefined) return { expected: `a day that exists (${days})` }
  if (!readDate(date)) return undefined
  const weekdayIndex = weekdays.findIndex(names => names.includes(weekday ?? ''))
  if (weekday !== undefined && weekdayIndex < 0) return undefined
  const actual = new Date(wallMs(`${date} 00:00:00`)).getUTCDay()
  if (weekday !== undefined && weekdayIndex !== actual)
    return { expected: `the right day of the week (${date} is a ${dayNames[actual]})` }
  if (time === undefined) return { date }
  const clock = readClock(time)
  return clock === undefined ? undefined : { date: `${date} ${clock}` }
}
