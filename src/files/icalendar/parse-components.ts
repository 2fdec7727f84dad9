import { Failure } from '../../failure.ts'
import { Component, type ContentLine, type FilePart } from './component.ts'

/**
 * Parses a file into its VCALENDAR components, nested ones included. Throws `usage` for a file that is not iCalendar, that is cut
 * off, or in which something is outside of a calendar: what is not read must not be taken for missing.
 */
export function parseCalendars(text: string, name: string): Component[] {
  if (!/^[\s\uFEFF]*BEGIN:VCALENDAR/i.test(text))
    throw new Failure('usage', `${name} is not iCalendar: it begins with "${firstLine(text)}"`, {
      hint: /^https?:/i.test(name)
        ? 'a feed begins with BEGIN:VCALENDAR; open the address in a browser to see what it answers'
        : 'a feed begins with BEGIN:VCALENDAR: is this the right file?',
    })
  const calendars: Component[] = []
  const open: OpenComponent[] = []
  parseLines(text, { name, open, calendars, keepText: createEventTexts(name) })
  const [unfinished] = open
  if (unfinished)
    throw new Failure('usage', `${name} is cut off: it has no END:${unfinished.component.name.toUpperCase()}`, {
      hint: 'download the feed again',
    })
  return calendars
}

const firstLine = (text: string): string =>
  text
    .trim()
    .split(/[\r\n]/, 1)
    .join('')
    .slice(0, 40)

/** A component whose END was not read yet. */
interface OpenComponent {
  readonly component: Component
  /** Where its content begins in the text. */
  readonly from: number
}

interface Parsing {
  readonly name: string
  /** The components around the current line, outermost first. */
  readonly open: OpenComponent[]
  readonly calendars: Component[]
  /** The number of the line before the text. */
  readonly linesBefore?: number
  /** Keeps the texts of events, to read them again. */
  readonly keepText?: (text: string) => FilePart
}

function parseLines(text: string, parsing: Parsing): void {
  const { name, open, calendars, linesBefore, keepText } = parsing
  /** Closes the innermost component. Of an event only its text is kept. */
  const close = ({ from: to }: SourceLine): Component | undefined => {
    const { component, from } = open.pop() ?? { from: 0 }
    if (keepText && component?.name === 'vevent') component.forget(keepText(text.slice(from, to)))
    return component
  }
  /** Closes a component at the line where its END should have been. */
  const closeUnfinished = (line: SourceLine, end: string) => {
    const component = close(line)
    if (component) component.wrongEnd = end
  }
  for (const line of contentLines(text, () => open.length > 0, linesBefore)) {
    const mark = /^(BEGIN|END):\s*(\S+)\s*$/i.exec(line.text)
    const kind = mark?.[2]?.toLowerCase() ?? ''
    const isOpen = (name: string) => open.some(({ component }) => component.name === name)
    if (mark?.[1]?.toUpperCase() === 'BEGIN' && (open.length > 0 || kind === 'vcalendar')) {
      // Events do not nest: if one is still open, its END is missing.
      if (kind === 'vevent') while (isOpen(kind)) closeUnfinished(line, 'BEGIN:VEVENT')
      const component = new Component(kind, line.number)
      open.at(-1)?.component.components.push(component)
      if (kind === 'vcalendar') calendars.push(component)
      open.push({ component, from: line.to })
    } else if (mark && open.length > 0) {
      if (!isOpen(kind)) throw unexpectedEnd(name, line, open)
      while (open.at(-1)?.component.name !== kind) closeUnfinished(line, line.text.trim())
      close(line)
    } else if (line.text.trim() !== '') {
      const innermost = open.at(-1)
      if (!innermost) throw outside(name, line.text, line.number)
      // A slice would keep the whole file in memory. The lines of events are forgotten.
      const text = keepText && !isOpen('vevent') ? copyText(line.text) : line.text
      innermost.component.lines.push({ text, number: line.number })
    }
  }
}

