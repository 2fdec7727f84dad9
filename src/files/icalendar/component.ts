import { grouped } from '../../base/groups.ts'
import { memoize } from '../../base/memoize.ts'

/** A property of a component: `DTSTART;TZID=Europe/Madrid:20261205T190000`. Its name is in lower case, its value is not decoded. */
export interface Property {
  readonly name: string
  readonly parameters: ReadonlyMap<string, string>
  readonly value: string
}

/** A content line, unfolded. */
export interface ContentLine {
  readonly text: string
  readonly number: number
}

/** What is between the BEGIN and the END of a component. */
interface Content {
  readonly lines: ContentLine[]
  readonly components: Component[]
}

interface Parsed {
  readonly properties: readonly Property[]
  readonly byName: ReadonlyMap<string, readonly Property[]>
  /** The lines that are not properties. */
  readonly unreadable: readonly ContentLine[]
}

const none: readonly Property[] = []

/** The text from which a component can be read again. */
export interface FilePart {
  readonly bytes: Buffer
  readonly from: number
  readonly to: number
  /** Reads the text; `line` is the number of the line before it. */
  readonly read: (part: FilePart, line: number) => Content
}

/**
 * A component of a calendar. The contents of an event are read when they are needed, and released afterwards: a feed of 100,000 events
 * would need ten times its size in memory.
 */
export class Component implements Content {
  /** What is in place of its END, if that is missing. */
  wrongEnd?: string
  /** The UID of an event, which is known without reading its contents. */
  uid?: string
  #content: Content | undefined = { lines: [], components: [] }
  #part: FilePart | undefined
  #parsed: Parsed | undefined

  constructor(
    readonly name: string,
    readonly line: number,
  ) {}

  get lines(): ContentLine[] {
    return this.#read().lines
  }

  get components(): Component[] {
    return this.#read().components
  }

  /** The lines that are not properties. */
  get unreadable(): readonly ContentLine[] {
    return this.#parse().unreadable
  }

  get properties(): readonly Property[] {
    return this.#parse().properties
  }

  all(name: string): readonly Property[] {
    return this.#parse().byName.get(name) ?? none
  }

  first(name: string): Property | undefined {
    return this.all(name)[0]
  }

  has(name: string): boolean {
    return this.first(name) !== undefined
  }

  childrenNamed(name: string): Component[] {
    return this.components.filter(component => component.name === name)
  }

  /** Releases the contents of the component, if they can be read again. */
  forget(part = this.#part): void {
    this.#part = part
    this.#parsed = undefined
    if (part) this.#content = undefined
  }

  #read(): Content {
    this.#content ??= this.#part?.read(this.#part, this.line) ?? { lines: [], components: [] }
    return this.#content
  }

  #parse(): Parsed {
    if (this.#parsed) return this.#parsed
    const properties: Property[] = []
    const unreadable: ContentLine[] = []
    for (const line of this.lines) {
      const property = parseProperty(line.text)
      if (property) properties.push(property)
      else unreadable.push(line)
    }
    this.#parsed = { properties, byName: grouped(properties, ({ name }) => name), unreadable }
    return this.#parsed
  }
}

const noParameters: ReadonlyMap<string, string> = new Map()

const parameter = /;\s*([\w-]+)(?:\s*=\s*((?:"[^"]*"|[^";:])*))?/y

const lowerCase = memoize(text => text.trimStart().toLowerCase())

/** Parses a content line (RFC 5545, 3.1); undefined if it is not one. */
export function parseProperty(text: string): Property | undefined {
  const [written] = /^\s*[\w-]+/.exec(text) ?? []
  if (written === undefined) return undefined
  const end = written.length
  const name = lowerCase(written)
  if (text[end] === ':') return { name, parameters: noParameters, value: text.slice(end + 1) }
  return text[end] === ';' ? withParameters(name, text, end) : undefined
}

function withParameters(name: string, text: string, from: number): Property | undefined {
  const colon = text.indexOf(':', from)
  if (colon === -1) return undefined
  const unquoted = text.slice(from, colon)
  // A colon can be within quotes.
  const { parameters, length } = unquoted.includes('"') ? parseParameters(text.slice(from)) : knownParameters(unquoted)
  const end = from + length
  return text[end] === ':' ? { name, parameters, value: text.slice(end + 1) } : undefined
}

/** Parses `;TZID=Europe/Madrid`, and returns where the parameters end. */
function parseParameters(text: string): { parameters: ReadonlyMap<string, string>; length: number } {
  const parameters = new Map<string, string>()
  let length = 0
  parameter.lastIndex = 0
  for (let match = parameter.exec(text); match; match = parameter.exec(text)) {
    // vCalendar 1.0 may leave out the name of a parameter: `SUMMARY;QUOTED-PRINTABLE:…`.
    const [, key = '', value = key] = match
    parameters.set(match[2] === undefined ? 'encoding' : key.toLowerCase(), unquote(value))
    length = parameter.lastIndex
  }
  return { parameters, length }
}

const knownParameters = memoize(parseParameters)

