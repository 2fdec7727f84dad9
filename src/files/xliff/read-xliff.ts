import { resourceNamed } from '../../contract/contract.ts'
import { isLanguage, languages } from '../../contract/languages.ts'
import { Failure } from '../../failure.ts'
import { counted, listOf, nounFor } from '../../text/words.ts'
import type { FileRecord, Notice } from '../records/file-record.ts'
import { readUnits, type Unit } from './read-units.ts'
import { readTextId, type TextId, textFingerprint } from './text-id.ts'

interface ReadContext {
  readonly name: string
  readonly notice: Notice
  readonly flags?: string | undefined
}

/** Yields a record for each that the file has, with the texts that a translator wrote or changed. */
export async function* readXliff(
  text: AsyncIterable<string>,
  { name, notice, flags = '' }: ReadContext,
): AsyncGenerator<FileRecord> {
  const seen = new Set<string>()
  const records = new Map<string, FileRecord>()
  const emptied: TextId[] = []
  let unfinished = 0
  for await (const unit of readUnits(text, name)) {
    const id = readTextId(unit.id)
    const fault = faultOf(unit, languageOf(unit, name), id, seen)
    if (unit.state === 'unfinished') unfinished += 1
    if (id && fault === undefined) {
      const record = translatedRecord(unit, id)
      const before = records.get(record.place)
      records.set(record.place, before ? joined(before, record) : record)
      if (isEmptied(unit, id)) emptied.push(id)
    } else yield faultyRecord(unit, id, fault ?? changedId)
  }
  // A tool may sort units, and those of one record need not stand together.
  yield* records.values()
  if (unfinished > 0)
    notice(
      `${name}: left out ${counted(unfinished, 'text')} that ${nounFor(unfinished, 'is', 'are')} not finished: translated in part, or in the state "initial"`,
    )
  if (emptied.length > 0) notice(`${name}: ${emptiedNote(emptied, flags)}`)
}

/** Whether a translation went out in a file, and came back empty. */
const isEmptied = ({ state }: Unit, { source, target }: TextId): boolean =>
  state === 'untranslated' && target !== '' && target !== source.fingerprint

function emptiedNote(emptied: readonly TextId[], flags: string): string {
  const count = emptied.length
  const clearable = emptied.find(({ resource, field }) => field !== resourceNamed(resource).title)
  const { resource, id, language, field } = clearable ?? {}
  const command = clearable
    ? `; to clear ${count > 1 ? 'one' : 'it'}: calctl ${resource} update ${id} --lang ${language} --clear ${field}${flags}`
    : ''
  return `left alone ${counted(count, 'text')} whose ${nounFor(count, 'translation was', 'translations were')} emptied${command}`
}

/** The language of the translations: tools may add a country. */
function languageOf({ targetLanguage = '' }: Unit, name: string) {
  const language = targetLanguage.toLowerCase().split(/[-_]/)[0]
  if (isLanguage(language)) return language
  const problem = targetLanguage === '' ? 'does not say its target language' : `is for the language "${targetLanguage}"`
  throw new Failure('usage', `${name} ${problem}`, {
    hint: `set trgLang of its first element <xliff> to ${listOf(languages, 'or')}`,
  })
}

const changedId = 'the ID of this unit was changed, or is not one of calctl'

/** What is wrong with a unit. */
function faultOf(unit: Unit, language: string, id: TextId | undefined, seen: Set<string>): string | undefined {
  if (!id) return changedId
  if (unit.original === undefined) return 'the <file> of this unit does not say its calendar any more, in "original"'
  if (id.language !== language)
    return `this unit is for ${id.language}, but the file is for ${language}, by its trgLang`
  const text = `the ${id.field} of ${nameOf(id)}`
  if (seen.has(text)) return `${text} is there twice`
  seen.add(text)
  return unit.fault && `${text} ${unit.fault}`
}

const nameOf = ({ resource, id }: TextId): string => `${resourceNamed(resource).singular} ${id}`

function translatedRecord({ original, target, state }: Unit, id: TextId): FileRecord {
  const { resource, language, field, source } = id
  const isChanged = state === 'translated' && textFingerprint(target) !== id.target
  return {
    resource,
    id: id.id,
    lang_code: language,
    action: 'update',
    ...(original !== undefined && { origin: original }),
    values: isChanged ? { [field]: target } : {},
    cleared: [],
    mistakes: [],
    place: nameOf(id),
    translation: {
      of: { id: source.id, language: source.language },
      texts: isChanged ? { [field]: { source: source.fingerprint, target: id.target } } : {},
    },
  }
}

const faultyRecord = ({ id: unit }: Unit, id: TextId | undefined, message: string): FileRecord => ({
  resource: id?.resource ?? 'events',
  values: {},
  cleared: [],
  place: `unit ${unit.length > 60 ? `${unit.slice(0, 60)}…` : unit}`,
  mistakes: [{ column: '', expected: '', value: unit, message, advice: 'export the texts again, and keep the IDs' }],
})

const joined = (one: FileRecord, other: FileRecord): FileRecord => ({
  ...one,
  values: { ...one.values, ...other.values },
  ...(one.translation && {
    translation: { ...one.translation, texts: { ...one.translation.texts, ...other.translation?.texts } },
  }),
})
