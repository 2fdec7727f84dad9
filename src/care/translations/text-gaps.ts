import type { Language } from '../../contract/languages.ts'
import { isUnpublished } from '../../contract/post-status.ts'
import { type Resource, titleOf } from '../../contract/resource.ts'
import { fieldLabel } from '../../contract/resource-words.ts'
import { isUntranslated, type TextId } from '../../files/texts/text-ids.ts'
import type { TextRow } from '../../files/texts/text-sheets.ts'
import { type OutgoingRecord, type OutgoingText, outgoingId, outgoingTexts } from './outgoing-texts.ts'
import type { SetReader } from './read-sets.ts'
import type { SetStatus, TranslationStatus } from './set-status.ts'
import type { TranslationSet } from './sets.ts'

/** A set, and what it lacks. */
export interface SetWithStatus {
  readonly set: TranslationSet
  readonly status: SetStatus
}

interface GapRequest {
  readonly resource: Resource
  readonly found: readonly SetWithStatus[]
  /** The languages of the calendar; the first one that a set has is that of its originals. */
  readonly languages: readonly Language[]
  readonly sets: SetReader
}

/** A row for each text of the sets that is missing in a language, in the order of the sets. */
export async function textGaps({ resource, found, languages, sets }: GapRequest): Promise<TextRow[]> {
  const rows = new Map<SetWithStatus, TextRow[]>()
  for (const from of languages) {
    const byId = new Map<number, SetWithStatus>()
    for (const one of found) {
      const language = languages.find(name => one.set.records.has(name))
      const original = one.set.records.get(from)
      if (original && language === from) byId.set(original.id, one)
    }
    const outgoing = await outgoingTexts(sets, {
      resource,
      from,
      to: languages.filter(language => language !== from),
      originals: [...byId.values()].flatMap(({ set }) => set.records.get(from) ?? []),
      translationOf: ({ id }, language) => byId.get(id)?.set.records.get(language),
    })
    for (const [source, records] of bySource(outgoing)) {
      const one = byId.get(source)
      if (one) rows.set(one, rowsOf(resource, one, from, records))
    }
  }
  return found.flatMap(one => rows.get(one) ?? [])
}

type ByLanguage = ReadonlyMap<Language, OutgoingRecord>

function bySource(outgoing: ReadonlyMap<Language, readonly OutgoingRecord[]>): Map<number, ByLanguage> {
  const sources = new Map<number, Map<Language, OutgoingRecord>>()
  for (const [language, records] of outgoing)
    for (const record of records)
      sources.set(record.source, (sources.get(record.source) ?? new Map()).set(language, record))
  return sources
}

function rowsOf(resource: Resource, { set, status }: SetWithStatus, from: Language, records: ByLanguage): TextRow[] {
  const [first] = records.values()
  const context = [titleOf(resource, set.records.get(from)), first?.notes.date, first?.notes.venue]
  return (first?.texts ?? []).flatMap(({ field, source }, index) => {
    const texts = new Map([[from, source]])
    const ids: TextId[] = []
    let hasGap = false
    for (const [to, record] of records) {
      const text = record.texts[index]
      if (!text) continue
      const id = outgoingId(record, text, { from, to })
      const isMissing = isGap(text, isUntranslated(id), status.get(to))
      if (isMissing) hasGap = true
      ids.push(id)
      texts.set(to, isMissing && isUntranslated(id) ? '' : text.target)
    }
    const [id, ...others] = ids
    if (!id || !hasGap) return []
    return [
      {
        ids: [id, ...others],
        context: context.filter(part => part !== undefined && part !== '').join(' · '),
        field: fieldLabel(field, resource.fields[field]),
        texts,
      },
    ]
  })
}

/**
 * Whether a text still has to be translated. Names and short texts can be the same in two languages: they count only in a translation that
 * nobody has begun, because it is a draft or has a long text of the original.
 */
function isGap({ field, target }: OutgoingText, isSame: boolean, status: TranslationStatus | undefined): boolean {
  if (!status || target.trim() === '' || status.sameTexts.includes(field)) return true
  return isSame && (status.sameTexts.length > 0 || isUnpublished(status.status ?? ''))
}
