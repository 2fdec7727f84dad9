/**
 * XLIFF 2.0, in which translation tools exchange texts (OASIS, XLIFF Version 2.0). `writeXliff` takes records with their texts in two
 * languages; `read-xliff.ts` reads the files that come back, with what tools do to them, as records to update; `text-id.ts` is the ID
 * that says which record and field a text belongs to, and what it was made from.
 */
import type { Language } from '../../contract/languages.ts'
import { type TextId, textFingerprint, writeTextId } from './text-id.ts'

/** A record to translate, with its texts in both languages. */
export interface OutgoingRecord extends Pick<TextId, 'resource' | 'id'> {
  readonly source: number
  /** What translators want to know of the record: by category, such as `date`. */
  readonly notes: Readonly<Record<string, string>>
  readonly texts: readonly OutgoingText[]
}

interface OutgoingText {
  readonly field: string
  readonly source: string
  readonly target: string
}

/** The head of a file: the calendar that its IDs belong to, and its languages. */
interface Head {
  readonly origin: string
  readonly from: Language
  readonly to: Language
}

/** Writes a file, piece by piece. A text that is the same in both languages counts as not translated. */
export async function* writeXliff(
  { origin, from, to }: Head,
  records: AsyncIterable<OutgoingRecord> | Iterable<OutgoingRecord>,
): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="${from}" trgLang="${to}">\n`
  for await (const { resource, id, source, notes, texts } of records) {
    yield `  <file id="${resource}.${id}" original="${escapeXml(origin)}">\n`
    for (const text of texts) {
      const fingerprints = { source: textFingerprint(text.source), target: textFingerprint(text.target) }
      const unit = writeTextId({
        resource,
        id,
        language: to,
        field: text.field,
        source: { id: source, language: from, fingerprint: fingerprints.source },
        target: fingerprints.target,
      })
      const isTranslated = fingerprints.target !== '' && fingerprints.target !== fingerprints.source
      yield `    <unit id="${unit}" name="${text.field}">\n${notesOf(notes)}      <segment${isTranslated ? ' state="translated"' : ''}>\n`
      yield `        <source xml:space="preserve">${content(text.source)}</source>\n`
      if (isTranslated) yield `        <target xml:space="preserve">${content(text.target)}</target>\n`
      yield '      </segment>\n    </unit>\n'
    }
    yield '  </file>\n'
  }
  yield '</xliff>\n'
}

function notesOf(notes: OutgoingRecord['notes']): string {
  const lines = Object.entries(notes).map(
    ([category, text]) => `        <note category="${category}">${escapeXml(text)}</note>\n`,
  )
  return lines.length > 0 ? `      <notes>\n${lines.join('')}      </notes>\n` : ''
}

/** Characters that XML takes in no form; within texts XLIFF has an element for them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const unwritable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Cs}/gu

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeXml = (text: string, replacement: (character: string) => string = () => ''): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[&<>"]/g, character => entities[character] ?? character)
    .replace(unwritable, replacement)

const content = (text: string): string =>
  escapeXml(text, character => `<cp hex="${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}"/>`)
