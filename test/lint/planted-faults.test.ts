import { expect, test } from 'vitest'
import type { Rule } from '../../src/care/lint/rule.ts'
import { rules } from '../../src/care/lint/rules.ts'
import { blanks, type EventRow } from '../../src/service/store/rows.ts'
import { at, type CalendarRows, calendarOf, cleanCalendar, wall } from './clean-calendar.ts'

/** Changes a calendar, and returns the IDs of the records with which something is wrong then. */
type Plant = (rows: CalendarRows) => number[]

/** Every seventh event, so that no two are in one series. */
const some = ({ events }: CalendarRows): EventRow[] => events.filter((_, index) => index % 7 === 3).slice(0, 8)

const each =
  (change: (event: EventRow, index: number) => void, count = 8): Plant =>
  rows =>
    some(rows)
      .slice(0, count)
      .map((event, index) => {
        change(event, index)
        return event.id
      })

const past = (event: EventRow) => Object.assign(event, at('2026-03-02 18:00:00', '2026-03-02 19:30:00'))

const shift = (event: EventRow, hours: number) => {
  const moved = (text: string) =>
    `${text.slice(0, 11)}${String(Number(text.slice(11, 13)) + hours).padStart(2, '0')}${text.slice(13)}`
  Object.assign(event, at(moved(event.start_date), moved(event.end_date)))
}

