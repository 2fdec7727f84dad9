import ICAL from 'ical.js'
import { Failure } from '../../failure.ts'

/** The name under which a component keeps its lines that cannot be parsed. */
export const invalidLine = 'x-calctl-invalid-line'

/**
 * Parses a file into its VCALENDAR components. Values stay raw, except for the escapes of texts: ical.js would turn dates that do
 * not exist into other dates, and would reject the whole file for one rule. A line that cannot be parsed becomes a property of
 * its component. Throws `usage` for a file that is not iCalendar or is cut off.
 */
export function parseCalendars(text: string, name: string): ICAL.Component[] {
  if (!/^\s*BEGIN:VCALENDAR/i.test(text))
    throw new Failure('usage', `${name} is not iCalendar: it begins with "${text.trim().slice(0, 40)}"`, {
      hint: /^https?:/i.test(name)
        ? 'a feed begins with BEGIN:VCALENDAR; open the address in a browser to see what it answers'
        : 'a feed begins with BEGIN:VCALENDAR: is this the right file?',
    })
  const calendars: JCalComponent[] = []
  const open: JCalComponent[] = []
  const unfolded = text.replace(/\r?\n[ \t]/g, '')
  for (const line of unfolded.split(/\r?\n/)) {
    const [, mark, kind = ''] = /^(BEGIN|END):\s*(\S+)\s*$/i.exec(line) ?? []
    if (mark?.toUpperCase() === 'BEGIN') beginComponent(kind.toLowerCase(), line, open, calendars)
    else if (mark) endComponent(kind.toLowerCase(), line, open)
    else if (line.trim() !== '') open.at(-1)?.[1].push(parseProperty(line, open.some(isVtimezone)))
  }
  const [unfinished] = open
  if (unfinished)
    throw new Failure('usage', `${name} is cut off: it has no END:${unfinished[0].toUpperCase()}`, {
      hint: 'download the feed again',
    })
  return calendars.map(calendar => new ICAL.Component(calendar))
}

/** A component in jCal (RFC 7265), ical.js's own form: its name, its properties, its components. */
type JCalComponent = [string, unknown[], JCalComponent[]]

const isVtimezone = ([kind]: JCalComponent): boolean => kind === 'vtimezone'

function beginComponent(kind: string, line: string, open: JCalComponent[], calendars: JCalComponent[]): void {
  // Events do not nest: if one is still open, its END is missing.
  if (kind === 'vevent') while (open.some(([outer]) => outer === 'vevent')) closeUnfinished(open, line)
  const component: JCalComponent = [kind, [], []]
  const outer = open.at(-1)
  if (outer) outer[2].push(component)
  else calendars.push(component)
  open.push(component)
}

function endComponent(kind: string, line: string, open: JCalComponent[]): void {
  if (!open.some(([begun]) => begun === kind)) return
  while (open.at(-1)?.[0] !== kind) closeUnfinished(open, line)
  open.pop()
}

/** Closes a component at the line where its END should have been. */
const closeUnfinished = (open: JCalComponent[], line: string) =>
  open.pop()?.[1].push([invalidLine, {}, 'unknown', line])

/** ical.js's grammar, without its decoders for dates, rules and so on. */
const rawDesign = { ...ICAL.design.icalendar, value: { text: ICAL.design.icalendar.value.text } }

/** The properties of a VTIMEZONE from which ical.js computes offsets; it needs them decoded. */
const offsetProperties = /^(dtstart|rrule|rdate|tzoffsetfrom|tzoffsetto)\b/i

function parseProperty(line: string, isInVtimezone: boolean): unknown[] {
  try {
    if (isInVtimezone && offsetProperties.test(line)) return ICAL.parse.property(line)
    const [name, parameters, type, ...values] = ICAL.parse.property(line, rawDesign)
    return [name, parameters, type === 'text' ? type : 'unknown', ...values]
  } catch {
    return [invalidLine, {}, 'unknown', line]
  }
}
