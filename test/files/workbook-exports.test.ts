import { readXlsx } from 'hucre'
import { expect, test } from 'vitest'
import { openArchive, tagsIn } from '../../src/files/workbook/archive.ts'
import { calendar } from '../support/calendar.ts'
import { productionSite } from '../support/production-site.ts'

const site = [
  { resource: 'tags', name: 'Aire lliure', description: '=1+1' },
  { resource: 'categories', name: 'Música' },
  { resource: 'categories', name: 'Jazz', parent: 'Música' },
  { resource: 'organizers', organizer: 'Ateneu', phone: '+34 972 00 00 00', email: 'a@example.org' },
  { resource: 'venues', venue: 'Plaça "Major" & més', zip: '08001', show_map: false },
  {
    resource: 'events',
    title: 'Fira <gran>',
    description: '<p>una</p>\n\n<p>dues _x000D_ 😀</p>',
    start_date: '2027-06-05 19:30',
    end_date: '2027-06-05 21:00',
    cost: '12.50',
    venue: 'Plaça "Major" & més',
    organizer: ['Ateneu'],
    categories: ['Jazz'],
    tags: ['Aire lliure'],
    featured: true,
  },
  { resource: 'events', title: '2027', start_date: '2027-06-06', end_date: '2027-06-07', all_day: true },
  {
    resource: 'events',
    title: 'Esborrany',
    start_date: '2027-07-06 00:00',
    end_date: '2027-07-06 01:00',
    status: 'draft',
  },
]

/** A site with records of every kind, and what a command prints as bytes. */
async function filledSite() {
  const { calctl, ...rest } = await productionSite()
  const filled = await calctl('apply - --yes', site.map(record => `${JSON.stringify(record)}\n`).join(''))
  if (filled.status !== 0) throw new Error(filled.err)
  const bytes = async (line: string) => {
    const { status, out, err } = await calctl(line)
    if (status !== 0) throw new Error(err)
    return Buffer.from(out, 'latin1')
  }
  return { calctl, bytes, ...rest }
}

test('an export to a workbook changes nothing when it is applied, for every resource and for all at once', async () => {
  const { calctl, bytes } = await filledSite()
  for (const resource of ['', 'events', 'venues', 'organizers', 'categories', 'tags']) {
    const exported = await bytes(`export ${resource} -o xlsx -q`)
    const { status, out, err } = await calctl('diff --exit-code -', exported)
    expect([resource, status, out]).toEqual([resource, 0, expect.stringMatching(/^[1-9]\d* unchanged\n$/)])
    expect(err).toBe('')
  }
})

test('another program finds a sheet for each resource, its headings in view, and dates that are dates', async () => {
  const { bytes } = await filledSite()
  const { sheets } = await readXlsx(await bytes('export -o xlsx -q'))
  expect(sheets.map(({ name, freezePane }) => [name, freezePane?.rows])).toEqual(
    ['events', 'venues', 'organizers', 'categories', 'tags'].map(name => [name, 1]),
  )
  const [headings = [], ...rows] = sheets[0]?.rows ?? []
  const column = (name: string) => rows.map(row => row[headings.indexOf(name)])
  expect(column('title')).toEqual(['Fira <gran>', '2027', 'Esborrany'])
  expect(column('start_date')[0]).toEqual(new Date('2027-06-05T19:30:00Z'))
  expect(column('featured')[0]).toBe(true)
  expect(column('cost')[0]).toBe('12.50')
  const tags = sheets.at(-1)?.rows ?? []
  expect(tags[1]?.[tags[0]?.indexOf('description') ?? -1]).toBe("'=1+1")
})

test('each cell of a written sheet says where it is', async () => {
  const { bytes } = await filledSite()
  const workbooks = [await bytes('export -o xlsx -q'), await bytes('export --human -o xlsx -q')]
  for (const workbook of workbooks) {
    const cells = await cellsOf(workbook)
    expect(cells.length).toBeGreaterThan(5)
    expect(cells.filter(cell => !/^<c r="[A-Z]+[1-9]\d*"/.test(cell))).toEqual([])
  }
})

/** The tags of all cells in a workbook. */
async function cellsOf(workbook: Buffer): Promise<string[]> {
  const archive = await openArchive(workbook, 'a.xlsx')
  const cells: string[] = []
  for (const part of archive.names)
    if (part.startsWith('xl/worksheets/')) cells.push(...(await tagsIn(archive.text(part), 'c')))
  return cells
}

test('a workbook is not written to a terminal', async () => {
  const calctl = calendar({ terminal: 80 })
  const { status, err } = await calctl('export -o xlsx --no-color')
  expect({ status, err }).toEqual({
    status: 2,
    err: 'error: a workbook cannot be shown on a terminal\nhint: write it to a file: calctl export -o xlsx > calendar.xlsx\n',
  })
})

test('a text that is too long for a cell is left out with a notice, and stays as it is when the workbook is applied', async () => {
  const calctl = calendar()
  await calctl('tags create --data -', JSON.stringify({ name: 'Jazz', description: 'x'.repeat(40_000) }))
  const { out, err } = await calctl('export tags -o xlsx')
  expect(err).toBe('tag 1: left out description, which is longer than a cell can be (32767 characters)\n')
  expect((await calctl('diff --exit-code -', Buffer.from(out, 'latin1'))).status).toBe(0)
})
