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
  #content: Content | undefined = { lines: [], components: [] }
  #part: FilePart | undefined
  #parsed: { properties: Property[]; unreadable: ContentLine[] } | undefined

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

  all(name: string): Property[] {
    return this.properties.filter(property => property.name === name)
  }

  first(name: string): Property | undefined {
    return this.properties.find(property => property.name === name)
  }

  has(name: string): boolean {
    return this.first(name) !== undefined
  }

  /** As `first`, without parsing the other lines. */
  peek(name: string): Property | undefined {
    for (const { text } of this.lines) {
      const property = text.trimStart().slice(0, name.length).toLowerCase() === name ? parseProperty(text) : undefined
      if (property?.name === name) return property
    }
    return undefined
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

  #parse(): { properties: Property[]; unreadable: ContentLine[] } {
    if (this.#parsed) return this.#parsed
    const parsed = { properties: [] as Property[], unreadable: [] as ContentLine[] }
    for (const line of this.lines) {
      const property = parseProperty(line.text)
      if (property) parsed.properties.push(property)
      else parsed.unreadable.push(line)
    }
    this.#parsed = parsed
    return parsed
  }
}

const noParameters: ReadonlyMap<string, string> = new Map()

const parameter = /;\s*([\w-]+)(?:\s*=\s*((?:"[^"]*"|[^";:])*))?/y

/** Parses a content line (RFC 5545, 3.1); undefined if it is none. */
function parseProperty(text: string): Property | undefined {
  const name = /^\s*([\w-]+)/.exec(text)
  if (!name?.[1]) return undefined
  let end = name[0].length
  const parameters = text[end] === ';' ? new Map<string, string>() : noParameters
  if (parameters instanceof Map) {
    parameter.lastIndex = end
    for (let match = parameter.exec(text); match; match = parameter.exec(text)) {
      // vCalendar 1.0 may leave out the name of a parameter: `SUMMARY;QUOTED-PRINTABLE:…`.
      const [, key = '', value = key] = match
      parameters.set(match[2] === undefined ? 'encoding' : key.toLowerCase(), unquote(value))
      end = parameter.lastIndex
    }
  }
  if (text[end] !== ':') return undefined
  return { name: name[1].toLowerCase(), parameters, value: text.slice(end + 1) }
}

/** RFC 6868 writes quotes and line breaks in parameters as `^'` and `^n`. */
const unquote = (value: string): string =>
  value
    .replace(/"/g, '')
    .replace(/\^[n'^]/gi, escaped => ({ '^n': '\n', "^'": '"' })[escaped.toLowerCase()] ?? '^')
    .trim()
