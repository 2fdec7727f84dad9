import { dayAfter, dayText } from './dates.ts'

/** Holidays on fixed dates. */
const holidays = {
  '01-01': "any nou|ano nuevo|new year's",
  '01-06': 'reis|reyes|epifania|epiphany',
  '02-14': "sant valenti|san valentin|valentine's|saint valentine's",
  '04-23': "sant jordi|san jorge|saint george's|st george's",
  '05-01': 'treball|trabajo',
  '06-24': 'sant joan|san juan',
  '08-15': "mare de deu d'agost|assumpcio|asuncion",
  '09-11': 'diada|onze de setembre',
  '09-24': 'merce|merced',
  '10-12': 'pilar|hispanitat|hispanidad',
  '11-01': "tots sants|todos los santos|all saints'",
  '12-06': 'constitucio|constitucion|sant nicolau|san nicolas',
  '12-08': 'immaculada|inmaculada|purissima|purisima',
  '12-13': 'santa llucia|santa lucia',
  '12-24': 'nochebuena',
  '12-25': 'nadal|navidad|christmas',
  '12-26': "sant esteve|san esteban|boxing|saint stephen's|st stephen's",
  '12-28': 'sants innocents|santos inocentes',
  '12-31': 'nochevieja|sant silvestre|san silvestre',
}

/** Holidays by the number of days from Easter Sunday. */
const movable: readonly (readonly [number, string])[] = [
  [-52, 'dijous gras|dijous llarder|jueves lardero'],
  [-47, 'dimarts de carnaval|martes de carnaval|shrove tuesday'],
  [-46, 'dimecres de cendra|miercoles de ceniza|ash wednesday'],
  [-7, 'diumenge de rams|rams|domingo de ramos|palm sunday'],
  [-3, 'dijous sant|jueves santo|maundy thursday'],
  [-2, 'divendres sant|viernes santo|good friday'],
  [-1, 'dissabte sant|dissabte de gloria|sabado santo|holy saturday'],
  [0, 'pasqua|diumenge de pasqua|pascua|domingo de pascua|domingo de resurreccion|easter|easter sunday'],
  [1, 'dilluns de pasqua|lunes de pascua|easter monday'],
  [39, 'ascensio|ascension'],
  [49, 'pentecosta|pentecostes|whit sunday|pentecost'],
  [50, 'segona pasqua|pasqua granada|dilluns de pentecosta|lunes de pentecostes|whit monday'],
  [60, 'corpus|corpus christi'],
]

/** The public holidays of Catalonia, without local ones: days, and distances from Easter Sunday. */
const publicDays = '01-01 01-06 05-01 06-24 08-15 09-11 10-12 11-01 12-06 12-08 12-25 12-26'.split(' ')
const publicDistances = [-2, 1]

export function isPublicHoliday(day: string): boolean {
  const sunday = easter(Number(day.slice(0, 4)))
  return publicDays.includes(day.slice(5)) || publicDistances.some(distance => dayAfter(sunday, distance) === day)
}

/** Holidays that are said of a night and of the day after it. */
const nights: Readonly<Record<string, string>> = { "cap d'any": '01-01', 'new year': '01-01' }

const holiday =
  /^(?:(?:el|la|els|los|on|at|per|por|para|en) )?(?:(?:dia|diada|festa|fiesta|festivitat) (?:de |d'|del ))?(?<eve>(?:nit|revetlla|vigilia|vespra|vispera|noche|verbena) (?:de |d'))?(?:(?:la|el|l'|els|los) ?)?(?<name>[a-z'. ]+?)(?<after> day| eve)?(?: (?:del? |of )?(?<year>\d{4}))?$/

/** A holiday that somebody names: its days in a year, several if it can be a night and the day after it. */
export interface Holiday {
  readonly year: string | undefined
  daysIn(year: number): readonly string[]
}

export function holidayCalled(phrase: string): Holiday | undefined {
  const { name: named = '', eve, after, year } = holiday.exec(phrase)?.groups ?? {}
  const name = named.replace(/^st\.? (?!.*'s$)/, 'sant ').replace(/^sta\.? /, 'santa ')
  const isCalled = (names: string) => names.split('|').includes(name) || names.split('|').includes(named)
  const [fixed = Object.hasOwn(nights, name) ? nights[name] : undefined] =
    Object.entries(holidays).find(([, names]) => isCalled(names)) ?? []
  const distance = movable.find(([, names]) => isCalled(names))?.[0]
  if (fixed === undefined && distance === undefined) return undefined
  const isEve = eve !== undefined || after === ' eve'
  const isDoubtful = Object.hasOwn(nights, name) && !isEve && after === undefined && !phrase.includes('dia')
  return {
    year,
    daysIn(inYear) {
      const day = distance === undefined ? `${inYear}-${fixed}` : dayAfter(easter(inYear), distance)
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
