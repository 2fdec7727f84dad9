/**
 * XLIFF 2.0 and 1.2, in which translation tools exchange texts. `writeXliff` takes records with their texts in two
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
  for await (const { resource, id, source, notes, texts } of records) {
    const written = texts.map(text => {
      const fingerprints = { source: textFingerprint(text.source), target: textFingerprint(text.target) }
      return unit({
        ...text,
        id: writeTextId({
          resource,
          id,
          language: head.to,
          field: text.field,
          source: { id: source, language: head.from, fingerprint: fingerprints.source },
          target: fingerprints.target,
        }),
        notes: Object.entries(notes),
        isTranslated: fingerprints.target !== '' && fingerprints.target !== fingerprints.source,
      })
    })
    yield record(`${resource}.${id}`, head, written.join(''))
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
  // One file for all records: tools of this version tell files apart by their `original`.
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

/** Characters that XML takes in no form; within texts XLIFF has an element for them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const unwritable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Cs}/gu

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeXml = (text: string, replacement: (character: string) => string = () => ''): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[&<>"]/g, character => entities[character] ?? character)
    .replace(unwritable, replacement)

const content = (text: string, code = (hex: string) => `<cp hex="${hex}"/>`): string =>
  escapeXml(text, character => code(character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()))

/** XLIFF 1.2 has no element for characters, only for codes of other types. */
export const oldCharacter = 'x-character'

const oldContent = (text: string): string => content(text, hex => `<x id="${hex}" ctype="${oldCharacter}"/>`)

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
