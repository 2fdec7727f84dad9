import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failure } from '../../src/base/failure.ts'
import { formats } from '../../src/files/file-format.ts'
import { read } from '../support/record-files.ts'
import { odsWorkbook, workbook } from '../support/workbooks.ts'

const cells = [
  ['title', 'start_date', 'cost'],
  ['Fira', new Date('2026-12-05T19:00:00Z'), 12.5],
  ['Mercat', '13/12/2026', true],
]
const whole = {
  xlsx: await workbook({ Actes: cells }),
  ods: await odsWorkbook({ Actes: cells }),
  csv: 'id,title,start_date,venue\n1,"Fira, gran",05/12/2026 19:00,Sala\n2,Mercat,13/12/2026,"""a"""\n',
  tsv: 'Event Name\tEvent Start Date\tEvent Start Time\tEvent Cost\nFira\t2026-12-05\t7:30 PM\t15\n',
  json: '{"events": [{"id": 1, "title": "Fira", "venue": {"venue": "Sala"}, "tags": [{"name": "a"}]}]}',
  ndjson: '{"resource":"events","title":"Fira","organizer":[{"id":4},"Ateneu"]}\n{"resource":"tags","name":null}\n',
  yaml: 'title: Fira\nall_day: true\nstart_date: 2026-12-05\ncategories: [a, 3]\n---\ntitle: Mercat\n',
  ics:
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=Europe/Madrid:20261205T190000\nRRULE:FREQ=DAILY;COUNT=3\n' +
    'EXDATE:20261206T180000Z\nDURATION:PT1H\nORGANIZER;CN=a:mailto:b\nEND:VEVENT\n' +
    'BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20261207T180000Z\nDTSTART:20261207\nEND:VEVENT\nEND:VCALENDAR\n',
}

test.each(formats)('a damaged %s file is read or refused with a failure, never with a crash', async format => {
  const bytes = Buffer.from(whole[format])
  const damage = fc.record({
    at: fc.nat(bytes.length),
    cut: fc.nat(12),
    put: fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('\n', '"', ',', ':', ';', '\t', '{', 'é', '0', '999999999'),
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async damages => {
      const damaged = damages.reduce(
        (text, { at, cut, put }) => Buffer.concat([text.subarray(0, at), Buffer.from(put), text.subarray(at + cut)]),
        bytes,
      )
      await read(damaged, { format, resource: 'events', name: 'a' }).catch(error =>
        expect(error).toBeInstanceOf(Failure),
      )
    }),
    { numRuns: 100 },
  )
})
