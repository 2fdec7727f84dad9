import { describe, expect, test } from 'vitest'
import { read, values } from '../support/record-files.ts'
import { archive, odsWorkbook, rawXlsx, workbook } from '../support/workbooks.ts'

const at = (text: string) => new Date(`${text}Z`)

describe.each([
  ['XLSX', workbook],
  ['ODS', odsWorkbook],
])('%s of another program', (_, write) => {
  test('is recognized by its content, whatever its name', async () => {
    const bytes = await write({
      Actes: [
        ['title', 'description'],
        ['Fira', 'Gran\nfira & més'],
      ],
    })
    for (const name of ['a', 'a.csv', 'a.xlsx', 'a.ods'])
      expect(await values(bytes, { name })).toEqual([{ title: 'Fira', description: 'Gran\nfira & més' }])
  })

  test('has the row numbers that spreadsheet programs show', async () => {
    const rows = [['Agenda 2027'], [], ['title', 'description'], [], ['Fira', 'a'], [], ['Mercat', 'b'], [], []]
    const { records, notices } = await read(await write({ Actes: rows }), { name: 'a.xlsx' })
    expect(records.map(({ place }) => place)).toEqual(['row 5', 'row 7'])
    expect(notices).toEqual(['a.xlsx: the headings are in row 3; skipped the rows above: Agenda 2027'])
  })

  test('has dates, times, numbers and booleans', async () => {
    const bytes = await write({
      Actes: [
        ['title', 'start_date', 'end_date', 'cost', 'featured'],
        [2027, at('2027-06-05T19:30:00'), at('2027-06-05T21:00:00'), 12.3, true],
      ],
    })
    expect(await values(bytes)).toMatchObject([
      {
        title: '2027',
        start_date: '2027-06-05 19:30:00',
        end_date: '2027-06-05 21:00:00',
        cost: '12.3',
        featured: true,
      },
    ])
  })

  test('is read from its first sheet, or from another one', async () => {
    const bytes = await write({ Actes: [['title'], ['Fira']], 'Sales i més': [['venue'], ['Ateneu']] })
    const { records, notices } = await read(bytes, { name: 'a.xlsx' })
    expect(records).toMatchObject([{ resource: 'events', values: { title: 'Fira' } }])
    expect(notices).toEqual(['a.xlsx: read sheet "Actes", not "Sales i més"; choose with --sheet'])
    expect(await values(bytes, { sheet: 'sales i més' })).toEqual([{ venue: 'Ateneu' }])
    await expect(read(bytes, { name: 'a.xlsx', sheet: 'Acte' })).rejects.toMatchObject({
      message: 'a.xlsx has no sheet "Acte"',
      details: { hint: 'did you mean "Actes"? sheets: Actes, Sales i més' },
    })
  })

  test('without cells is refused', async () => {
    await expect(read(await write({ Full1: [], Actes: [['title'], ['a']] }), { name: 'a.xlsx' })).rejects.toMatchObject(
      {
        message: 'a.xlsx: sheet "Full1" is empty',
        details: { hint: 'choose another one with: --sheet "Actes"' },
      },
    )
  })

  test('with one sheet of headings has no records', async () => {
    expect(await values(await write({ Actes: [['title', 'start_date']] }))).toEqual([])
  })
})

const cell = (reference: string, value: string, attributes = '') =>
  `<c r="${reference}" ${attributes}><v>${value}</v></c>`
