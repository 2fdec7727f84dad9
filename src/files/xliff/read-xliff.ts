import { Failure } from '../../base/failure.ts'
import { lookupTable } from '../../base/memoize.ts'
import { counted, listOf, nounFor } from '../../base/text/similarity.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isLanguage, languages } from '../../contract/languages.ts'
import type { FileRecord, Notice } from '../records/file-record.ts'
import { attribute, parseXml, type XmlHandlers } from '../xml-events.ts'
import { readTextId, type TextId, textFingerprint } from './write-xliff.ts'

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

/** A unit of a file: one text, as a translation tool left it. */
interface Unit {
  readonly id: string
  /** What the file of the unit says where it comes from. */
  readonly original: string | undefined
  readonly sourceLanguage: string | undefined
  readonly targetLanguage: string | undefined
  readonly target: string
  /** `unfinished`: translated in part, or not approved by whoever translates. */
  readonly state: 'translated' | 'untranslated' | 'unfinished'
  /** Why the text cannot be put together. */
  readonly fault?: string
}

/** A code within a text, whose own text is elsewhere in the unit; or a text. */
type Part =
  | string
  | { readonly code: string; readonly data: string | undefined; readonly otherwise: string | undefined }

interface Segment {
  readonly isIgnorable: boolean
  /** Tools write it; a tool that knows nothing of states leaves it out. */
  readonly state: string | undefined
  readonly source: Part[]
  target?: Part[]
  order?: number
}

type Attributes = Readonly<Record<string, string>>

interface OpenUnit {
  readonly id: string
  readonly segments: Segment[]
  readonly data: Map<string, Part[]>
}

/** A text of this many characters is none that somebody has written: codes can repeat one another's text. */
const longestText = 1_000_000

/**
 * Reads the units of an XLIFF file, without what tools add: metadata, comments, matches from a memory, changes. A text that a tool
 * divided into segments, or in which it marked codes and terms, is put together again. Throws `usage` for anything but XLIFF 2.
 */
function readUnits(text: AsyncIterable<string>, name: string): AsyncGenerator<Unit> {
  const path: string[] = []
  const closings: Part[] = []
  let head: Attributes = {}
  let original: string | undefined
  let unit: OpenUnit | undefined
  /** Where text goes, and how deep the element is that it belongs to. */
  let content: { readonly parts: Part[]; readonly depth: number } | undefined
  const collect = (parts: Part[]) => {
    content = { parts, depth: path.length }
    return parts
  }

  const handlers: XmlHandlers<Unit> = {
    doctype() {
      throw new Failure('usage', `${name} defines entities of its own, which XLIFF files do not need`, { hint: remedy })
    },
    open(element, attributes) {
      path.push(element)
      if (path.length === 1) {
        checkRoot(name, element, attributes)
        head = attributes
      }
      if (content) return openCode(content.parts, closings, element, attributes)
      const parent = path.at(-2)
      if (element === 'file') original = attribute(attributes, 'original')
      if (element === 'unit') unit = { id: attributes.id ?? '', segments: [], data: new Map() }
      if (!unit) return
      if (parent === 'originalData' && element === 'data') unit.data.set(attributes.id ?? '', collect([]))
      if (parent === 'unit' && (element === 'segment' || element === 'ignorable'))
        unit.segments.push({ isIgnorable: element === 'ignorable', state: attributes.state, source: [] })
      const segment = unit.segments.at(-1)
      if (!segment || (parent !== 'segment' && parent !== 'ignorable')) return
      if (element === 'source') collect(segment.source)
      if (element === 'target') {
        segment.target = collect([])
        if (attributes.order !== undefined) segment.order = Number(attributes.order)
      }
    },
    text(text) {
      content?.parts.push(text)
    },
    close(element, yields) {
      if (content && path.length > content.depth && element === 'pc') content.parts.push(closings.pop() ?? '')
      if (content?.depth === path.length) content = undefined
      path.pop()
      if (element !== 'unit' || !unit || content) return
      yields({
        id: unit.id,
        original,
        sourceLanguage: attribute(head, 'srcLang'),
        targetLanguage: attribute(head, 'trgLang'),
        ...targetOf(unit),
      })
      unit = undefined
    },
  }
  return parseXml(text, name, handlers, { remedy, countsLines: true })
}

