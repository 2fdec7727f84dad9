import { phrase } from '../../base/words/phrase.ts'
import type { Client } from '../../client/client.ts'
import type { ListScope } from '../../client/find/whole-lists.ts'
import { isFrom } from '../../client/site-discovery.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import type { FileRecord } from '../../files/records/file-record.ts'
import { joinedRecord } from '../../files/texts/returned-texts.ts'
import { type CopyRequest, copyKey, RecordCopier, type WantedCopy } from './copies.ts'
import { SetReader } from './read-sets.ts'
import type { TranslationSet } from './sets.ts'

/**
 * Finds the records to which returned texts belong. If a translation did not exist when the texts were exported, they belong to one that
 * exists by now, or to a copy of the original as a draft with these texts, as `languages copy` makes it. `createMissing`: what a copy links
 * to is copied, too.
 */
export async function* placedTranslations(
  client: Client,
  records: readonly FileRecord[],
  { createMissing }: Pick<CopyRequest, 'createMissing'>,
): AsyncGenerator<FileRecord> {
  const sets = new SetReader({ client })
  // The IDs of another calendar mean nothing here, and are refused later.
  const isPlaced = ({ id, origin }: FileRecord) =>
    id !== undefined || (origin !== undefined && !isFrom(origin, client.calendar))
  const all = joinedAcrossFiles(records)
  yield* all.filter(isPlaced)
  // There is nothing to create without a text.
  const own = all.filter(record => !isPlaced(record) && Object.keys(record.values).length > 0)
  const languages = new Set(own.flatMap(({ translation }) => translation?.of.language ?? []))
  for (const from of languages) {
    const ofLanguage = own.filter(({ translation }) => translation?.of.language === from)
    const originals = new Map<Resource, Answer[]>()
    for (const resource of new Set(ofLanguage.map(record => resourceNamed(record.resource))))
      originals.set(resource, await originalsOf(sets, { resource, language: from }, ofLanguage))
    const copier = new RecordCopier(client, { from, records: originals, createMissing, sets })
    yield* translationsFrom(copier, { sets, from, originals, records: ofLanguage })
  }
}

/** Each translator returns a file: the texts of a record are joined, unless two files contain the same text. */
function joinedAcrossFiles(records: readonly FileRecord[]): FileRecord[] {
  const joined = new Map<string, FileRecord>()
  const conflicting: FileRecord[] = []
  for (const record of records) {
    const { resource, id, lang_code, origin, translation } = record
    const key = [resource, id ?? `of ${translation?.of.id}`, lang_code, origin].join(' ')
    const other = joined.get(key)
    const isSame = Object.entries(record.values).every(([name, text]) => (other?.values[name] ?? text) === text)
    if (isSame) joined.set(key, joinedRecord(other, record))
    else conflicting.push(record)
  }
  return [...joined.values(), ...conflicting]
}

async function originalsOf({ reader }: SetReader, scope: ListScope, records: readonly FileRecord[]): Promise<Answer[]> {
  const ids = records
    .filter(({ resource }) => resource === scope.resource.name)
    .flatMap(({ translation }) => translation?.of.id ?? [])
  return [...(await reader.readByIds(scope, [...new Set(ids)])).values()]
}

interface Translations {
  readonly sets: SetReader
  readonly from: Language
  readonly originals: ReadonlyMap<Resource, readonly Answer[]>
  readonly records: readonly FileRecord[]
}

/** The translations of originals in one language. */
async function* translationsFrom(
  copier: RecordCopier,
  { sets, from, originals, records }: Translations,
): AsyncGenerator<FileRecord> {
  const filled = new Map<string, FileRecord>()
  for (const [resource, all] of originals) {
    const found = await sets.setsOf({ resource, language: from, records: all })
    const placed = records
      .filter(one => one.resource === resource.name)
      .map(record => placeOf(record, { resource, from, originals: all, found }))
    await copier.read(resource, [...new Set(placed.flatMap(({ wanted }) => wanted?.record ?? []))])
    for (const { record, wanted } of placed) {
      if (!wanted) {
        yield record
        continue
      }
      const key = copyKey(wanted)
      const [invalid] = await copier.tryCopy(wanted, found.get(wanted.record.id))
      if (invalid) yield withMistake(record, invalid)
      else filled.set(key, joinedRecord(filled.get(key), record))
    }
  }
  for (const [key, copy] of copier.copies) {
    const { values, translation } = filled.get(key) ?? {}
    yield { ...copy, values: { ...copy.values, ...values }, ...(translation && { translation }) }
  }
}

interface Originals {
  readonly resource: Resource
  readonly from: Language
  readonly originals: readonly Answer[]
  /** The sets of the originals, by ID. */
  readonly found: ReadonlyMap<number, TranslationSet>
}

/** A record with the ID of its translation, or with the copy that it needs. */
function placeOf(
  record: FileRecord,
  { resource, from, originals, found }: Originals,
): { readonly record: FileRecord; readonly wanted?: WantedCopy } {
  const id = record.translation?.of.id ?? 0
  const original = originals.find(one => one.id === id)
  const language = record.lang_code ?? from
  const existing = found.get(id)?.records.get(language)
  if (existing) return { record: { ...record, id: existing.id, place: namedRecord(resource.name, existing.id) } }
  if (original) return { record, wanted: { resource, record: original, language } }
  const message = phrase('the original of this translation does not exist any more')
  return { record: withMistake(record, { message }) }
}

const withMistake = (
  record: FileRecord,
  { message, hint }: { readonly message: string; readonly hint?: string },
): FileRecord => ({
  ...record,
  mistakes: [...record.mistakes, { column: '', expected: '', value: '', message, ...(hint && { advice: hint }) }],
})
