import { Failure } from '../../failure.ts'
import { Component } from './component.ts'

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
  const open: Component[] = []
  for (const { text: line, number } of contentLines(text, () => open.length > 0)) {
    const mark = /^(BEGIN|END):\s*(\S+)\s*$/i.exec(line)
    const kind = mark?.[2]?.toLowerCase() ?? ''
    if (mark?.[1]?.toUpperCase() === 'BEGIN' && (open.length > 0 || kind === 'vcalendar')) {
      begin(new Component(kind, number), open, calendars)
    } else if (mark && open.length > 0) {
      end(kind, { line, number, name }, open)
    } else if (line.trim() !== '') {
      const component = open.at(-1)
      if (!component) throw outside(name, line, number)
      component.lines.push({ text: line, number })
    }
  }
  const [unfinished] = open
  if (unfinished)
    throw new Failure('usage', `${name} is cut off: it has no END:${unfinished.name.toUpperCase()}`, {
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

function begin(component: Component, open: Component[], calendars: Component[]): void {
  // Events do not nest: if one is still open, its END is missing.
  if (component.name === 'vevent')
    while (open.some(({ name }) => name === 'vevent')) closeUnfinished(open, 'BEGIN:VEVENT')
  open.at(-1)?.components.push(component)
  if (component.name === 'vcalendar') calendars.push(component)
  open.push(component)
}

function end(kind: string, { line, number, name }: { line: string; number: number; name: string }, open: Component[]) {
  const innermost = open.at(-1)
  if (innermost && !open.some(component => component.name === kind))
    throw new Failure(
      'usage',
      `${name}: line ${number} is ${line.trim()}, where END:${innermost.name.toUpperCase()} is expected for line ${innermost.line}`,
      { hint: 'correct that line, or download the feed again' },
    )
  while (open.at(-1)?.name !== kind) closeUnfinished(open, line.trim())
  open.pop()
}

/** Closes a component at the line where its END should have been. */
function closeUnfinished(open: Component[], line: string): void {
  const component = open.pop()
  if (component) component.wrongEnd = line
}

const outside = (name: string, line: string, number: number): Failure =>
  new Failure('usage', `${name}: line ${number} is outside of a calendar: "${line.trim().slice(0, 40)}"`, {
    hint: 'a calendar is from BEGIN:VCALENDAR to END:VCALENDAR; remove what is before, between or after',
  })

const lineEnd = /\r*\n|\r/g

/**
 * The lines of a file, unfolded. Outside of calendars nothing is folded: blanks before BEGIN are only blanks, and so is a byte order
 * mark between files that were joined.
 */
function* contentLines(text: string, isInside: () => boolean): Generator<{ text: string; number: number }> {
  let number = 0
  let line: { text: string; number: number } | undefined
  let from = 0
  lineEnd.lastIndex = 0
  while (from < text.length) {
    const match = lineEnd.exec(text)
    const piece = text.slice(from, match?.index ?? text.length)
    from = match ? lineEnd.lastIndex : text.length
    const position = from
    number += 1
    if (line && continues(line.text, piece) && isInside()) {
      line.text = joined(line.text, piece)
    } else {
      if (line) yield line
      const isFolded = /^[ \t]/.test(piece) && isInside()
      line = { text: isFolded ? piece : piece.replace(/^[\s\uFEFF]+/, ''), number }
    }
    lineEnd.lastIndex = position
  }
  if (line) yield line
}

const softBreak = /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:].*=$/i

/** Folded by RFC 5545, or by a soft line break of vCalendar 1.0. */
const continues = (line: string, next: string): boolean =>
  ((next.startsWith(' ') || next.startsWith('\t')) && !/^END:\s*VCALENDAR\s*$/i.test(line)) ||
  (line.endsWith('=') && softBreak.test(line))

const joined = (line: string, next: string): string =>
  line.endsWith('=') && softBreak.test(line) ? line.slice(0, -1) + next.replace(/^[ \t]/, '') : line + next.slice(1)