const remedy = 'fix it there, or get the file from the translation tool again, as XLIFF 2.0'

function checkRoot(name: string, element: string, attributes: Attributes): void {
  const { version = '' } = attributes
  if (element !== 'xliff')
    throw new Failure('usage', `${name} is XML, but not XLIFF: it begins with <${element}>`, { hint: remedy })
  if (!/^2\.\d+$/.test(version))
    throw new Failure('usage', `${name} is XLIFF ${version || 'of an unknown version'}, not 2.0`, {
      hint: 'save it as XLIFF 2.0 in the translation tool, as calctl export wrote it',
    })
}

/** The elements that stand for a code of the text, or for a character. All others mark a part of the text, and add nothing to it. */
function openCode(parts: Part[], closings: Part[], element: string, attributes: Attributes): void {
  const code = `<${element}${attributes.id === undefined ? '' : ` id="${attributes.id}"`}>`
  const style = styles[attributes.subType ?? '']
  if (element === 'cp') parts.push(characterOf(attributes.hex ?? ''))
  if (element === 'ph' || element === 'sc' || element === 'ec')
    parts.push({
      code,
      data: attributes.dataRef,
      otherwise: attributes.equiv ?? (element === 'ph' ? style : undefined),
    })
  if (element !== 'pc') return
  const { equivStart = style && `<${style}>`, equivEnd = style && `</${style}>` } = attributes
  parts.push({ code, data: attributes.dataRefStart, otherwise: equivStart })
  closings.push({ code, data: attributes.dataRefEnd, otherwise: equivEnd })
}

/** What codes without text of their own are, by their type (XLIFF 2.0, 4.3.1.31). */
const styles: Readonly<Record<string, string>> = lookupTable({
  'xlf:b': 'b',
  'xlf:i': 'i',
  'xlf:u': 'u',
  'xlf:lb': '<br>',
})

const characterOf = (hex: string): string =>
  /^[\da-f]{1,6}$/i.test(hex) && Number.parseInt(hex, 16) <= 0x10ffff
    ? String.fromCodePoint(Number.parseInt(hex, 16))
    : ''

function targetOf({ segments, data }: OpenUnit): Pick<Unit, 'target' | 'state' | 'fault'> {
  let length = 0
  let fault: string | undefined
  const put = (parts: readonly Part[] = [], isData = false): string => {
    let text = ''
    for (const part of parts) {
      const piece = typeof part === 'string' ? part : isData ? '' : textOf(part)
      length += piece.length
      if (length > longestText) fault ??= `is longer than ${longestText.toLocaleString('en')} characters`
      if (fault !== undefined) return ''
      text += piece
    }
    return text
  }
  const textOf = ({ code, data: ref, otherwise }: Exclude<Part, string>): string => {
    const stored = ref === undefined ? undefined : data.get(ref)
    if (!stored && otherwise === undefined) fault ??= `has a code without its text: ${code}`
    return stored ? put(stored, true) : (otherwise ?? '')
  }

  const inOrder = segments
    .map((segment, index) => ({ segment, order: segment.order ?? index + 1 }))
    .toSorted((one, other) => one.order - other.order)
  let [translated, open, isInitial] = [0, 0, false]
  let target = ''
  for (const { segment } of inOrder) {
    const text = put(segment.target)
    target += segment.isIgnorable && segment.target === undefined ? put(segment.source) : text
    if (segment.isIgnorable) continue
    if (text.trim() !== '') translated += 1
    else if (put(segment.source).trim() !== '') open += 1
    if (segment.state === 'initial') isInitial = true
  }
  if (fault !== undefined) return { target: '', state: 'translated', fault }
  if (translated === 0) return { target: '', state: 'untranslated' }
  return { target: target.trim(), state: open > 0 || isInitial ? 'unfinished' : 'translated' }
}
