import { Failure } from '../../base/failure.ts'
import { lookupTable } from '../../base/memoize.ts'
import { listOf } from '../../base/text/similarity.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import { isLanguage, type Language, languages } from '../../contract/languages.ts'
import type { FileRecord, Notice } from '../records/file-record.ts'
import { attribute, parseXml, type XmlHandlers } from '../xml-events.ts'
import { type ReturnedText, readReturnedTexts } from './returned-texts.ts'
import { readTextId } from './text-ids.ts'
import { oldCharacter } from './write-xliff.ts'

interface ReadContext {
  readonly name: string
  readonly notice: Notice
  readonly flags?: string | undefined
}

/** Yields a record for each one in the file, with the texts that a translator has written or changed. */
export const readXliff = (text: AsyncIterable<string>, context: ReadContext): AsyncGenerator<FileRecord> =>
  readReturnedTexts(returnedTexts(text, context.name), {
    ...context,
    words: {
      changedId: phrase('the ID of this unit was changed, or is not one of calctl'),
      exportAgain: phrase('export the texts again, and keep the IDs'),
      correct: phrase('correct it in the translation tool'),
    },
  })

async function* returnedTexts(text: AsyncIterable<string>, name: string): AsyncGenerator<ReturnedText> {
  for await (const unit of readUnits(text, name)) {
    const { id: value, original: origin, source, target, state } = unit
    const id = readTextId(value)
    const message = lostPlace(unit, languageOf(unit, name), id?.language)
    yield {
      id,
      value,
      place: phrase('unit {id}', { id: value.length > 60 ? `${value.slice(0, 60)}…` : value }),
      origin,
      source,
      target,
      state,
      fault: message === undefined ? unit.fault : () => ({ message }),
    }
  }
}

/** The language of the translations, without the country that tools may add. */
function languageOf({ targetLanguage = '' }: Unit, name: string): Language {
  const language = targetLanguage.toLowerCase().split(/[-_]/)[0]
  if (isLanguage(language)) return language
  throw new Failure(
    'usage',
    targetLanguage === ''
      ? phrase('{file} has no target language', { file: name })
      : phrase('{file} is for the language "{language}"', { file: name, language: targetLanguage }),
    {
      hint: phrase('set its target language (trgLang of <xliff>, or target-language of <file>) to {languages}', {
        languages: listOf(languages, 'or'),
      }),
    },
  )
}

/** Why a unit is in the wrong place. */
function lostPlace({ original }: Unit, language: Language, own: Language | undefined): string | undefined {
  if (original === undefined) return phrase('the <file> of this unit no longer names its calendar, in "original"')
  if (own === undefined || own === language) return undefined
  return phrase('this unit is for {own}, but the file is for {language}, by its target language', { own, language })
}

/** A unit of a file: one text, as a translation tool has left it. */
interface Unit {
  readonly id: string
  /** Where the file of the unit says that it comes from. */
  readonly original: string | undefined
  readonly targetLanguage: string | undefined
  readonly source: string
  readonly target: string
  readonly state: ReturnedText['state']
  /** Why the text cannot be put together. */
  readonly fault?: ReturnedText['fault']
}

/** A text, or a code within it whose text is elsewhere in the unit. */
type Part =
  | string
  | { readonly code: string; readonly data: string | undefined; readonly otherwise: string | undefined }

interface Segment {
  readonly isIgnorable: boolean
  /** The state of the segment; some tools do not write it. */
  state: string | undefined
  readonly source: Part[]
  target?: Part[]
  order?: number
}

type Attributes = Readonly<Record<string, string>>

interface OpenUnit {
  readonly id: string
  /** For a PO file: the ID in the comment about the place of the text, because tools number the units themselves. */
  readonly location: Part[]
  /** Whether this is what a PO file says about itself. */
  readonly isHeader: boolean
  readonly segments: Segment[]
  readonly data: Map<string, Part[]>
}

/** In characters: nobody writes longer texts, but codes can repeat the text of one another. */
const longestText = 1_000_000

/**
 * Reads the units of an XLIFF file, without what tools add: metadata, comments, matches from a translation memory, changes. A text that a
 * tool has divided into segments, or in which it has marked codes and terms, is put together again. Throws `usage` for anything but XLIFF 2
 * and 1.2.
 */
const readUnits = (text: AsyncIterable<string>, name: string): AsyncGenerator<Unit> =>
  parseXml(text, name, new UnitReader(name), { remedy: remedy(), countsLines: true })

