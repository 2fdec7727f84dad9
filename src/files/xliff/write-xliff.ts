/**
 * XLIFF 2.0, in which translation tools exchange texts (OASIS, XLIFF Version 2.0). `writeXliff` takes records with their texts in two
 * languages; `read-xliff.ts` reads the files that come back, with what tools do to them, as records to update; `text-id.ts` is the ID
 * that says which record and field a text belongs to, and what it was made from.
 */

import { createHash } from 'node:crypto'
import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { isLanguage, type Language } from '../../contract/languages.ts'

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

/** A text to translate: a field of a record, what it is translated from, and the state of both when they were exported. */
export interface TextId {
  readonly resource: ResourceName
  /** Of the record that gets the translation. */
  readonly id: number
  readonly language: Language
  readonly field: string
  readonly source: { readonly id: number; readonly language: Language; readonly fingerprint: string }
  /** The fingerprint of the translation, empty if there was none. */
  readonly target: string
}

/**
 * The ID of a text as a name token of XML, which translation tools keep: `events.91.es.title.57.ca.…`. It ends with fingerprints of
 * both texts and with check digits, which show whether somebody changed it.
 */
function writeTextId({ resource, id, language, field, source, target }: TextId): string {
  const parts = [resource, id, language, field, source.id, source.language, source.fingerprint, target].join('.')
  return `${parts}.${hashOf(parts, 6)}`
}

/** Reads what `writeTextId` wrote; undefined for anything else. */
export function readTextId(text: string): TextId | undefined {
  const parts = text.split('.')
  const [resource, id, language, field = '', sourceId, sourceLanguage, source = '', target = '', check] = parts
  if (parts.length !== 9 || check !== hashOf(parts.slice(0, -1).join('.'), 6)) return undefined
  const known = resources.find(({ name }) => name === resource)
  if (!known || !isLanguage(language) || !isLanguage(sourceLanguage)) return undefined
  return {
    resource: known.name,
    id: Number(id),
    language,
    field,
    source: { id: Number(sourceId), language: sourceLanguage, fingerprint: source },
    target,
  }
}

/** A hash of a text. XML keeps neither carriage returns, nor what is around a text once a tool has indented it. */
export function textFingerprint(text: string): string {
  const kept = text.replace(/\r\n?/g, '\n').trim().normalize('NFC')
  return kept === '' ? '' : hashOf(kept, 12)
}

const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)