/** What each rule must find, all of it and nothing else. */
const plants: Readonly<Record<string, Plant>> = {
  'end-before-start': each(event =>
    Object.assign(event, { utc_end_date: event.utc_start_date.replace(/^2027/, '2026') }),
  ),
  'zero-length': each(event => Object.assign(event, at(event.start_date, event.start_date))),
  'too-long': each(event => Object.assign(event, at(event.start_date, event.end_date.replace(/^2027/, '2029')))),
  // What many events of a venue share is usual there.
  'unusual-hours': each(
    (event, index) =>
      Object.assign(event, at(wall(100 + index, '06:30'), wall(100 + index, '08:00')), { title: `Matinada ${index}` }),
    5,
  ),
  'utc-mismatch': each(event => {
    event.utc_start_date = event.start_date
    event.utc_end_date = event.end_date
  }),
  'zone-unlike-venue': each(event => Object.assign(event, at(event.start_date, event.end_date, 'Europe/London'))),
  'fixed-offset': each((event, index) =>
    Object.assign(event, at(event.start_date, event.end_date, ['UTC+1', 'UTC+2', 'CET'][index % 3])),
  ),
  'hour-off-series': each((event, index) => shift(event, [-1, 1, -2, 2][index % 4] ?? 1)),
  'venue-conflict': rows =>
    some(rows).map((event, index) => {
      const id = 900 + index
      rows.events.push({
        ...event,
        id,
        slug: `altre-${id}`,
        title: `Una altra cosa ${id}`,
        ...at(event.start_date.replace(':00:00', ':15:00'), event.end_date),
      })
      return id
    }),
  'venue-without-address': ({ venues }) =>
    venues.slice(0, 3).map((venue, index) => {
      if (index % 2 === 0) venue.address = ''
      else venue.city = ''
      return venue.id
    }),
  double: rows => {
    const [event] = some(rows)
    if (event) rows.events.push({ ...event, id: 950, slug: 'un-altre' })
    const venue = { ...rows.venues[1], ...blanks.venues }
    rows.venues.push({
      ...venue,
      id: 951,
      slug: 'casal',
      venue: 'Casal de la vila',
      address: 'C/ Nou 2',
      city: 'Vilanova',
    })
    return [950, 951]
  },
  'unused-venue': ({ venues }) =>
    [
      venues.push({
        ...venues[0],
        ...blanks.venues,
        id: 50,
        slug: 'buit',
        venue: 'Buit',
        city: 'Reus',
        address: 'Ronda, 1',
      }),
      50,
    ].slice(1),
  'unused-organizer': ({ organizers }) =>
    [organizers.push({ ...blanks.organizers, id: 51, slug: 'ningú', organizer: 'Ningú' }), 51].slice(1),
  'missing-image': each(event => Object.assign(event, { image: null })),
  'image-unlike-series': rows => {
    const ids = each(event => Object.assign(event, { image: null }))(rows)
    // Nothing is known of the image of what is alone, and what is over need not have one.
    const [first] = rows.events
    if (first) rows.events.push({ ...first, id: 960, slug: 'tot-sol', title: 'Tot sol', image: null })
    const [, second] = rows.events
    if (second) Object.assign(past(second), { image: null })
    return ids
  },
  'image-alt': each(event => Object.assign(event, { description: `${event.description}<p><img src="/a.jpg"></p>` })),
  'missing-description': each((event, index) =>
    Object.assign(event, { description: ['', '<p>&nbsp;</p>', ' \n'][index % 3] }),
  ),
  mojibake: each((event, index) => {
    const [name, text] =
      [
        ['title', 'CafÃ© teatre'],
        ['description', 'MÃºsica per la tarda, a les 7 â€“ gratis'],
        ['excerpt', 'lâ€™any'],
        ['title', 'Fa 20\u00c2\u00ba'],
        ['title', 'M?sica al carrer'],
      ][index % 5] ?? []
    Object.assign(event, { [name ?? '']: text })
  }),
  'entities-shown': each((event, index) =>
    Object.assign(
      event,
      index % 2
        ? { title: 'Jazz &amp;amp; Blues' }
        : { description: '<p>Sopar a 20 &amp;euro; amb m&amp;#250;sica per a tots els veïns de la vila</p>' },
    ),
  ),
  'untidy-name': each((event, index) =>
    Object.assign(event, { title: ['Ball  de festa', ' Ball', 'Ball!!!!', '<b>Ball</b>'][index % 4] }),
  ),
  capitals: each(event => Object.assign(event, { title: 'CONCERT DE NADAL' })),
  'facts-in-title': each((event, index) =>
    Object.assign(event, {
      title: [
        'Ball 972 34 56 78',
        'Ball a info@town.example',
        'Ball 5/12',
        'Ball a les 20.30 h',
        'Ball www.ball.example',
      ][index % 5],
    }),
  ),
  'unsafe-html': each((event, index) => {
    event.description += ['<script>a()</script>', '<a href="javascript:a()">a</a>', '<p onclick="a()">a</p>'][index % 3]
  }),
  'empty-link': each((event, index) => {
    event.description += ['<a href="">a</a>', '<a href="#">a</a>', '<a href="https://town.example/"> </a>'][index % 3]
  }),
  'day-contradicted': each(event => {
    const names = ['diumenge', 'dilluns', 'dimarts', 'dimecres', 'dijous', 'divendres', 'dissabte']
    const date = new Date(`${event.start_date.slice(0, 10)}T00:00:00Z`)
    event.description += `<p>Us hi esperem ${names[(date.getUTCDay() + 1) % 7]} ${date.getUTCDate()}</p>`
  }),
  'html-open': each((event, index) => {
    event.description += [
      '<b>Obert',
      '<div><p>a',
      'x</div>',
      '<ul><li>a<li>b',
      '<p><i>a</p><p>b</p>',
      '<a href="/x">aquí',
      '</strong>',
      '<b><i>x</b></i>',
    ][index]
  }),
  'word-markup': each((event, index) => {
    event.description += [
      '<p class="MsoNormal">a</p>',
      '<o:p>&nbsp;</o:p>',
      '<span style="mso-fareast-language:CA">a</span>',
      '<!--[if gte mso 9]><xml></xml><![endif]-->',
      '<![if !supportLists]>a<![endif]>',
    ][index % 5]
  }),
  shortcode: each((event, index) => {
    event.description += ['[gallery ids="1,2"]', '[/vc_row]', '[contact-form-7 id="5" title="x"]', '[caption]'][
      index % 4
    ]
  }),
  'wrong-language': each((event, index) => {
    event.description =
      [
        'An evening of music in the square with the neighbours, and supper for everybody.',
        'Una tarde de música en la plaza con los vecinos del barrio y cena para todos.',
      ][index % 2] ?? ''
  }),
  'http-own-link': each((event, index) =>
    Object.assign(
      event,
      index % 2
        ? { website: 'http://town.example/a' }
        : { description: `${event.description}<a href="http://town.example/b">b</a>` },
    ),
  ),
  'http-link': each(event => Object.assign(event, { website: 'http://other.example/a' })),
  'past-draft': each((event, index) => Object.assign(past(event), { status: index % 2 ? 'draft' : 'pending' })),
  'past-featured': each((event, index) =>
    Object.assign(past(event), index % 2 ? { featured: true } : { sticky: true }),
  ),
  'scheduled-too-late': each(event =>
    Object.assign(event, { status: 'future', date: '2028-01-01 10:00:00', date_utc: '2028-01-01 09:00:00' }),
  ),
}

const lineFor = (id: string): string => `lint --only ${id}`

/** Rules that look at more than the records of a calendar file have tests of their own. */
const isOfRecords = ({ id, compareLanguages }: Rule): boolean => !compareLanguages && id !== 'featured-image-alt'

test.each(rules.filter(isOfRecords).map(({ id }) => id))('%s finds all of its own, and nothing else', async id => {
  const rows = cleanCalendar()
  const planted = plants[id]?.(rows)
  const { out } = await calendarOf(rows)(`${lineFor(id)} --severity info -o json -q`)
  const found = JSON.parse(out) as { id: number; rule: string }[]
  expect([...new Set(found.map(finding => finding.id))].toSorted()).toEqual(planted?.toSorted())
})

test('no rule finds anything in a calendar without problems', async () => {
  expect(await calendarOf(cleanCalendar())('lint --severity info')).toMatchObject({ status: 0, out: '' })
})
