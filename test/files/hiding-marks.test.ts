import { describe, expect, test } from 'vitest'
import { read } from '../support/record-files.ts'

/** The status that a row gives to an event, or what is wrong with its mark. */
async function statusUnder(heading: string, cell: string, row = 'Concert,2027-06-01') {
  const { records } = await read(`Title,Date,${heading}\n${row},${cell}\n`, { name: 'a.csv', resource: 'events' })
  return records[0]?.mistakes[0]?.expected ?? records[0]?.values.status
}

describe('a mark that hides an event', () => {
  test.each([
    ['Private', 'True', 'private'],
    ['Privat', 'sí', 'private'],
    ['Privado', 'X', 'private'],
    ['Ocult', '✓', 'private'],
    ['Oculto', 'S', 'private'],
    ['Hidden', '1', 'private'],
    ['Ús intern', 'x', 'private'],
    ['Sensitivity', 'Private', 'private'],
    ['Sensitivity', 'Confidential', 'private'],
    ['Sensitivity', 'Normal', undefined],
    ['Visibilitat', 'Públic', undefined],
    ['No publicar', 'sí', 'draft'],
    ['Do not publish', 'yes', 'draft'],
    ['Borrador', 'sí', 'draft'],
    ['Publicar', 'no', 'draft'],
    ['Publish', 'FALSE', 'draft'],
    ['Publicar', 'sí', undefined],
    ['Públic', 'no', 'draft'],
    ['Público', 'No', 'draft'],
    ['Public', '0', 'draft'],
    ['Mostrar', 'no', 'draft'],
    ['Actiu', 'no', 'draft'],
    ['Activo', 'falso', 'draft'],
    ['Active', 'FALSE', 'draft'],
    ['Públic', 'sí', undefined],
    ['Públic', 'privat', 'draft'],
    ['Públic', '', undefined],
    ['Públic', 'Tots els públics', undefined],
    ['Mostrar', 'més endavant', 'yes or no'],
    ['Visible', 'Públic', undefined],
    ['Visible', 'privat', 'draft'],
    ['Private', 'False', undefined],
    ['Private', '', undefined],
    ['Private', 'perhaps', 'yes or no'],
    ['No publicar', 'fins dilluns', 'yes or no'],
    ['Publicar', '', 'yes or no'],
  ])('%s: "%s" is %s', async (heading, cell, status) => {
    const reading = statusUnder(heading, cell)
    if (heading === 'Ús intern') await expect(reading).rejects.toThrow('unknown heading "Ús intern"')
    else expect(await reading).toBe(status)
  })

  test('is an audience under Públic if it says neither yes nor no, and is ignored with a notice', async () => {
    const { notices } = await read('Title,Date,Públic\nConcert,2027-06-01,familiar\n', {
      name: 'a.csv',
      resource: 'events',
    })
    expect(notices.join()).toContain('ignored "Públic": events have no such field')
  })

  test('is refused beside a status that contradicts it', async () => {
    const sheet = 'Title,Date,Status,Private\nConcert,2027-06-01,publish,yes\n'
    const { records } = await read(sheet, { name: 'a.csv', resource: 'events' })
    expect(records[0]?.mistakes).toMatchObject([{ column: 'Private', expected: expect.stringContaining('"Status"') }])
  })

  test('is not skipped with the cells that are invalid', async () => {
    const sheet = 'Title,Date,Private\nConcert,2027-06-01,perhaps\n'
    const { records } = await read(sheet, { name: 'a.csv', resource: 'events', skipInvalidCells: true })
    expect(records[0]?.mistakes).toMatchObject([{ column: 'Private' }])
  })

  test('hides a venue, too', async () => {
    const { records } = await read('Venue Name,Private\nAteneu,x\n', { name: 'a.csv', resource: 'venues' })
    expect(records[0]?.values).toEqual({ venue: 'Ateneu', status: 'private' })
  })
})

describe('Date', () => {
  test.each([
    ['id,Date', '7,2027-06-05'],
    ['Slug,Data', 'festa,2027-06-05'],
    ['author,Fecha', '1,2027-06-05'],
  ])('under %s is the day of the event', async (headings, row) => {
    const { records } = await read(`${headings}\n${row}\n`, { name: 'a.csv', resource: 'events' })
    expect(records[0]?.values).toMatchObject({ start_date: expect.stringContaining('2027-06-05') })
    expect(records[0]?.values).not.toHaveProperty('date')
  })

  test('is the date of publication under publication_date, and in an earlier export', async () => {
    for (const headings of ['id,publication_date,date_utc', 'id,date,date_utc']) {
      const { records } = await read(`${headings}\n7,2027-06-05 10:00:00,\n`, { name: 'a.csv', resource: 'events' })
      expect(records[0]?.values).toEqual({ date: '2027-06-05 10:00:00' })
    }
  })

  test('is refused beside another column for the start', async () => {
    const reading = read('id,start_date,Date\n7,2027-06-05,2027-06-06\n', { name: 'a.csv', resource: 'events' })
    await expect(reading).rejects.toMatchObject({
      message: expect.stringContaining('two columns for start_date'),
      details: { hint: expect.stringContaining('--map "Date=publication_date"') },
    })
  })
})
