/** Holidays on fixed dates. */
const holidays = {
  '01-01': "cap d'any|any nou|ano nuevo|new year|new year's",
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

const holiday =
  /^(?:(?:el|la|els|los|on|at|per|por|para|en) )?(?:(?:dia|diada|festa|fiesta|festivitat) (?:de |d'|del ))?(?<eve>(?:nit|revetlla|vigilia|vespra|vispera) (?:de |d'))?(?:(?:la|el|l'|els|los) ?)?(?<name>[a-z' ]+?)(?<after> day| eve)?(?: (?:del? |of )?(?<year>\d{4}))?$/

/** Month and date of a holiday (`12-25`), the year if given, and whether its eve is meant. */
export function holidayCalled(phrase: string): { day: string; year: string | undefined; isEve: boolean } | undefined {
  const { name = '', eve, after, year } = holiday.exec(phrase)?.groups ?? {}
  const [day] = Object.entries(holidays).find(([, names]) => names.split('|').includes(name)) ?? []
  return day === undefined ? undefined : { day, year, isEve: eve !== undefined || after === ' eve' }
}
