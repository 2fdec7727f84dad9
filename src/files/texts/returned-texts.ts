import { htmlFaults } from '../../base/text/html-faults.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { fieldLabel, languageName, namedRecord } from '../../contract/resource-words.ts'
import { textIdHeading } from '../csv/heading-names.ts'
import type { TableOptions } from '../csv/read-table.ts'
import type { FileRecord } from '../records/file-record.ts'
import { isUntranslated, type TextId, textFingerprint } from './text-ids.ts'

/** A text as a translator has left it. */
export interface ReturnedText {
  /** Undefined if the ID was changed, or does not come from calctl. */
  readonly id: TextId | undefined
  /** The ID as it is in the file. */
  readonly value: string
  /** The place of a text that is refused: `row 5`. */
  readonly place: string
  /** The calendar to which its IDs belong, according to the file. */
  readonly origin: string | undefined
  readonly source: string
  readonly target: string
  /** Why the text cannot be used, and what to do if no new export is needed. */
  readonly fault?: (text: string) => Fault | undefined
}

interface Fault {
  readonly message: string
  /** What to do, if no new export is needed. */
  readonly advice?: string
}

/**
 * Yields a record for each one to which the texts belong, with those that a translator has written or changed, and one for each text that
 * is refused.
 */
export async function* readReturnedTexts(
  texts: AsyncIterable<ReturnedText>,
  { name, notice, flags = '' }: Pick<TableOptions, 'name' | 'notice' | 'flags'>,
): AsyncGenerator<FileRecord> {
  const seen = new Set<string>()
  const records = new Map<string, FileRecord>()
  const emptied: TextId[] = []
  const add = (id: TextId, text: ReturnedText) => {
    const key = `${keyOf(id)} ${text.origin}`
    records.set(key, joinedRecord(records.get(key), translatedRecord(text, id)))
    // It was exported, and came back empty.
    if (text.target === '' && !isUntranslated(id)) emptied.push(id)
  }
  for await (const text of texts) {
    const { id } = text
    const fault = id ? faultOf(text, id, seen) : { message: changedId() }
    if (fault) yield refusedRecord(text, fault)
    else if (id) add(id, text)
  }
  // Rows may be sorted, so that those of one record are not next to each other.
  yield* records.values()
  if (emptied.length > 0) notice(emptiedNote(name, emptied, flags))
}

const changedId = (): string =>
  phrase('the ID in the column {column} is missing, or was changed', { column: textIdHeading })

function emptiedNote(file: string, emptied: readonly TextId[], flags: string): string {
  const place = { file, count: emptied.length }
  const clearable = emptied.find(({ resource, field }) => field !== resourceNamed(resource).title)
  if (!clearable)
    return phrase(
      '{file}: left alone {count, plural, one {# text whose translation was emptied} other {# texts whose translations were emptied}}',
      place,
    )
  const { resource, id, language, field } = clearable
  return phrase(
    '{file}: left alone {count, plural, one {# text whose translation was emptied; to clear it} other {# texts whose translations were emptied; to clear one}}: {command}',
    { ...place, command: `calctl ${resource} update ${id} --lang ${language} --clear ${field}${flags}` },
  )
}

function faultOf(text: ReturnedText, id: TextId, seen: Set<string>): Fault | undefined {
  const name = textName(id)
  const fault = text.fault?.(name)
  if (fault) return fault
  if (!isChanged(text, id)) return undefined
  const key = `${keyOf(id)} ${id.field}`
  if (seen.has(key)) return { message: phrase('{text} occurs twice', { text: name }) }
  seen.add(key)
  const broken = markupFault(text, name)
  return broken === undefined ? undefined : { message: broken, advice: phrase('correct it in the sheet') }
}

/** `the title of event 57`, `the title of event 57 in es` */
const textName = (id: TextId): string =>
  phrase('the {field} of {record}', {
    field: fieldLabel(id.field, resourceNamed(id.resource).fields[id.field]),
    record: nameOf(id),
  })

/** Whether there is a translation that differs from what was exported. */
const isChanged = ({ target }: ReturnedText, id: TextId): boolean =>
  target !== '' && textFingerprint(target) !== id.target

/** What is damaged in a translation but correct in the original. */
function markupFault({ source, target }: ReturnedText, text: string): string | undefined {
  const [before, after] = [htmlFaults(source), htmlFaults(target)]
  const open = after.open.find(name => isMarkup(name) && !before.open.includes(name))
  if (open !== undefined) return phrase('{text} leaves <{element}> open', { text, element: open })
  const stray = after.stray.find(name => isMarkup(name) && !before.stray.includes(name))
  if (stray !== undefined) return phrase('{text} has </{element}> without its beginning', { text, element: stray })
  const address = after.addresses.find(address => !before.addresses.includes(address))
  if (address !== undefined)
    return phrase('{text} has the address {address}, which the original does not have', { text, address })
  const placeholder = target.match(placeholders)?.find(one => !source.includes(one))
  return placeholder && phrase('{text} has {placeholder}, which the original does not have', { text, placeholder })
}

/** Whether the name of an element is one of HTML: people write other words in angle brackets, too. */
const isMarkup = (name: string): boolean =>
  /^(a|abbr|b|big|blockquote|cite|code|del|div|em|font|h[1-6]|i|ins|ol|pre|s|small|span|strong|su[bp]|table|u|ul)$/.test(
    name,
  )

/** Placeholders of programs: `%s`, `%1$d`. A percent sign in a text is followed by a blank or nothing. */
const placeholders = /%(?:\d+\$)?[sd](?![\p{L}\p{N}])/gu

/** `event 57`; if that has no translation yet, `event 57 in Spanish`. */
const nameOf = ({ resource, id, source, language }: TextId): string =>
  id === undefined
    ? phrase('{record} in {language}', { record: namedRecord(resource, source.id), language: languageName(language) })
    : namedRecord(resource, id)

const keyOf = ({ resource, id, source, language }: TextId): string =>
  id === undefined ? `${resource} of ${source.id} ${language}` : `${resource} ${id}`

function translatedRecord(text: ReturnedText, id: TextId): FileRecord {
  const { origin, target } = text
  const { resource, language, field, source } = id
  const hasNew = isChanged(text, id)
  return {
    resource,
    ...(id.id !== undefined && { id: id.id }),
    lang_code: language,
    action: 'update',
    ...(origin !== undefined && { origin }),
    values: hasNew ? { [field]: target } : {},
    cleared: [],
    mistakes: [],
    place: nameOf(id),
    translation: {
      of: { id: source.id, language: source.language },
      texts: hasNew ? { [field]: { source: source.fingerprint, target: id.target } } : {},
    },
  }
}

const refusedRecord = ({ id, value, place }: ReturnedText, { message, advice }: Fault): FileRecord => ({
  resource: id?.resource ?? 'events',
  values: {},
  cleared: [],
  place,
  mistakes: [{ column: '', expected: '', value, message, advice: advice ?? makeAgain() }],
})

const makeAgain = (): string => phrase('make the sheet again, and keep the IDs and the originals')

/** A record with the texts of two. */
export const joinedRecord = (one: FileRecord | undefined, other: FileRecord): FileRecord => ({
  ...other,
  values: { ...one?.values, ...other.values },
  ...(other.translation && {
    translation: { ...other.translation, texts: { ...one?.translation?.texts, ...other.translation.texts } },
  }),
})
