import { isUtf8 } from 'node:buffer'
import { type Failure, usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { Component, type ContentLine, ContentLines, type FilePart, type Property, parseProperty } from './component.ts'

/**
 * Parses the text of a file, which comes in pieces, into its VCALENDAR components and what is nested in them. Throws `usage` for a file
 * that is cut off, or that has something outside of a calendar: events that are not read would look deleted.
 */
export async function parseCalendars(pieces: AsyncIterable<string>, name: string): Promise<Component[]> {
  const calendars: Component[] = []
  const open: OpenComponent[] = []
  const lines = new ContentLines()
  const parsing = { name, open, counts: new Map(), calendars, keepText: createEventTexts(name) }
  for await (const piece of pieces) {
    addPiece(lines, piece, open)
    parseLines(lines, parsing)
  }
  addPiece(lines, '', open, true)
  parseLines(lines, parsing)
  const [unfinished] = open
  if (unfinished)
    throw usage(
      phrase('{file} is truncated: missing {end}', {
        file: name,
        end: `END:${unfinished.component.name.toUpperCase()}`,
      }),
      phrase('download the feed again'),
    )
  return calendars
}

/** Throws `usage` for a text that does not begin like iCalendar. */
export function checkBeginning(start: string, name: string): void {
  if (/^[\s\uFEFF]*BEGIN:VCALENDAR/i.test(start)) return
  const [line = ''] = start.trim().split(/[\r\n]/, 1)
  throw usage(
    phrase('{file} is not iCalendar: it begins with "{text}"', { file: name, text: line.slice(0, 40) }),
    /^https?:/i.test(name)
      ? phrase('a feed begins with BEGIN:VCALENDAR; open the address in a browser to see its answer')
      : phrase('a feed begins with BEGIN:VCALENDAR: check that this is the right file'),
  )
}

/** A component whose END has not been read yet. */
interface OpenComponent {
  readonly component: Component
  /** Where its content begins in the current piece, and what came in earlier pieces. */
  from: number
  before: string
}

function addPiece(lines: ContentLines, piece: string, open: readonly OpenComponent[], isLast = false): void {
  for (const one of open) {
    if (one.component.name === 'vevent') one.before += lines.slice(one.from, lines.to)
    one.from = 0
  }
  lines.add(piece, isLast)
}

interface Parsing {
  readonly name: string
  /** The components around the current line, outermost first. */
  readonly open: OpenComponent[]
  /** How many of them have each name: a file may nest 100,000. */
  readonly counts: Map<string, number>
  readonly calendars: Component[]
  /** Keeps the texts of events, from which they are read again. */
  readonly keepText?: (text: string) => FilePart
}

function parseLines(lines: ContentLines, parsing: Parsing): void {
  const { open, keepText } = parsing
  const isInEvent = () => keepText !== undefined && isOpen(parsing, 'vevent')
  let isKept = isInEvent()
  while (lines.next(open.length > 0)) {
    const mayBeMark = lines.mayBeginWith('b') || lines.mayBeginWith('e')
    // The lines of events are not kept.
    if (isKept && !mayBeMark && !lines.mayBeginWith('u')) continue
    const [, word, kind = ''] = (mayBeMark && /^(BEGIN|END):\s*(\S+)\s*$/i.exec(lines.text)) || []
    const mayBegin = open.length > 0 || kind.toLowerCase() === 'vcalendar'
    if (mayBegin && word?.toUpperCase() === 'BEGIN') beginComponent(kind.toLowerCase(), lines, parsing)
    else if (word !== undefined && open.length > 0) endComponent(kind.toLowerCase(), lines, parsing)
    else {
      addLine(lines, parsing, isKept)
      continue
    }
    isKept = isInEvent()
  }
}

const isOpen = ({ counts }: Parsing, kind: string): boolean => (counts.get(kind) ?? 0) > 0

function beginComponent(kind: string, lines: ContentLines, parsing: Parsing): void {
  const { open, counts, calendars } = parsing
  // Events do not nest: if one is still open, its END is missing.
  if (kind === 'vevent') while (isOpen(parsing, kind)) closeUnfinished('BEGIN:VEVENT', lines, parsing)
  const component = new Component(kind, lines.number)
  open.at(-1)?.component.components.push(component)
  if (kind === 'vcalendar') calendars.push(component)
  open.push({ component, from: lines.to, before: '' })
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
}

function endComponent(kind: string, lines: ContentLines, parsing: Parsing): void {
  const { name, open } = parsing
  if (!isOpen(parsing, kind)) throw unexpectedEnd(name, lines, open)
  while (open.at(-1)?.component.name !== kind) closeUnfinished(lines.text.trim(), lines, parsing)
  close(lines, parsing)
}

/** Closes the innermost component. For an event, only its text is kept. */
function close(lines: ContentLines, { open, counts, keepText }: Parsing): Component | undefined {
  const { component, from, before } = open.pop() ?? { from: 0, before: '' }
  if (component) counts.set(component.name, (counts.get(component.name) ?? 0) - 1)
  if (keepText && component?.name === 'vevent') component.forget(keepText(before + lines.slice(from, lines.from)))
  return component
}

/** Closes a component at the line where its END should be. */
function closeUnfinished(end: string, lines: ContentLines, parsing: Parsing): void {
  const component = close(lines, parsing)
  if (component) component.wrongEnd = end
}

function addLine({ text, number }: ContentLines, { name, open, keepText }: Parsing, isKept: boolean): void {
  const innermost = open.at(-1)
  if (isKept) {
    if (innermost?.component.name === 'vevent') keepUid(innermost.component, text)
  } else if (text.trim() !== '') {
    if (!innermost) throw outside(name, text, number)
    // A slice would keep the whole piece in memory.
    innermost.component.lines.push({ text: keepText ? copyText(text) : text, number })
  }
}

/** Keeps the UID of an event, because it tells which events belong together. */
function keepUid(component: Component, line: string): void {
  if (component.uid !== undefined || line.trimStart().slice(0, 3).toLowerCase() !== 'uid') return
  const property = parseProperty(line)
  if (property?.name === 'uid') component.uid = copyText(firstOf(property))
}

/** A copy of a text: a slice would keep all of the text that it was cut from in memory. */
export const copyText = (text: string): string => Buffer.from(text).toString()

/** Keeps the texts of events outside of V8's heap, which grows to several times its contents, and reads them again. */
function createEventTexts(name: string): (text: string) => FilePart {
  let bytes = Buffer.alloc(0)
  let used = 0
  const read = ({ bytes, from, to }: FilePart, line: number) => {
    const component = new Component('vevent', line)
    const lines = new ContentLines(line)
    lines.add(bytes.toString('utf8', from, to), true)
    const open = [{ component, from: 0, before: '' }]
    parseLines(lines, { name, open, counts: new Map([[component.name, 1]]), calendars: [] })
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

const unexpectedEnd = (name: string, { text, number }: ContentLine, open: readonly OpenComponent[]): Failure => {
  const { component } = open.at(-1) as OpenComponent
  return usage(
    phrase('{file}: line {line} is {text}, where {end} is expected for line {begun}', {
      file: name,
      line: number,
      text: text.trim(),
      end: `END:${component.name.toUpperCase()}`,
      begun: component.line,
    }),
    phrase('correct that line, or download the feed again'),
  )
}

const outside = (name: string, line: string, number: number): Failure =>
  usage(
    phrase('{file}: line {line} is outside of a calendar: "{text}"', {
      file: name,
      line: number,
      text: line.trim().slice(0, 40),
    }),
    phrase('a calendar is from BEGIN:VCALENDAR to END:VCALENDAR; remove what is before, between or after'),
  )

/** Properties with several values, separated by commas. */
const lists = new Set(['categories', 'exdate', 'rdate', 'resources'])

/** Properties whose values are not texts, so that a backslash is just a backslash. */
const notTexts: ReadonlySet<string> = new Set(
  `dtstart dtend duration exdate rdate rrule exrule recurrence-id dtstamp created last-modified url
  organizer attendee attach image conference geo sequence`.split(/\s+/),
)

/** The values of a property, decoded. */
export function valuesOf({ name, parameters, value }: Property): string[] {
  const text = decodeQuotedPrintable(value, parameters)
  // A comma after a backslash, which is not itself after one, is a part of a value.
  const values = lists.has(name) ? text.split(/(?<!(?<!\\)(?:\\\\)*\\),/) : [text]
  return values.map(each => (notTexts.has(name) ? each : unescapeText(each)).trim())
}

/** RFC 5545, 3.3.11 */
const unescapeText = (text: string): string =>
  text.replace(/\\([\\;,n])/gi, (_, character: string) => (/n/i.test(character) ? '\n' : character))

/** Decodes the encoding that vCalendar 1.0 shares with e-mails. */
function decodeQuotedPrintable(value: string, parameters: Property['parameters']): string {
  if (parameters.size === 0 || !/^quoted-printable$/i.test(parameters.get('encoding') ?? '')) return value
  const bytes = value.replace(/[^\0-\xff]/g, character => Buffer.from(character).toString('latin1'))
  const decoded = bytes.replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  const buffer = Buffer.from(decoded, 'latin1')
  return isUtf8(buffer) ? buffer.toString() : buffer.toString('latin1')
}

/** The first value of a property; empty if there is none. */
export const firstValueOf = (component: Component, name: string): string => firstOf(component.first(name))

/** The first value of a property; empty without one. */
const firstOf = (property: Property | undefined): string => (property && valuesOf(property)[0]) ?? ''

/** The first value of a property; undefined if there is none, or a blank one. */
export const optionalValueOf = (component: Component, name: string): string | undefined =>
  firstValueOf(component, name) || undefined

/**
 * The properties that calctl adds to those that other calendars read, so that an event comes back unchanged: its slug, or the ID of a draft
 * without a slug and the calendar of that ID; the time zone of an event that is written in UTC; the address of its page; and what
 * properties of iCalendar cannot express: HTML, commas in the names of venues, more than one organizer, and who may see an event.
 */
export type XCalctlName = RecordName | FieldName

type RecordName = 'slug' | 'id' | 'origin' | 'page' | 'protected' | 'event-status' | 'hide-from-listings'
type FieldName = 'timezone' | 'description' | 'venue' | 'organizer' | 'status' | 'date'

export const xCalctl = (name: XCalctlName): string => `x-calctl-${name}`

export const xCalctlValues = (component: Component, name: XCalctlName): string[] =>
  component.all(xCalctl(name)).flatMap(valuesOf)
