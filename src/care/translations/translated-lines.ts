import { counted, listOf } from '../../base/text/words.ts'
import { type RefLine, readNamedRecords } from '../../changes/plan/build/from-refs.ts'
import { batches } from '../../changes/plan/spool.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { type Language, languages } from '../../contract/languages.ts'
import { type Answer, quoted, type Resource } from '../../contract/resource.ts'
import { otherRecords, type SetReader } from './read-sets.ts'

interface NamedLines {
  readonly resource: Resource
  /** The language of requests that name none. */
  readonly own: Language
  /** All languages that are to be written. */
  readonly all: readonly Language[]
  readonly lines: readonly RefLine[]
  readonly trashed: boolean
  readonly sets: SetReader
}

/** Records that were named, and their translations, each of them once. */
export interface TranslatedLines {
  readonly lines: readonly RefLine[]
  /** What is to be said of sets that are not complete, or not certain. */
  readonly notes: readonly string[]
}

/** Adds the translations to the records that lines name. Lines whose records cannot be found stay as they are. */
export async function withTranslations({
  resource,
  own,
  all,
  lines,
  trashed,
  sets,
}: NamedLines): Promise<TranslatedLines> {
  const named: RefLine[] = []
  const added: RefLine[] = []
  const seen = new Set<string>()
  const missing = new Map<Language, number>()
  const uncertain: string[] = []
  const isNew = (language: Language, { id }: Answer) => {
    const key = `${language} ${id}`
    return !seen.has(key) && Boolean(seen.add(key))
  }
  for (const [language, ofLanguage] of byLanguage(lines, own)) {
    const scope = { resource, language: language === own ? undefined : language, trashed }
    for (const batch of batches(ofLanguage)) {
      const find = await readNamedRecords(sets.reader, scope, batch, batch.length)
      const records: Answer[] = []
      for (const line of batch) {
        const record = find(line.ref)
        if (record) records.push(record)
        if (!record || isNew(language, record)) named.push(record ? { ...line, record } : line)
      }
      const found = await sets.setsOf({ resource, language, records, trashed })
      for (const record of records) {
        const set = found.get(record.id)
        if (!set) continue
        for (const [other, translation] of otherRecords(set, language))
          if (all.includes(other) && isNew(other, translation))
            added.push({ ref: { id: translation.id }, language: other, record: translation })
        for (const other of all) if (!set.records.has(other)) missing.set(other, (missing.get(other) ?? 0) + 1)
        if (set.rivals.length > 0) uncertain.push(uncertainty(resource, record, set.rivals))
      }
    }
  }
  const gaps = languages.flatMap(language => {
    const count = missing.get(language)
    return count ? [`${counted(count, resource.singular, resource.name)} in ${language}`] : []
  })
  return {
    lines: [...named, ...added],
    notes: [...(gaps.length > 0 ? [`no translation of ${listOf(gaps)}`] : []), ...uncertain],
  }
}

function byLanguage(lines: readonly RefLine[], own: Language): Map<Language, RefLine[]> {
  const groups = new Map<Language, RefLine[]>()
  for (const line of lines) {
    const language = line.language ?? own
    groups.set(language, [...(groups.get(language) ?? []), line])
  }
  return groups
}

/** `"Jazz" (57) could be translated by 91 or 92: neither was changed` */
function uncertainty(resource: Resource, record: Answer, rivals: readonly Answer[]): string {
  const name = quoted(String(record[resourceNamed(resource.name).title] ?? ''))
  const ids = rivals.map(({ id }) => String(id))
  return `not sure which of ${listOf(ids, 'or')} translates ${name} (${record.id}): left as they are`
}
