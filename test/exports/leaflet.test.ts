import { readXlsx } from 'hucre'
import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { dates, productionSite } from '../support/production-site.ts'

/** A calendar with a concert, an exhibition and a draft. */
async function town() {
  const files = calendarWithFiles()
  const { calctl, file } = files
  const records = [
    { resource: 'venues', venue: 'Plaça Major', address: 'Plaça Major, 1', city: 'Girona' },
    { resource: 'organizers', organizer: 'Amics & Co' },
    {
      resource: 'events',
      title: 'Concert d’hivern',
      start_date: '2027-12-05 19:30:00',
      end_date: '2027-12-05 21:00:00',
      description:
        '<p>Corals de <strong>Nadal</strong> &amp; nadales.</p>\n<p>Entrada: <a href="https://x.test">aquí</a>.</p>',
      venue: 'Plaça Major',
      organizer: ['Amics & Co'],
      categories: ['Música'],
      tags: ['Aire lliure', 'Nadal'],
      cost: '5 €',
      website: 'https://example.org/',
    },
    {
      resource: 'events',
      title: '=Exposició',
      start_date: '2027-04-01',
      end_date: '2027-04-11',
      all_day: true,
      venue: 'Plaça Major',
    },
    {
      resource: 'events',
      title: 'Esborrany',
      start_date: '2027-05-01 10:00',
      end_date: '2027-05-01 11:00',
      status: 'draft',
    },
  ]
  const text = records.map(record => JSON.stringify(record)).join('\n')
  const { status, err } = await calctl(`apply ${file('town.ndjson', text)} --create-missing --yes`)
  if (status !== 0) throw new Error(err)
  return files
}

test('export --human writes a sheet for a leaflet: names, days, hours, prices and texts', async () => {
  const { calctl } = await town()
  const { status, out, err } = await calctl('export events --human')
  expect([status, out]).toEqual([
    0,
    'Títol,Data,Hora,Data fi,Hora fi,Lloc,Adreça,Organitza,Categoria,Etiquetes,Preu,Descripció,Web\n' +
      '\'=Exposició,1 d’abril de 2027,,11 d’abril de 2027,,Plaça Major,"Plaça Major, 1, Girona",,,,,,\n' +
      'Concert d’hivern,5 de desembre de 2027,19:30,,21:00,Plaça Major,"Plaça Major, 1, Girona",Amics & Co,Música,"Aire lliure, Nadal",5 €,"Corals de Nadal & nadales.\n\nEntrada: aquí.",https://example.org/\n',
  ])
  expect(err).toBe(
    'left out 1 event that is a draft, private, hidden or protected; to write it too, add --status publish,draft,pending,private\n',
  )
})

test.each([
  ['en', 'Title,Date,Time,End day,End time,Place,Address,Organised by,Category,Tags,Price,Description,Website'],
  ['es', 'Título,Fecha,Hora,Fecha fin,Hora fin,Lugar,Dirección,Organiza,Categoría,Etiquetas,Precio,Descripción,Web'],
])('its headings are in the language of the export: %s', async (language, headings) => {
  const { calctl } = await town()
  const { out } = await calctl(`export --human --lang ${language}`)
  expect(out.split('\n')[0]).toBe(headings)
})

test('--fields, filters, TSV and --excel work with it, other formats and languages at once do not', async () => {
  const { calctl } = await town()
  const tsv = await calctl('export events --human -o tsv --starts-after 2027-12-01')
  expect(tsv.out.split('\n')[1]).toMatch(/^Concert d’hivern\t5 de desembre de 2027\t19:30\t\t21:00\t/)
  expect((await calctl('export events --human --excel')).out).toMatch(/^\uFEFFTítol;Data;/)
  for (const options of ['-o ndjson', '--format yaml', '--lang all', '--fields title', 'events venues'])
    expect(await calctl(`export --human ${options}`)).toMatchObject({ status: 2, out: '' })
})

test('a leaflet is not applied: the export that can be is named', async () => {
  const { calctl, file } = await town()
  for (const language of ['ca', 'es', 'en']) {
    const sheet = file(`leaflet-${language}.csv`, (await calctl(`export events --human --lang ${language}`)).out)
    for (const command of ['apply', 'diff'])
      expect(await calctl(`${command} ${sheet}`)).toEqual({
        status: 2,
        out: '',
        err:
          `error: ${sheet} is a sheet for a leaflet, which has no IDs\n` +
          'hint: change and apply the file of: calctl export events --format csv\n',
      })
  }
})

test('a leaflet of a WordPress site has its prices and titles as they were typed, and no address of its own pages', async () => {
  const { calctl, json, storeCost } = await productionSite()
  await json(`events create --title "Cap d’Any" ${dates} --json`)
  await storeCost(1, '12,50 €')
  const { out } = await calctl('export --human --lang ca')
  expect(out.split('\n')[1]).toBe('Cap d’Any,5 de desembre de 2026,19:00,,21:00,,,,,,"12,50 €",,')
})

test('the days of a leaflet in XLSX are dates', async () => {
  const { calctl } = await town()
  const { out } = await calctl('export events --human -o xlsx')
  const { sheets } = await readXlsx(Buffer.from(out, 'latin1'))
  const [headings = [], ...rows] = sheets[0]?.rows ?? []
  const column = (heading: string) => rows.map(row => row[headings.indexOf(heading)] || '')
  expect(column('Data')).toEqual([new Date('2027-04-01T00:00:00Z'), new Date('2027-12-05T00:00:00Z')])
  expect(column('Hora')).toEqual(['', '19:30'])
})

test('a leaflet says which events do not take place, in the words of printed sheets', async () => {
  const { calctl } = await town()
  await calctl('events cancel concert-dhivern --reason Pluja -q')
  expect((await calctl('export events --human')).out).toContain('\nConcert d’hivern (cancel·lat: Pluja),5 de desembre')
  const { calctl: onSite, json } = await productionSite()
  await json(`events create --title Ball ${dates} --json`)
  await onSite('events cancel 1 --reason "Pluja & vent" -q')
  expect((await onSite('export --human --lang ca')).out).toContain('\nBall (cancel·lat: Pluja & vent),5 de desembre')
})

test('the columns of a leaflet in XLSX are as wide as what they contain, titles up to 50 letters', async () => {
  const { calctl } = await town()
  await calctl(`events update exposicio --title "${'Exposició '.repeat(8)}"`)
  const { out } = await calctl('export events --human -o xlsx')
  const { sheets } = await readXlsx(Buffer.from(out, 'latin1'))
  const widths = sheets[0]?.columns?.map(({ width }) => width) ?? []
  expect(widths.slice(0, 7)).toEqual([50, 19, 8, 19, 9, 13, 24])
})
