import { Failure } from '../../failure.ts'
import { lookupTable } from '../../memoize.ts'
import { attribute, parseXml, type XmlHandlers } from '../xml-events.ts'

/** A unit of a file: one text, as a translation tool left it. */
export interface Unit {
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
export function readUnits(text: AsyncIterable<string>, name: string): AsyncGenerator<Unit> {
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
