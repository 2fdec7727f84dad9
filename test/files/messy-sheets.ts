import type { Language } from '../../src/contract/languages.ts'

/**
 * Sheets as people make them, with what they mean: in three languages, with headings in their own words, dates, hours, prices and
 * places in many forms, and some cells that nobody can read without asking.
 */
export interface MessySheet {
  readonly text: string
  readonly rows: readonly MessyRow[]
}

interface MessyRow {
  /** What the record must have; undefined for a row that must be refused. */
  readonly values: Readonly<Record<string, unknown>> | undefined
  /** For a row that is refused: a part of the sentence that says why. */
  readonly reason?: string
}

type Pick = <T>(items: readonly T[]) => T

type ColumnName = 'title' | 'day' | 'hour' | 'place' | 'town' | 'price' | 'state' | 'off' | 'mark'

const headings: Record<Language, Record<ColumnName, readonly string[]>> = {
  ca: {
    title: ['Títol', 'Activitat', "Nom de l'activitat", 'TÍTOL DE L’ACTE', 'Acte'],
    day: ['Data', 'Dia', "Data d'inici", 'DATA '],
    hour: ['Hora', 'Horari', "Hora d'inici"],
    place: ['Lloc', 'On es fa?', 'Espai', 'On'],
    price: ['Preu', 'Preu entrada', 'Preus', 'PREU:'].filter(heading => heading !== 'Preu entrada'),
    state: ['Estat'],
    town: ['Població', 'Municipi', 'CIUTAT'],
    off: ['Cancel·lat', 'Suspès'],
    mark: ['Destacat'],
  },
  es: {
    title: ['Título', 'Actividad', 'Nombre de la actividad', 'Evento'],
    day: ['Fecha', 'Día', 'Fecha de inicio'],
    hour: ['Hora', 'Horario', 'Hora de inicio'],
    place: ['Lugar', '¿Dónde se hace?', 'Espacio'],
    price: ['Precio', 'Precios', 'Importe'],
    state: ['Estado'],
    town: ['Municipio', 'Localidad', 'Población'],
    off: ['Cancelado', 'Suspendido'],
    mark: ['Destacado'],
  },
  en: {
    title: ['Title', 'Event', 'Activity'],
    day: ['Date', 'Day', 'Start day'],
    hour: ['Time', 'Start time', 'Hour'],
    place: ['Place', 'Where', 'Location'],
    price: ['Price', 'Fee', 'Admission'],
    state: ['Status'],
    town: ['Town', 'City', 'Venue City'],
    off: ['Cancelled', 'canceled'],
    mark: ['Featured'],
  },
}

const monthNames: Record<Language, readonly string[]> = {
  ca: ['de gener', 'de febrer', 'de març', 'd’abril', 'de maig', 'de juny', 'de juliol', 'd’agost', 'de setembre'],
  es: [
    'de enero',
    'de febrero',
    'de marzo',
    'de abril',
    'de mayo',
    'de junio',
    'de julio',
    'de agosto',
    'de septiembre',
  ],
  en: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
}

const two = (number: number) => String(number).padStart(2, '0')

/** A day of 2027 as people write it. */
function writtenDay(month: number, date: number, language: Language, pick: Pick): string {
  const name = monthNames[language][month - 1]
  const words = language === 'en' ? [`${date} ${name} 2027`, `${name} ${date}, 2027`] : [`${date} ${name} de 2027`]
  const numbers = [
    `${date}/${month}/2027`,
    `${two(date)}/${two(month)}/2027`,
    `${date}-${month}-2027`,
    `${date}.${month}.2027`,
  ]
  return pick([...words, ...(language === 'en' ? [] : numbers), `2027-${two(month)}-${two(date)}`])
}

const spans: Record<Language, (one: number, other: number, month: string) => string> = {
  ca: (one, other, month) => `del ${one} al ${other} ${month} de 2027`,
  es: (one, other, month) => `del ${one} al ${other} ${month} de 2027`,
  en: (one, other, month) => `${one} to ${other} ${month} 2027`,
}

const hourForms = (hour: number, language: Language): string[] => [
  `${hour}:00`,
  `${hour}.00 h`,
  `${hour} h`,
  `${hour}h`,
  ...(language === 'ca' ? [`a les ${hour} h`] : []),
  ...(language === 'es' ? [`a las ${hour} h`] : []),
]

const hourSpans = (from: number, to: number, language: Language): string[] => [
  `${from}-${to}`,
  `${from}-${to} h`,
  `${from}:00-${to}:00`,
  language === 'en' ? `from ${from}:00 to ${to}:00` : `de ${from} a ${to} h`,
]

const calledOff: Record<Language, readonly (readonly [string, string])[]> = {
  ca: [
    ['Cancel·lat', 'canceled'],
    ['Ajornat', 'postponed'],
    ['Suspès', 'canceled'],
    ['anul·lada', 'canceled'],
  ],
  es: [
    ['Cancelado', 'canceled'],
    ['Aplazado', 'postponed'],
    ['suspendida', 'canceled'],
  ],
  en: [
    ['Cancelled', 'canceled'],
    ['canceled', 'canceled'],
    ['Postponed', 'postponed'],
  ],
}

