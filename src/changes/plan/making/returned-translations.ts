import { listOfFirst } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { Field } from '../../../contract/field.ts'
import type { Language } from '../../../contract/languages.ts'
import { formsOf } from '../../../contract/record.ts'
import { type Answer, recordKey } from '../../../contract/resource.ts'
import { type Base, threeWayMerge } from '../../../contract/three-way-merge.ts'
import type { FileRecord } from '../../../files/records/file-record.ts'
import { textFingerprint } from '../../../files/texts/text-ids.ts'
import { fieldList, fieldOfRecord } from '../names.ts'
import type { Invalid } from '../plan.ts'
import type { RecordLocation, SiteReader } from '../site-reader.ts'
import type { ListedRecord, MatchedRecord } from './matched-records.ts'

/**
 * Leaves out the translations of texts that somebody has changed since they were exported, so that these changes are not lost. `flags` are
 * the options that connect to the calendar, for the hint.
 */
export function withoutConflicts(
  matched: MatchedRecord,
  flags = '',
): { readonly matched: MatchedRecord; readonly conflict?: Invalid } {
  const { record, before } = matched
  const { translation, values } = record
  if (!translation || !before) return { matched }
  const resource = resourceNamed(record.resource)
  // The fingerprint identifies the text that the translator was given.
  const base: Base = (name, field, theirs) => {
    const text = translation.texts[name]
    if (!text) return 'unknown'
    const isKnown = textsBefore(text).some(known => hasText(name, field, theirs, known))
    return isKnown ? 'same' : 'changed'
  }
  const { changed, write } = threeWayMerge(resource, { base, mine: values, theirs: before, isExact: true })
  const conflicting = changed.filter(name => name in write)
  if (conflicting.length === 0) return { matched }
  const others = Object.entries(values).filter(([name]) => !conflicting.includes(name))
  return {
    matched: { ...matched, record: { ...record, values: Object.fromEntries(others) } },
    conflict: conflictOf(record, before, conflicting, flags),
  }
}

/** The texts that a translation can have if nobody has changed it: where there was none, nothing or a copy of the original. */
const textsBefore = ({ source, target }: { readonly source: string; readonly target: string }): string[] =>
  target === '' || target === source ? ['', source] : [target]

/** Whether a text still has this fingerprint, in the form in which it is stored or shown. */
const hasText = (name: string, field: Field, record: Answer, fingerprint: string): boolean =>
  formsOf(name, field, record).some(form => textFingerprint(String(form)) === fingerprint)

const conflictOf = (record: FileRecord, before: Answer, fields: readonly string[], flags: string): Invalid => ({
  at: record.place,
  message: phrase(
    '{fields} changed on the site since the texts were exported, and {count, plural, one {was left as it is} other {were left as they are}}',
    { count: fields.length, fields: fieldList(fields, record.resource) },
  ),
  hint: phrase('see it with: {command}', {
    command: `calctl ${record.resource} get ${before.id}${record.lang_code ? ` --lang ${record.lang_code}` : ''} --fields ${fields.join(',')}${flags}`,
  }),
  resource: record.resource,
  isConflict: true,
})

/** How many texts are named one by one. */
const namedAtMost = 5

/** Sentences about texts that were translated from an earlier version of the original. */
export async function originalNotes(
  reader: SiteReader,
  matched: Iterable<ListedRecord>,
  defaultLanguage: Language | undefined,
): Promise<string[]> {
  const wanted: (RecordLocation & { readonly names: readonly string[] })[] = []
  for (const { record } of matched) {
    const names = Object.keys(record.translation?.texts ?? {})
    const of = record.translation?.of
    if (!of || names.length === 0) continue
    const language = of.language === defaultLanguage ? undefined : of.language
    wanted.push({ resource: record.resource, id: of.id, language, names })
  }
  if (wanted.length === 0) return []
  const originals = await reader.readCurrent(wanted)
  await reader.addStoredForms(wanted, originals)
  const changed = Array.from(matched, ({ record }) => changedOriginals(record, originals)).flat()
  if (changed.length === 0) return []
  return [
    phrase(
      'changed since the export, so {count, plural, one {its translation} other {their translations}} may be out of date: {texts}',
      { count: changed.length, texts: listOfFirst(changed, namedAtMost) },
    ),
  ]
}

function changedOriginals({ resource, translation }: ListedRecord['record'], originals: ReadonlyMap<string, Answer>) {
  if (!translation) return []
  const { fields } = resourceNamed(resource)
  const original = originals.get(recordKey(resource, translation.of.id))
  return Object.entries(translation.texts).flatMap(([name, { source }]) => {
    const field = fields[name]
    const text = fieldOfRecord(name, resource, translation.of.id)
    if (!original) return [phrase('{text}, which is gone', { text })]
    return field && hasText(name, field, original, source) ? [] : [text]
  })
}