/** RFC 6868 writes quotes and line breaks in parameters as `^'` and `^n`. */
const unquote = (value: string): string =>
  value
    .replace(/"/g, '')
    .replace(/\^[n'^]/gi, escaped => ({ '^n': '\n', "^'": '"' })[escaped.toLowerCase()] ?? '^')
    .trim()

/**
 * Goes through the content lines of an iCalendar text, unfolded: `number`, `from`, `to` and `text` are those of the current line. The text
 * can come in pieces. In a feed of 100,000 events, an object for each line would take longer than finding the lines.
 */
export class ContentLines {
  /** The number of the line in the file; for a folded line, of its first part. */
  number = 0
  /** Where the line begins in the current piece, and where the next one does. */
  from = 0
  to = 0
  #source = ''
  /** Where the first part of the line ends. */
  #end = 0
  #isInside = false
  /** The parts of a folded line: if they were joined one by one, a long line would be copied for each. */
  #parts: string[] | undefined
  #nextNumber: number
  #isWhole = false
  /** The positions of the next line feed and the next carriage return; the length of the text if there is none. */
  #feed = -1
  #return = -1
  /** The end of the row of carriage returns that contains the next one. */
  #lastReturn = -1
  /** How much of a line there was that continues in the next piece. */
  #unfinished = 0

  /** `linesBefore` is the number of lines before the text. */
  constructor(linesBefore = 0) {
    this.#nextNumber = linesBefore + 1
  }

  /** Adds the next piece of the text. Positions are counted from the beginning of the line after the current one. */
  add(text: string, isLast: boolean): void {
    const rest = this.#source.slice(this.to)
    this.#source = rest === '' ? text : rest + text
    this.#isWhole = isLast
    this.to = 0
    this.#feed = -1
    this.#return = -1
    this.#lastReturn = -1
  }

  /**
   * Moves to the next line; false if there is none, or if it may continue in the next piece. Lines outside of calendars are not folded:
   * blanks before BEGIN are only blanks, and so is a byte order mark between files that were joined.
   */
  next(isInside: boolean): boolean {
    const source = this.#source
    const from = this.to
    if (from >= source.length) return false
    // A long line that comes in many pieces must not be read from its beginning for each of them.
    if (!this.#isWhole && source.length - from < 2 * this.#unfinished) return false
    let to = this.#nextLine(from)
    const firstEnd = this.#lineEnd()
    let end = firstEnd
    let count = 1
    let parts: string[] | undefined
    while (
      isInside &&
      to < source.length &&
      (isBlank(source.charCodeAt(to)) || source.charCodeAt(end - 1) === equals)
    ) {
      parts ??= [trimmed(source.slice(from, end), isInside)]
      const next = this.#nextLine(to)
      const nextEnd = this.#lineEnd()
      if (!addPart(parts, source.slice(to, nextEnd))) break
      to = next
      end = nextEnd
      count += 1
    }
    this.#unfinished = to === source.length && !this.#isWhole ? to - from : 0
    if (this.#unfinished > 0) return false
    this.from = from
    this.to = to
    this.number = this.#nextNumber
    this.#nextNumber += count
    this.#end = firstEnd
    this.#isInside = isInside
    this.#parts = count > 1 ? parts : undefined
    return true
  }

  get text(): string {
    return this.#parts ? this.#parts.join('') : trimmed(this.slice(this.from, this.#end), this.#isInside)
  }

  /** Whether the line begins with this letter, `a` to `z` in either case; also true if only its text can tell. */
  mayBeginWith(letter: string): boolean {
    const first = this.#parts?.[0] === undefined ? this.#source.charCodeAt(this.from) : this.#parts[0].charCodeAt(0)
    return (first | 0x20) === letter.charCodeAt(0) || isUnusual(first)
  }

  /** A part of the current piece. */
  slice(from: number, to: number): string {
    return this.#source.slice(from, to)
  }

  /**
   * Where the line after this one begins. Lines end with a line feed, which may follow carriage returns, or with a single carriage return.
   */
  #nextLine(from: number): number {
    const source = this.#source
    if (this.#feed < from) this.#feed = indexOf(source, '\n', from)
    if (this.#return < from) this.#return = indexOf(source, '\r', from)
    if (this.#lastReturn < this.#return) {
      this.#lastReturn = this.#return
      while (source.charCodeAt(this.#lastReturn + 1) === carriageReturn) this.#lastReturn += 1
    }
    const end = this.#lastReturn < this.#feed - 1 ? this.#return : this.#feed
    return Math.min(end + 1, source.length)
  }

  /** The end of the line that `#nextLine` was last called for. */
  #lineEnd(): number {
    return Math.min(this.#feed, this.#return)
  }
}

const carriageReturn = 0x0d
const equals = 0x3d

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

/** Also true for NaN, the code of a character that does not exist. */
const isUnusual = (code: number): boolean => !(code > 0x20 && code <= 0x7e)

function indexOf(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from)
  return index === -1 ? text.length : index
}

/** A line without blanks at its beginning, unless they mean that it is folded. */
function trimmed(line: string, isInside: boolean): string {
  const first = line.charCodeAt(0)
  return !isUnusual(first) || (isInside && isBlank(first)) ? line : line.replace(/^[\s\uFEFF]+/, '')
}

const quotedPrintable = /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i

/** In how many parts the end of a property's parameters is searched. */
const mostWithParameters = 8

/**
 * Adds the next line of the file to one that was folded as in RFC 5545, or by a soft line break of vCalendar 1.0; false if it is a new
 * line.
 */
function addPart(parts: string[], next: string): boolean {
  const last = parts.at(-1) ?? ''
  if (last.endsWith('=') && quotedPrintable.test(parts.slice(0, mostWithParameters).join(''))) {
    parts.splice(-1, 1, last.slice(0, -1), next.replace(/^[ \t]/, ''))
    return true
  }
  if (!isBlank(next.charCodeAt(0)) || (parts.length === 1 && /^END:\s*VCALENDAR\s*$/i.test(last))) return false
  parts.push(next.slice(1))
  return true
}
