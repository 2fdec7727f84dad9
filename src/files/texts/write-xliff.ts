/**
 * Texts for translators, exported and imported: XLIFF 2.0 and 1.2, which translation tools exchange (`write-xliff.ts`, `read-xliff.ts`),
 * and sheets (`text-sheets.ts`). Records are written with their texts in two languages; what comes back are returned texts, which
 * `returned-texts.ts` checks and turns into records, for any kind of file. The ID of a text (`text-ids.ts`) tells to which record and field
 * it belongs, and from what it was made.
 */

import { escapeXml } from '../../base/text/escaping.ts'
import type { Language } from '../../contract/languages.ts'
import { isUntranslated, type TextId, textFingerprint, writeTextId } from './text-ids.ts'

/** A record to translate, with its texts in both languages. */
export interface OutgoingRecord {
  readonly resource: TextId['resource']
  /** The record with the translation; undefined if there is none. */
  readonly id: number | undefined
  readonly source: number
  /** What translators should know about the record: by category, such as `date`. */
  readonly notes: Readonly<Record<string, string>>
  readonly texts: readonly OutgoingText[]
}

export interface OutgoingText {
  readonly field: string
  readonly source: string
  /** Empty if there is no translation. */
  readonly target: string
}

/** The languages of texts. */
interface Direction {
  readonly from: Language
  readonly to: Language
}

/** The head of a file: the calendar to which its IDs belong, and its languages. */
interface Head extends Direction {
  readonly origin: string
}

/** The ID of a text of a record. */
export const outgoingId = (
  { resource, id, source }: OutgoingRecord,
  text: OutgoingText,
  { from, to }: Direction,
): TextId => ({
  resource,
  id,
  language: to,
  field: text.field,
  source: { id: source, language: from, fingerprint: textFingerprint(text.source) },
  target: textFingerprint(text.target),
})

/** The versions of XLIFF that are written; 1.2 is for tools such as translate-toolkit, which find no texts in 2.0. */
export type XliffVersion = '2.0' | '1.2'

/** Writes a file, piece by piece. A text that is the same in both languages counts as not translated. */
export async function* writeXliff(
  head: Head,
  records: AsyncIterable<OutgoingRecord> | Iterable<OutgoingRecord>,
  version: XliffVersion = '2.0',
): AsyncGenerator<string> {
  const { start, end, record, unit } = markup[version]
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield start(head)
  for await (const outgoing of records) {
    const written = outgoing.texts.map(text => {
      const id = outgoingId(outgoing, text, head)
      return unit({
        ...text,
        id: writeTextId(id),
        notes: Object.entries(outgoing.notes),
        isTranslated: !isUntranslated(id),
      })
    })
    yield record(`${outgoing.resource}.${outgoing.id}`, head, written.join(''))
  }
  yield end
}

interface OutgoingUnit extends OutgoingText {
  readonly id: string
  readonly notes: readonly (readonly [category: string, text: string])[]
  readonly isTranslated: boolean
}

interface Markup {
  start(head: Head): string
  record(id: string, head: Head, units: string): string
  unit(unit: OutgoingUnit): string
  readonly end: string
}

const markup: Readonly<Record<XliffVersion, Markup>> = {
  '2.0': {
    start: ({ from, to }) =>
      `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="${from}" trgLang="${to}">\n`,
    record: (id, { origin }, units) => `  <file id="${id}" original="${escapeXml(origin)}">\n${units}  </file>\n`,
    unit({ id, field, source, target, notes, isTranslated }) {
      const lines = notes.map(([category, text]) => `        <note category="${category}">${escapeXml(text)}</note>\n`)
      const notesElement = lines.length > 0 ? `      <notes>\n${lines.join('')}      </notes>\n` : ''
      const targetElement = isTranslated ? `        <target xml:space="preserve">${content(target)}</target>\n` : ''
      return `    <unit id="${id}" name="${field}">\n${notesElement}      <segment${isTranslated ? ' state="translated"' : ''}>
        <source xml:space="preserve">${content(source)}</source>\n${targetElement}      </segment>\n    </unit>\n`
    },
    end: '</xliff>\n',
  },
  // All records in one file: tools of this version tell files apart by `original`.
  '1.2': {
    start: ({ origin, from, to }) =>
      `<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
  <file original="${escapeXml(origin)}" source-language="${from}" target-language="${to}" datatype="plaintext">\n    <body>\n`,
    record: (_, __, units) => units,
    unit({ id, field, source, target, notes, isTranslated }) {
      const lines = notes.map(
        ([category, text]) => `        <note from="developer">${category}: ${escapeXml(text)}</note>\n`,
      )
      const targetElement = isTranslated ? `        <target state="translated">${oldContent(target)}</target>\n` : ''
      return `      <trans-unit id="${id}" resname="${field}" xml:space="preserve">
        <source>${oldContent(source)}</source>\n${targetElement}${lines.join('')}      </trans-unit>\n`
    },
    end: '    </body>\n  </file>\n</xliff>\n',
  },
}

const content = (text: string, code = (hex: string) => `<cp hex="${hex}"/>`): string =>
  escapeXml(text, character => code(character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()))

/** XLIFF 1.2 has no element for characters, only for codes of other types. */
export const oldCharacter = 'x-character'

const oldContent = (text: string): string => content(text, hex => `<x id="${hex}" ctype="${oldCharacter}"/>`)
