import { createHash } from 'node:crypto'
import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { isLanguage, type Language } from '../../contract/languages.ts'

/** A text to translate: a field of a record, its source, and the state of both when they were exported. */
export interface TextId {
  readonly resource: ResourceName
  /** The record that gets the translation; undefined if there was none. */
  readonly id: number | undefined
  readonly language: Language
  readonly field: string
  readonly source: { readonly id: number; readonly language: Language; readonly fingerprint: string }
  /** The fingerprint of the translation, empty if there was none. */
  readonly target: string
}

/** The ID of a text with its translations into several languages: `events.title.57.ca.….en.156.….es.new..…`. They share one original. */
export function writeRowId(ids: readonly [TextId, ...TextId[]]): string {
  const [{ resource, field, source }] = ids
  const targets = ids.flatMap(({ language, id, target }) => [language, id ?? newRecord, target])
  return signed([resource, field, source.id, source.language, source.fingerprint, ...targets])
}

/** Reads what `writeRowId` wrote: one ID for each language; none for anything else. */
export function readRowId(text: string): TextId[] {
  const [name, field = '', sourceId, sourceLanguage, fingerprint = '', ...targets] = unsigned(text)
  const resource = resources.find(resource => resource.name === name)?.name
  if (!resource || !isLanguage(sourceLanguage)) return []
  const source = { id: Number(sourceId), language: sourceLanguage, fingerprint }
  const ids: TextId[] = []
  for (let index = 0; index < targets.length; index += 3) {
    const [language, id, target = ''] = targets.slice(index, index + 3)
    if (!isLanguage(language)) return []
    ids.push({ resource, id: id === newRecord ? undefined : Number(id), language, field, source, target })
  }
  return ids
}

/** In place of the ID of a record that did not exist. */
const newRecord = 'new'

function signed(parts: readonly (string | number)[]): string {
  const text = parts.join('.')
  return `${text}.${hashOf(text, 6)}`
}

/** The parts of a signed text; none if somebody has changed it. */
function unsigned(text: string): string[] {
  const parts = text.split('.')
  const check = parts.pop()
  return check === hashOf(parts.join('.'), 6) ? parts : []
}

/** A hash of a text. Spreadsheet programs keep neither its carriage returns nor the blanks around it. */
export function textFingerprint(text: string): string {
  const kept = text.replace(/\r\n?/g, '\n').trim().normalize('NFC')
  return kept === '' ? '' : hashOf(kept, 12)
}

/** Whether there is no translation yet: it is empty, or equal to the original. */
export const isUntranslated = ({ source, target }: Pick<TextId, 'source' | 'target'>): boolean =>
  target === '' || target === source.fingerprint

const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)
