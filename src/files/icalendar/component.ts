import { memoize } from '../../memoize.ts'

/** A property of a component: `DTSTART;TZID=Europe/Madrid:20261205T190000`. Names are in lower case, the value is as it stands. */
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
export interface Content {
  readonly lines: ContentLine[]
  readonly components: Component[]
}

interface Parsed {
  readonly properties: Property[]
  readonly byName: Map<string, Property[]>
  /** The lines that are not properties. */
  readonly unreadable: ContentLine[]
}

const none: readonly Property[] = []

/** The text that a component is read from again. */
export interface FilePart {
  readonly bytes: Buffer
  readonly from: number
  readonly to: number
  /** Reads the text; `line` is the one before it. */
  readonly read: (part: FilePart, line: number) => Content
}

/**
 * A component of a calendar. What is in an event is read when it is needed and forgotten afterwards: a feed of 100,000 events would
 * take ten times its size.
 */
export class Component implements Content {
  /** What is in the place of its END, if that is missing. */
  wrongEnd?: string
  /** The UID of an event, known without reading it. */
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

  /** Lets go of what is in the component, if it can be read again. */
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
    const parsed: Parsed = { properties: [], byName: new Map(), unreadable: [] }
    for (const line of this.lines) {
      const property = parseProperty(line.text)
      if (!property) {
        parsed.unreadable.push(line)
        continue
      }
      parsed.properties.push(property)
      const others = parsed.byName.get(property.name)
      if (others) others.push(property)
      else parsed.byName.set(property.name, [property])
    }
    this.#parsed = parsed
    return parsed
  }
}

const noParameters: ReadonlyMap<string, string> = new Map()

const parameter = /;\s*([\w-]+)(?:\s*=\s*((?:"[^"]*"|[^";:])*))?/y

const lowerCase = memoize(text => text.trimStart().toLowerCase())

/** Parses a content line (RFC 5545, 3.1); undefined if it is none. */
export function parseProperty(text: string): Property | undefined {
  const written = writtenName(text)
  if (written === undefined) return undefined
  const end = written.length
  const name = lowerCase(written)
  if (text[end] === ':') return { name, parameters: noParameters, value: text.slice(end + 1) }
  return text[end] === ';' ? withParameters(name, text, end) : undefined
}

/** The name that a line begins with; blanks before it are included. */
function writtenName(text: string): string | undefined {
  let end = 0
  while (isOfName(text.charCodeAt(end))) end += 1
  const isWhole = end > 0 && !/\w/.test(text[end] ?? '')
  return isWhole ? text.slice(0, end) : /^\s*[\w-]+/.exec(text)?.[0]
}

/** Whether a character is one of `[A-Za-z-]`, of which nearly all names are; the others match the pattern. */
const isOfName = (code: number): boolean =>
  (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x2d

function withParameters(name: string, text: string, from: number): Property | undefined {
  const colon = text.indexOf(':', from)
  if (colon === -1) return undefined
  const unquoted = text.slice(from, colon)
  // In quotes there can be a colon.
  const { parameters, length } = unquoted.includes('"') ? parseParameters(text.slice(from)) : knownParameters(unquoted)
  const end = from + length
  return text[end] === ':' ? { name, parameters, value: text.slice(end + 1) } : undefined
}

/** Parses `;TZID=Europe/Madrid`, and says how much of the text that is. */
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
