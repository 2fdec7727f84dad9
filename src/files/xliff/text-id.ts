import { createHash } from 'node:crypto'
import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { isLanguage, type Language } from '../../contract/languages.ts'

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
export function writeTextId({ resource, id, language, field, source, target }: TextId): string {
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
