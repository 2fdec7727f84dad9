import { usage } from '../failure.ts'
import { phrase } from '../words/phrase.ts'
import { dayAfter, dayText } from './dates.ts'
import words from './holidays.json' with { type: 'json' }

/** Holidays on the same day each year, and by the number of days from Easter Sunday; and which of them are public where, without local ones. */
const { fixed: holidays, movable, regions } = words

/** The public holidays where a time zone is; undefined if they are not known. The zone of Madrid, or none, is taken for Catalonia. */
export function publicHolidays(zone = 'UTC') {
  const name = zone.includes('/') ? zone : 'UTC'
  const region = (Object.keys(regions) as (keyof typeof regions)[]).find(key =>
    regions[key].zones.split(' ').includes(name),
  )
  if (region === undefined) return undefined
  const [fixed, distances] = [regions[region].fixed.split(' '), regions[region].movable.split(' ')]
  const isEasterDay = (day: string, sunday: string) =>
    distances.some(distance => dayAfter(sunday, Number(distance)) === day)
  return {
    region,
    has: (day: string): boolean => fixed.includes(day.slice(5)) || isEasterDay(day, easter(Number(day.slice(0, 4)))),
  }
}

/** Whether a folded text means all public holidays: `festius`, `los días festivos`. */
export const areHolidays = (said: string): boolean =>
  /^(?:els |los |the )?(?:dies |dias |public |bank )?(?:festius?|festivos?|holidays?)$/.test(said)

/** The same, or a refusal of a time zone of which no holidays are known. */
export function knownHolidays(zone: string | undefined, instead: string) {
  const known = publicHolidays(zone)
  if (known) return known
  throw usage(
    phrase('the public holidays where the time zone is {zone} are not known', { zone: zone ?? '' }),
    phrase('name the days, for example with: {option}', { option: instead }),
  )
}

/** Holidays that are said of a night and of the day after it. */
const nights: Readonly<Record<string, string>> = { "cap d'any": '01-01', 'new year': '01-01' }

const holiday =
  /^(?:(?:el|la|els|los|on|at|per|por|para|en) )?(?:(?:dia|diada|festa|fiesta|festivitat) (?:de |d'|del ))?(?<eve>(?:nit|revetlla|vigilia|vespra|vispera|noche|verbena) (?:de |d'))?(?:(?:la|el|l'|els|los) ?)?(?<name>[a-z'. ]+?)(?<after> day| eve)?(?: (?:del? |of )?(?<year>\d{4}))?$/

/** A holiday that somebody names: its days in a year, several if it can be a night and the day after it. */
export function holidayCalled(phrase: string) {
  const { name: named = '', eve, after, year } = holiday.exec(phrase)?.groups ?? {}
  const name = named.replace(/^st\.? (?!.*'s$)/, 'sant ').replace(/^sta\.? /, 'santa ')
  const isCalled = (names: string) => names.split('|').includes(name) || names.split('|').includes(named)
  const [fixed = Object.hasOwn(nights, name) ? nights[name] : undefined] =
    Object.entries(holidays).find(([, names]) => isCalled(names)) ?? []
  const [distance] = Object.entries(movable).find(([, names]) => isCalled(names)) ?? []
  if (fixed === undefined && distance === undefined) return undefined
  const isEve = eve !== undefined || after === ' eve'
  const isDoubtful = Object.hasOwn(nights, name) && !isEve && after === undefined && !phrase.includes('dia')
  return {
    year,
    daysIn(inYear: number): readonly string[] {
      const day = distance === undefined ? `${inYear}-${fixed}` : dayAfter(easter(inYear), Number(distance))
      if (isDoubtful) return [day, dayAfter(day, -1)]
      return [isEve ? dayAfter(day, -1) : day]
    },
  }
}

/** Easter Sunday in the Gregorian calendar, by the anonymous algorithm of 1876. */
function easter(year: number): string {
  const [golden, century, rest] = [year % 19, Math.floor(year / 100), year % 100]
  const shift = century - Math.floor(century / 4) - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const moon = (19 * golden + shift + 15) % 30
  const sunday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - moon - (rest % 4)) % 7
  const late = Math.floor((golden + 11 * moon + 22 * sunday) / 451)
  const days = moon + sunday - 7 * late + 114
  return dayText(String(year).padStart(4, '0'), Math.floor(days / 31), (days % 31) + 1)
}