const text = (reference: string, value: string) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`
const line = (number: number, ...cells: string[]) => `<row r="${number}">${cells.join('')}</row>`
const sheet = (...rows: string[]) => `<sheetData>${rows.join('')}</sheetData>`
const headings = (...names: string[]) => line(1, ...names.map((name, index) => text(`${'ABCDEFGH'[index]}1`, name)))

describe('cells of XLSX', () => {
  test('are strings in one piece, in many, with how they are pronounced, and with characters that XML has not', async () => {
    const strings =
      '<si><t>title</t></si><si><t>description</t></si>' +
      '<si><r><rPr><b/></rPr><t>Gran </t></r><r><t xml:space="preserve">fira</t></r><rPh sb="0" eb="1"><t>x</t></rPh></si>' +
      '<si><t>una_x000D_\ndues _x005F_x000D_</t></si>'
    const cells = line(2, cell('A2', '2', 't="s"'), cell('B2', '3', 't="s"'))
    const bytes = await rawXlsx({
      strings,
      sheets: { a: sheet(line(1, cell('A1', '0', 't="s"'), cell('B1', '1', 't="s"')), cells) },
    })
    expect(await values(bytes)).toEqual([{ title: 'Gran fira', description: 'una\r\ndues _x000D_' }])
  })

  const formats = [
    'General',
    'dd/mm/yyyy',
    'd "de" mmmm',
    'h:mm AM/PM',
    '[h]:mm',
    '0%',
    '00000',
    '[$-403]d mmm yyyy hh:mm',
    '[Red]0.0',
    '000" "00" "00" "00',
    'mm:ss',
  ]
  const styles = `<numFmts>${formats
    .map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
    .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats
    .map((_, index) => `<xf numFmtId="${200 + index}"/>`)
    .join('')}<xf numFmtId="14"/><xf numFmtId="22"/></cellXfs>`
  test.each([
    ['General', '46178.8125', '46178.8125'],
    ['General', '12.300000000000001', '12.3'],
    ['dd/mm/yyyy', '46178', '2026-06-05'],
    ['dd/mm/yyyy', '46178.8125', '2026-06-05 19:30'],
    ['d "de" mmmm', '46178', '2026-06-05'],
    ['h:mm AM/PM', '0.8125', '19:30'],
    ['h:mm AM/PM', '46178.8125', '19:30'],
    ['[h]:mm', '1.0625', '25:30'],
    ['0%', '0.15', '15%'],
    ['00000', '8001', '08001'],
    ['[$-403]d mmm yyyy hh:mm', '46178.999988425925', '2026-06-05 23:59:59'],
    ['[Red]0.0', '3', '3'],
    ['000" "00" "00" "00', '972345678', '972 34 56 78'],
    ['14', '46178', '2026-06-05'],
    ['22', '46178.5', '2026-06-05 12:00'],
    ['14', '1', '1900-01-01'],
  ])('in the format %s, %s is %s', async (format, value, expected) => {
    const index = formats.indexOf(format)
    const style = index === -1 ? formats.length + ['14', '22'].indexOf(format) : index
    const bytes = await rawXlsx({
      styles,
      sheets: { a: sheet(headings('excerpt'), line(2, cell('A2', value, `s="${style}"`))) },
    })
    expect(await values(bytes)).toEqual([{ excerpt: expected }])
  })

  test('count from 1904 where the workbook says so', async () => {
    const sheets = { a: sheet(headings('excerpt'), line(2, cell('A2', '44716', 's="1"'))) }
    expect(await values(await rawXlsx({ styles, sheets, properties: '<workbookPr date1904="1"/>' }))).toEqual([
      { excerpt: '2026-06-05' },
    ])
  })

  test('are the results of formulas; errors and missing results make a row invalid', async () => {
    const sheets = {
      a: sheet(
        headings('title', 'description', 'notes'),
        line(2, '<c r="A2" t="str"><f>"Fi"&amp;"ra"</f><v>Fira</v></c>', '<c r="B2" t="str"><f>""</f><v></v></c>'),
        line(3, text('A3', 'Mercat'), '<c r="B3" t="e"><f>X</f><v>#N/A</v></c>', '<c r="C3" t="e"><v>#REF!</v></c>'),
        line(4, '<c r="A4"><f>A2</f></c>', text('B4', 'x')),
      ),
    }
    const { records } = await read(await rawXlsx({ sheets }))
    expect(records[0]).toMatchObject({ values: { title: 'Fira' }, mistakes: [] })
    expect(records[1]?.mistakes).toMatchObject([{ message: 'description: the cell has the error #N/A' }])
    expect(records[2]?.mistakes).toMatchObject([
      { message: expect.stringContaining('title: the formula was never calculated') },
    ])
  })

  test('without references follow one another', async () => {
    const sheets = { a: sheet('<row><c t="inlineStr"><is><t>title</t></is></c></row><row><c><v>7</v></c></row>') }
    expect(await read(await rawXlsx({ sheets }))).toMatchObject({
      records: [{ place: 'row 2', values: { title: '7' } }],
    })
  })

  test('that are merged count for each of their rows, and not for empty ones', async () => {
    const sheets = {
      a: `${sheet(
        headings('title', 'venue'),
        line(2, text('A2', 'Fira'), text('B2', 'Ateneu')),
        line(3, text('A3', 'Mercat')),
        line(4, text('A4', 'Ball')),
        line(5, text('A5', 'Cine')),
      )}<mergeCells count="2"><mergeCell ref="B2:B4"/><mergeCell ref="C1:D1"/></mergeCells>`,
    }
    const { records, notices } = await read(await rawXlsx({ sheets }), { name: 'a.xlsx' })
    expect(records.map(({ values }) => values.venue)).toEqual(['Ateneu', 'Ateneu', 'Ateneu', undefined])
    expect(notices).toEqual(['a.xlsx: merged cells count for each of their rows'])
  })
})

test.each([
  ['currency', '12,50 €', '12.50 €'],
  ['currency', 'CHF 12.50', 'CHF12.50'],
  ['float', '12.50 €', '12.50 €'],
  ['float', '12,50', '12.5'],
])('an amount of OpenDocument, %s, that is shown as %s is read as %s', async (type, shown, cost) => {
  const cell = (text: string, value = 'office:value-type="string"') =>
    `<table:table-cell ${value}><text:p>${text}</text:p></table:table-cell>`
  const amount = cell(shown, `office:value-type="${type}" office:value="12.5"`)
  const content = `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><table:table table:name="A">
    <table:table-row>${cell('title')}${cell('cost')}</table:table-row>
    <table:table-row>${cell('Fira')}${amount}</table:table-row></table:table></office:document-content>`
  expect(await values(await archive({ 'content.xml': content }), { resource: 'events' })).toEqual([
    { title: 'Fira', cost },
  ])
})

describe('sheets of XLSX', () => {
  const events = sheet(headings('title'), line(2, text('A2', 'Fira')))

  test('that are hidden are read only by their name', async () => {
    const bytes = await rawXlsx({
      sheets: { Llistes: sheet(headings('venue')), Actes: events },
      states: { Llistes: 'state="veryHidden"' },
    })
    expect(await read(bytes)).toMatchObject({ records: [{ values: { title: 'Fira' } }], notices: [] })
    expect(await values(bytes, { sheet: 'Llistes', resource: 'venues' })).toEqual([])
  })

  test('may have cells beside and below the rows that say nothing', async () => {
    const sheets = {
      a: sheet(
        headings('title'),
        line(2, text('A2', 'Fira'), '<c r="XFD2" s="1"/>'),
        line(1_048_576, '<c r="A1048576"/>'),
      ),
    }
    expect(await values(await rawXlsx({ sheets }))).toEqual([{ title: 'Fira' }])
  })

  test('with notes beside the columns are read, with a notice', async () => {
    const sheets = { a: sheet(headings('title'), line(2, text('A2', 'Fira'), text('D2', 'pendent'))) }
    const { records, notices } = await read(await rawXlsx({ sheets }), { name: 'a.xlsx' })
    expect(records[0]).toMatchObject({ values: { title: 'Fira' }, mistakes: [] })
    expect(notices).toEqual(['a.xlsx: ignored cells without a heading, the first of them in row 2: "pendent"'])
  })

  test('with more headings than anybody writes are refused', async () => {
    const cells = Array.from({ length: 16_384 }, (_, index) => `<c t="inlineStr"><is><t>h${index}</t></is></c>`)
    await expect(
      read(await rawXlsx({ sheets: { a: sheet(line(1, ...cells)) } }), { name: 'a.xlsx' }),
    ).rejects.toMatchObject({
      message: 'a.xlsx: row 1 has 16384 headings',
      details: { hint: 'delete the columns that are not needed (at most 1000 are read), or choose another sheet' },
    })
  })

  test('with two rows of headings are refused', async () => {
    const sheets = { a: sheet(headings('title', 'venue'), line(2, text('A2', 'start_date'), text('B2', 'tags'))) }
    await expect(read(await rawXlsx({ sheets }), { name: 'a.xlsx' })).rejects.toMatchObject({
      message: 'a.xlsx has two rows of headings: row 1 (title, venue) and row 2 (start_date, tags)',
    })
  })
})

describe('dates of a sheet that a spreadsheet program may have swapped', () => {
  const rows = (...dates: (Date | string)[]) =>
    workbook({ a: [['title', 'start_date'], ...dates.map((date, index) => [`a${index}`, date])] })

  test('are refused where no cell that is a date has a day above 12', async () => {
    const bytes = await rows(at('2027-05-04T00:00:00'), at('2027-07-06T00:00:00'), '13/05/2027')
    await expect(read(bytes, { name: 'a.xlsx' })).rejects.toMatchObject({
      message:
        'a.xlsx: a spreadsheet program may have swapped days and months: some dates are text (row 4, start_date: 13/05/2027), and no other has a day above 12 (row 2, start_date: 2027-05-04)',
      details: { hint: expect.stringContaining('--date-order dmy') },
    })
    expect(await values(bytes, { dateOrder: 'dmy' })).toMatchObject([
      { start_date: '2027-05-04 00:00:00' },
      { start_date: '2027-07-06 00:00:00' },
      { start_date: '2027-05-13 00:00:00' },
    ])
  })

  test('are read where one has', async () => {
    expect(await values(await rows(at('2027-05-04T00:00:00'), at('2027-07-26T00:00:00'), '13/05/2027'))).toHaveLength(3)
  })
})

describe('what is not a workbook that can be read', () => {
  const container = (entry: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512), Buffer.from(entry, 'utf16le')])

  test.each([
    ['a protected workbook', container('EncryptedPackage'), 'a.xlsx is protected with a password'],
    ['an old workbook', container('Workbook'), 'a.xlsx is a workbook in the old form of Excel (.xls)'],
    ['a web page', Buffer.from('<!DOCTYPE html><table>'), 'a.xlsx is HTML, not a file of records'],
    [
      'a sheet in XML',
      Buffer.from('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>'),
      'a.xlsx is XML, not a file of records',
    ],
    [
      'a binary workbook',
      archive({ '[Content_Types].xml': '', 'xl/workbook.bin': '' }),
      'a.xlsx is a binary workbook (XLSB)',
    ],
    ['an archive', archive({ 'a.txt': '', 'b.txt': '' }), 'a.xlsx is an archive of 2 files, not a workbook'],
    [
      'a text document',
      archive({ '[Content_Types].xml': '', 'word/document.xml': '' }),
      'a.xlsx is a document of Word, not a workbook',
    ],
    [
      'an encrypted ODS',
      archive({
        'content.xml': 'x',
        'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data/></manifest:manifest>',
      }),
      'a.xlsx is protected with a password',
    ],
  ])('%s is refused', async (_, bytes, message) => {
    await expect(read(await bytes, { name: 'a.xlsx' })).rejects.toMatchObject({ kind: 'usage', message })
  })

  test('is half a workbook', async () => {
    const whole = await workbook({ a: [['title'], ['Fira']] })
    await expect(read(whole.subarray(0, whole.length / 2), { name: 'a.xlsx' })).rejects.toMatchObject({
      message: expect.stringContaining('a.xlsx is cut off or damaged'),
      details: { hint: 'download or copy it again, or open it in a spreadsheet program and save it' },
    })
  })

  test('is CSV under another name', async () => {
    expect(await values('title;venue\nFira;Ateneu\n', { name: 'a.xlsx' })).toEqual([{ title: 'Fira', venue: 'Ateneu' }])
  })

  test('unpacks to more than fits into memory', async () => {
    const bomb = await archive({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': `<Relationships><Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      'xl/workbook.xml': ' '.repeat(201 * 1024 ** 2),
    })
    await expect(read(bomb, { name: 'a.xlsx' })).rejects.toMatchObject({
      message: 'a.xlsx is too large for a workbook: xl/workbook.xml unpacks to 201 MB',
      details: { hint: 'save the sheet as CSV, or split it (at most 200 MB of XML are read)' },
    })
  })
})

