import ICAL from 'ical.js'
import { Failure } from '../../failure.ts'

/** The name of a property that keeps a line which cannot be read. */
export const unreadable = 'x-unreadable'

/**
 * The calendars of a file. What events say stays as it stands there, but for texts, whose escapes are undone: ical.js would make
 * other dates of those that do not exist, and give up the whole file for one rule. A line that cannot be read is a property
 * of its component. Throws `usage` for what is not iCalendar, or is cut off.
 */
export function calendarsIn(text: string, name: string): ICAL.Component[] {
  if (!/^\s*BEGIN:VCALENDAR/i.test(text))
    throw new Failure('usage', `${name} is not iCalendar: it begins with "${text.trim().slice(0, 40)}"`, {
      hint: 'a feed begins with BEGIN:VCALENDAR; open the address in a browser to see what it answers',
    })
  const calendars: Parsed[] = []
  const open: Parsed[] = []
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const [, mark, kind = ''] = /^(BEGIN|END):\s*(\S+)\s*$/i.exec(line) ?? []
    if (mark?.toUpperCase() === 'BEGIN') begin(kind.toLowerCase(), line, open, calendars)
    else if (mark) end(kind.toLowerCase(), line, open)
    else if (line.trim() !== '') open.at(-1)?.[1].push(propertyIn(line, open.some(isZone)))
  }
  const [unfinished] = open
  if (unfinished)
    throw new Failure('usage', `${name} is not valid iCalendar: it stops before END:${unfinished[0].toUpperCase()}`, {
      hint: 'the feed may have been cut off: fetch it again',
    })
  return calendars.map(calendar => new ICAL.Component(calendar))
}

/** A component as ical.js keeps it: what it is, its properties, its parts. */
type Parsed = [string, unknown[], Parsed[]]

const isZone = ([kind]: Parsed): boolean => kind === 'vtimezone'

function begin(kind: string, line: string, open: Parsed[], calendars: Parsed[]): void {
  // No event stands in another one: the first was never ended.
  if (kind === 'vevent') while (open.some(([outer]) => outer === 'vevent')) abandon(open, line)
  const component: Parsed = [kind, [], []]
  const outer = open.at(-1)
  if (outer) outer[2].push(component)
  else calendars.push(component)
  open.push(component)
}

function end(kind: string, line: string, open: Parsed[]): void {
  if (!open.some(([begun]) => begun === kind)) return
  while (open.at(-1)?.[0] !== kind) abandon(open, line)
  open.pop()
}

/** Closes a component at a line that should have been its END. */
const abandon = (open: Parsed[], line: string) => open.pop()?.[1].push([unreadable, {}, 'unknown', line])

/** Of values, ical.js decodes texts alone. */
const asTheyStand = { ...ICAL.design.icalendar, value: { text: ICAL.design.icalendar.value.text } }

/** What ical.js follows clocks by. */
const ofClocks = /^(dtstart|rrule|rdate|tzoffsetfrom|tzoffsetto)\b/i

function propertyIn(line: string, isOfZone: boolean): unknown[] {
  try {
    if (isOfZone && ofClocks.test(line)) return ICAL.parse.property(line)
    const [name, parameters, type, ...values] = ICAL.parse.property(line, asTheyStand)
    return [name, parameters, type === 'text' ? type : 'unknown', ...values]
  } catch {
    return [unreadable, {}, 'unknown', line]
  }
}