/** The same text on its own: a slice keeps all of the text in memory that it was cut from. */
export const copyText = (text: string): string => Buffer.from(text).toString()

/** Keeps the texts of events outside of V8's heap, which grows to a multiple of what is in it, and reads them again. */
function createEventTexts(name: string): (text: string) => FilePart {
  let bytes = Buffer.alloc(0)
  let used = 0
  const read = ({ bytes, from, to }: FilePart, line: number) => {
    const component = new Component('vevent', line)
    const open = [{ component, from: 0 }]
    parseLines(bytes.toString('utf8', from, to), { name, open, calendars: [], linesBefore: line })
    return component
  }
  return text => {
    const size = Buffer.byteLength(text)
    if (used + size > bytes.length) {
      bytes = Buffer.allocUnsafeSlow(Math.max(size, bytesPerBlock))
      used = 0
    }
    const from = used
    used += bytes.write(text, from)
    return { bytes, from, to: used, read }
  }
}

const bytesPerBlock = 1 << 20

const unexpectedEnd = (name: string, { text, number }: SourceLine, open: readonly OpenComponent[]): Failure => {
  const { component } = open.at(-1) as OpenComponent
  return new Failure(
    'usage',
    `${name}: line ${number} is ${text.trim()}, where END:${component.name.toUpperCase()} is expected for line ${component.line}`,
    { hint: 'correct that line, or download the feed again' },
  )
}

const outside = (name: string, line: string, number: number): Failure =>
  new Failure('usage', `${name}: line ${number} is outside of a calendar: "${line.trim().slice(0, 40)}"`, {
    hint: 'a calendar is from BEGIN:VCALENDAR to END:VCALENDAR; remove what is before, between or after',
  })

const lineEnd = /\r*\n|\r/g

/** A content line and its place in the text, from its first character to where the next line begins. */
interface SourceLine extends ContentLine {
  readonly from: number
  readonly to: number
}

/**
 * The lines of a file, unfolded. Outside of calendars nothing is folded: blanks before BEGIN are only blanks, and so is a byte order
 * mark between files that were joined.
 */
function* contentLines(text: string, isInside: () => boolean, linesBefore = 0): Generator<SourceLine> {
  let number = linesBefore
  let line: FoldedLine | undefined
  let from = 0
  while (from < text.length) {
    lineEnd.lastIndex = from
    const match = lineEnd.exec(text)
    const piece = text.slice(from, match?.index ?? text.length)
    const to = match ? lineEnd.lastIndex : text.length
    number += 1
    if (line && isInside() && addPiece(line.pieces, piece)) {
      line.to = to
    } else {
      if (line) yield unfolded(line)
      const isFolded = /^[ \t]/.test(piece) && isInside()
      line = { pieces: [isFolded ? piece : piece.replace(/^[\s\uFEFF]+/, '')], number, from, to }
    }
    from = to
  }
  if (line) yield unfolded(line)
}

/** A content line in the pieces that it was folded into: joined one by one, a long one would be copied for each. */
interface FoldedLine {
  readonly pieces: string[]
  readonly number: number
  readonly from: number
  to: number
}

const unfolded = ({ pieces, ...line }: FoldedLine): SourceLine => ({ ...line, text: pieces.join('') })

const quotedPrintable = /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i

/** How many pieces are searched for the end of a property's parameters. */
const mostWithParameters = 8

/** Adds the next line of the file to one that was folded by RFC 5545 or by a soft line break of vCalendar 1.0; false for a new line. */
function addPiece(pieces: string[], next: string): boolean {
  const last = pieces.at(-1) ?? ''
  if (last.endsWith('=') && quotedPrintable.test(pieces.slice(0, mostWithParameters).join(''))) {
    pieces.splice(-1, 1, last.slice(0, -1), next.replace(/^[ \t]/, ''))
    return true
  }
  if (!/^[ \t]/.test(next) || (pieces.length === 1 && /^END:\s*VCALENDAR\s*$/i.test(last))) return false
  pieces.push(next.slice(1))
  return true
}