describe('what a workbook hides', () => {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const row = (number: number, text: string, attributes = '') => `<row r="${number}" ${attributes}>${cell(text)}</row>`

  test('is read, and named, if it is a row', async () => {
    const rows = `${row(1, 'title')}${row(2, 'Fira')}${row(3, 'Ball', 'hidden="1"')}`
    const bytes = await rawXlsx({ sheets: { Actes: `<sheetData>${rows}</sheetData>` } })
    const { records, notices } = await read(bytes, { name: 'a.xlsx', resource: 'events' })
    expect(records.map(({ values }) => values.title)).toEqual(['Fira', 'Ball'])
    expect(notices).toEqual(['a.xlsx: 1 row that the workbook hides is read, too: 3'])
  })

  test('is read, and named, if it is a row that a filter hides in OpenDocument', async () => {
    const cell = (text: string) =>
      `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
    const content = `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><table:table table:name="A">
      <table:table-row>${cell('title')}</table:table-row>
      <table:table-row table:visibility="filter">${cell('Fira')}</table:table-row></table:table></office:document-content>`
    const { records, notices } = await read(await archive({ 'content.xml': content }), {
      name: 'a.ods',
      resource: 'events',
    })
    expect(records.map(({ values }) => values.title)).toEqual(['Fira'])
    expect(notices).toEqual(['a.ods: 1 row that the workbook hides is read, too: 2'])
  })

  test.each([
    ['rows', 'table:number-rows-repeated="1000000000"', ''],
    ['cells', 'table:number-rows-repeated="5000"', 'table:number-columns-repeated="16384"'],
  ])('is refused if it says that it has a thousand million %s', async (_, rows, columns) => {
    const cell = (text: string, repeated = '') =>
      `<table:table-cell office:value-type="string" ${repeated}><text:p>${text}</text:p></table:table-cell>`
    const content = `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><table:table table:name="A">
      <table:table-row>${cell('title')}${cell('start_date')}${cell('end_date')}${cell('cost')}</table:table-row>
      <table:table-row ${rows}>${cell('Fira')}${cell('x')}${cell('x')}${cell('x', columns)}</table:table-row></table:table></office:document-content>`
    await expect(
      read(await archive({ 'content.xml': content }), { name: 'a.ods', resource: 'events' }),
    ).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('more than 3 million cells') })
  })

  test('is named if it is the sheet that is read', async () => {
    const sheet = `<sheetData>${row(1, 'title')}${row(2, 'Fira')}</sheetData>`
    const bytes = await rawXlsx({ sheets: { Actes: sheet, Old: sheet }, states: { Old: 'state="hidden"' } })
    const { notices } = await read(bytes, { name: 'a.xlsx', resource: 'events', sheet: 'Old' })
    expect(notices).toContain('a.xlsx: sheet "Old" is hidden in the workbook; it was read anyway')
  })
})