class UnitReader implements XmlHandlers<Unit> {
  readonly #path: string[] = []
  readonly #closings: Part[] = []
  #head: Attributes = {}
  #file: Attributes = {}
  #unit: OpenUnit | undefined
  /** Where text is added, and the depth of the element to which it belongs. */
  #content: { readonly parts: Part[]; readonly depth: number } | undefined

  constructor(readonly name: string) {}

  doctype(): void {
    throw new Failure(
      'usage',
      phrase('{file} defines entities of its own, which XLIFF files do not need', { file: this.name }),
      { hint: remedy() },
    )
  }

  open(element: string, attributes: Attributes): void {
    this.#path.push(element)
    if (this.#path.length === 1) {
      checkRoot(this.name, element, attributes)
      this.#head = attributes
    }
    if (this.#content) {
      const add = this.#head.version === '1.2' ? openOldCode : openCode
      add(this.#content.parts, this.#closings, element, attributes)
      return
    }
    if (element === 'file') this.#openFile(attributes)
    if (isUnit(element)) {
      const isHeader = attributes.restype === 'x-gettext-domain-header'
      this.#unit = { id: attributes.id ?? '', location: [], isHeader, segments: [], data: new Map() }
    }
    if (this.#unit) this.#openIn(this.#unit, element, attributes)
  }

  text(text: string): void {
    this.#content?.parts.push(text)
  }

  close(element: string, yields: (unit: Unit) => void): void {
    const depth = this.#content?.depth ?? Infinity
    if (this.#path.length > depth && (element === 'pc' || element === 'g'))
      this.#content?.parts.push(this.#closings.pop() ?? '')
    if (depth === this.#path.length) this.#content = undefined
    this.#path.pop()
    if (!isUnit(element) || !this.#unit || this.#content) return
    const { id, location, isHeader } = this.#unit
    const place = location.join('')
    if (isHeader) this.#unit = undefined
    if (!this.#unit) return
    yields({
      id: readTextId(place) === undefined ? id : place,
      original: attribute(this.#file, 'original'),
      targetLanguage: attribute(this.#head, 'trgLang') ?? attribute(this.#file, 'target-language'),
      ...targetOf(this.#unit),
    })
    this.#unit = undefined
  }

  /** Opens a file. One that a tool made from a PO file is beside the one that was exported, and belongs to the same calendar. */
  #openFile(attributes: Attributes): void {
    const isOfPo = attributes.datatype === 'po' && this.#file.original !== undefined
    this.#file = isOfPo ? { ...attributes, original: this.#file.original ?? '' } : attributes
  }

  #openIn({ segments, data, location }: OpenUnit, element: string, attributes: Attributes): void {
    const { id = '', state } = attributes
    const parent = this.#path.at(-2) ?? ''
    if (isLocation(element, attributes) && location.length === 0) this.#collect(location)
    // A unit of XLIFF 1.2 is one segment; its other elements come from a translation memory, or repeat the source.
    if (element === 'trans-unit') segments.push({ isIgnorable: false, state: undefined, source: [] })
    if (parent === 'originalData' && element === 'data') data.set(id, this.#collect([]))
    if (parent === 'unit' && (element === 'segment' || element === 'ignorable'))
      segments.push({ isIgnorable: element === 'ignorable', state, source: [] })
    const segment = segments.at(-1)
    if (segment && segmentElements.has(parent)) this.#openText(segment, element, attributes)
  }

  #openText(segment: Segment, element: string, { state, order }: Attributes): void {
    if (element === 'source') this.#collect(segment.source)
    if (element !== 'target') return
    segment.target = this.#collect([])
    if (order !== undefined) segment.order = Number(order)
    if (/^(new|needs-.*)$/.test(state ?? '')) segment.state = 'initial'
  }

  #collect(parts: Part[]): Part[] {
    this.#content = { parts, depth: this.#path.length }
    return parts
  }
}

/** Whether an element says where a text was in a PO file. */
const isLocation = (element: string, attributes: Attributes): boolean =>
  element === 'context' && attributes['context-type'] === 'sourcefile'

const isUnit = (element: string): boolean => element === 'unit' || element === 'trans-unit'

/** Elements with a source and a target of their own. */
const segmentElements: ReadonlySet<string> = new Set(['segment', 'ignorable', 'trans-unit'])

const remedy = (): string =>
  phrase('fix it there, or get the file from the translation tool again, as XLIFF 2.0 or 1.2')

function checkRoot(name: string, element: string, attributes: Attributes): void {
  const { version = '' } = attributes
  if (element !== 'xliff')
    throw new Failure(
      'usage',
      phrase('{file} is XML, but not XLIFF: it begins with <{element}>', { file: name, element }),
      { hint: remedy() },
    )
  if (!/^(2\.\d+|1\.2)$/.test(version))
    throw new Failure(
      'usage',
      version === ''
        ? phrase('{file} is XLIFF of an unknown version, not 2.0 or 1.2', { file: name })
        : phrase('{file} is XLIFF {version}, not 2.0 or 1.2', { file: name, version }),
      { hint: phrase('save it as XLIFF 2.0 or 1.2 in the translation tool, as calctl export wrote it') },
    )
}

/** Adds the code or character that an element stands for. All other elements mark a part of the text, and add nothing to it. */
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

/** The same for XLIFF 1.2, where most codes are text inside of elements. */
function openOldCode(parts: Part[], closings: Part[], element: string, { id = '', ctype = '' }: Attributes): void {
  const code = `<${element} id="${id}">`
  const style = oldStyles[ctype]
  if (element === 'x' && ctype === oldCharacter) parts.push(characterOf(id))
  else if (element === 'x' || element === 'bx' || element === 'g')
    parts.push({ code, data: undefined, otherwise: style && `<${style}>` })
  else if (element === 'ex') parts.push({ code, data: undefined, otherwise: style && `</${style}>` })
  if (element === 'g') closings.push({ code, data: undefined, otherwise: style && `</${style}>` })
}

/** The elements that codes stand for, by their `ctype` (XLIFF 1.2, 2.2). */
const oldStyles: Readonly<Record<string, string>> = lookupTable({ bold: 'b', italic: 'i', underlined: 'u', lb: 'br' })

/** The elements that codes without text stand for, by their type (XLIFF 2.0, 4.3.1.31). */
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

const isTooLong = (text: string) => ({
  message: phrase('{text} is longer than {most} characters', {
    text,
    most: longestText.toLocaleString(interfaceLanguage()),
  }),
})

/** Puts texts together from their parts, and explains why one cannot be. */
class TextJoiner {
  #length = 0
  fault: Unit['fault']

  constructor(readonly data: OpenUnit['data']) {}

  join(parts: readonly Part[] = [], isData = false): string {
    let text = ''
    for (const part of parts) {
      const piece = typeof part === 'string' ? part : isData ? '' : this.#textOf(part)
      this.#length += piece.length
      if (this.#length > longestText) this.fault ??= isTooLong
      if (this.fault !== undefined) return ''
      text += piece
    }
    return text
  }

  #textOf({ code, data, otherwise }: Exclude<Part, string>): string {
    const stored = data === undefined ? undefined : this.data.get(data)
    if (!stored && otherwise === undefined)
      this.fault ??= text => ({ message: phrase('{text} has a code without its text: {code}', { text, code }) })
    return stored ? this.join(stored, true) : (otherwise ?? '')
  }
}

const inOrder = (segments: readonly Segment[]): Segment[] =>
  segments
    .map((segment, index) => ({ segment, order: segment.order ?? index + 1 }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ segment }) => segment)

/** What is between two segments stays as it is, unless the tool has written it again. */
const writtenIn = ({ isIgnorable, source, target }: Segment): Part[] | undefined =>
  isIgnorable ? (target ?? source) : target

function targetOf({ segments, data }: OpenUnit): Pick<Unit, 'source' | 'target' | 'state' | 'fault'> {
  let [translated, open, isInitial] = [0, 0, false]
  const sources = new TextJoiner(data)
  const source = segments.map(segment => sources.join(segment.source)).join('')
  // Mistakes that are only in the original do not matter.
  const joiner = new TextJoiner(data)
  let target = ''
  for (const segment of inOrder(segments)) {
    const text = joiner.join(writtenIn(segment))
    target += text
    if (segment.isIgnorable) continue
    if (text.trim() !== '') translated += 1
    else if (joiner.join(segment.source).trim() !== '') open += 1
    if (segment.state === 'initial') isInitial = true
  }
  const { fault } = joiner
  if (fault !== undefined) return { source, target: '', state: 'translated', fault }
  if (translated === 0) return { source, target: '', state: 'untranslated' }
  return { source, target: target.trim(), state: open > 0 || isInitial ? 'unfinished' : 'translated' }
}