const states: Record<Language, readonly (readonly [string, string])[]> = {
  ca: [
    ['Esborrany', 'draft'],
    ['publicat', 'publish'],
    ['Pendent', 'pending'],
  ],
  es: [
    ['borrador', 'draft'],
    ['Publicado', 'publish'],
    ['pendiente', 'pending'],
  ],
  en: [
    ['draft', 'draft'],
    ['Published', 'publish'],
    ['Confirmed', 'publish'],
  ],
}

const prices: readonly (readonly [written: string, value: string])[] = [
  ['10 €', '10 €'],
  ['12,50 €', '12.50 €'],
  ['1.200,50 €', '1200.50 €'],
  ['0', '0'],
]

/** The cells of a row, and what it means. */
interface Row {
  readonly cells: Readonly<Record<string, string>>
  readonly row: MessyRow
}

function messyRow(number: number, language: Language, pick: Pick): Row {
  const month = pick([1, 2, 3, 4, 5, 6, 7, 8, 9])
  const date = pick([1, 5, 9, 12, 13, 20])
  const hour = pick([10, 17, 19, 20])
  const day = `2027-${two(month)}-${two(date)}`
  const blanks = pick(['', ' ', '\u00a0', '  '])
  const title = `Acte ${number}`
  const [price, cost] = pick(prices)
  const [place, venue] = pick([
    ['Sala', 'Sala'],
    ['Sala\u00a0Gran ', 'Sala Gran'],
    ['Teatre\nC/ Major 1\n17001 Girona', { venue: 'Teatre', address: 'C/ Major 1', city: 'Girona', zip: '17001' }],
    ['Teatre, plaça Major 2, Olot', { venue: 'Teatre', address: 'plaça Major 2', city: 'Olot' }],
  ] as const)
  const town = pick(['', 'Olot'])
  const [mark, featured] = pick([
    ['x', true],
    ['SÍ', true],
    ['no', false],
  ] as const)
  const cells = {
    title: `${blanks}Acte ${blanks}${number}`,
    day: writtenDay(month, date, language, pick),
    place,
    town,
    price,
    mark,
  }
  const described = typeof venue === 'string' ? { venue } : venue
  const common = { title, cost, featured, venue: town === '' ? venue : { ...described, city: town } }
  const at = (wall: string) => ({ start_date: `${wall}:00`, end_date: `${wall}:00` })
  const kinds: (() => Row)[] = [
    () => ({
      cells: { ...cells, hour: pick(hourForms(hour, language)) },
      row: { values: { ...common, ...at(`${day} ${two(hour)}:00`) } },
    }),
    () => ({
      cells: { ...cells, hour: pick(hourSpans(hour, hour + 2, language)) },
      row: {
        values: { ...common, start_date: `${day} ${two(hour)}:00:00`, end_date: `${day} ${two(hour + 2)}:00:00` },
      },
    }),
    () => ({
      cells: { ...cells, day: spans[language](date, date + 2, monthNames[language][month - 1] ?? '') },
      row: {
        values: {
          ...common,
          all_day: true,
          start_date: `${day} 00:00:00`,
          end_date: `2027-${two(month)}-${two(date + 2)} 23:59:59`,
        },
      },
    }),
    () => {
      const [word, status] = pick(states[language])
      return { cells: { ...cells, state: word }, row: { values: { ...common, status, all_day: true } } }
    },
    () => {
      const [word, event_status] = pick(calledOff[language])
      return { cells: { ...cells, state: word }, row: { values: { ...common, event_status, all_day: true } } }
    },
    () => ({
      cells: { ...cells, off: pick(['x', 'Sí', '1']) },
      row: { values: { ...common, event_status: 'canceled', all_day: true } },
    }),
    () => ({ cells: { ...cells, off: 'no' }, row: { values: { ...common, all_day: true } } }),
    () => ({ cells: { ...cells, price: '5-oct' }, row: { values: undefined, reason: 'converted it to a date' } }),
    () => ({ cells: { ...cells, title: 'MÃºsica' }, row: { values: undefined, reason: 'wrong letters' } }),
    () => ({
      cells: { ...cells, hour: pick(['19-30', 'vespre', '25 h']) },
      row: { values: undefined, reason: 'expected' },
    }),
  ]
  return pick(kinds)()
}

/** A sheet of one to twelve rows. `pick` chooses by chance. */
export function messySheet(pick: Pick): MessySheet {
  const language = pick(['ca', 'es', 'en'] as const)
  const separator = pick([',', ';', '\t', '|'])
  const names = Object.keys(headings.ca) as ColumnName[]
  const order = pick([names, names.toReversed()])
  const quoted = (cell: string) => (/["\n,;|\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const line = (cells: Readonly<Record<string, string>>) => order.map(name => quoted(cells[name] ?? '')).join(separator)
  const chosen = Object.fromEntries(names.map(name => [name, pick(headings[language][name])]))
  const rows = Array.from({ length: pick([1, 3, 12]) }, (_, index) => messyRow(index + 1, language, pick))
  return {
    text: [chosen, ...rows.map(({ cells }) => cells)].map(cells => `${line(cells)}\n`).join(''),
    rows: rows.map(({ row }) => row),
  }
}
