import { Failure } from '../../failure.ts'
import { protectedWorkbook } from './archive.ts'

/** A container of Microsoft, whose directory names what is in it in UTF-16: a workbook of Excel 97, or an encrypted one of any age. */
export function containerFailure(bytes: Buffer, name: string): Failure | undefined {
  if (bytes.readUInt32BE(0) !== 0xd0cf11e0) return undefined
  const has = (entry: string) => bytes.includes(Buffer.from(entry, 'utf16le'))
  if (has('EncryptedPackage') || has('EncryptionInfo')) return protectedWorkbook(name)
  const what =
    has('Workbook') || has('Book')
      ? 'a workbook in the old form of Excel (.xls)'
      : 'a document in an old form of Office'
  return new Failure('usage', `${name} is ${what}`, {
    hint: 'open it in a spreadsheet program and save it as .xlsx, .ods or .csv',
  })
}
