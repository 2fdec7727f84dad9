import { msWall } from '../../time/dates.ts'
import { offsetAt, offsetText } from '../../time/zone.ts'

const firstYear = 1970
const endYear = 2050

/** Whether `vtimezone` has the clock changes of a wall time's year. */
export const isCovered = (wall: string): boolean =>
  Number(wall.slice(0, 4)) > firstYear && Number(wall.slice(0, 4)) < endYear

interface Transition {
  readonly wall: string
  readonly offsetBefore: string
  readonly offsetAfter: string
  readonly isForward: boolean
}

/** The VTIMEZONE of an IANA zone: its clock changes from 1970 to 2050, one observance for each pair of offsets. */
export function vtimezone(name: string): string[] {
  const observances = groupByOffsets(transitionsIn(name)).flatMap(observance)
  return ['BEGIN:VTIMEZONE', `TZID:${name}`, ...observances, 'END:VTIMEZONE']
}

/** Clock changes are found by the offsets that zone.ts has, so that each zone that can be read can be written. */
function transitionsIn(name: string): Transition[] {
  const start = Date.UTC(firstYear, 0)
  const offset = offsetAt(start, name)
  const transitions: Transition[] = [transitionAt(start - offset, offset, offset)]
  let before = offset
  for (let moment = start; moment < Date.UTC(endYear, 0); moment += step) {
    const after = offsetAt(moment + step, name)
    if (after === before) continue
    const change = changeBetween(moment, moment + step, name, before)
    if (change >= Date.UTC(endYear, 0)) break
    transitions.push(transitionAt(change, before, after))
    before = after
  }
  return transitions
}

/** No zone has changed its clocks twice within ten days since 1970. */
const step = 10 * 86_400_000

function transitionAt(moment: number, before: number, after: number): Transition {
  return {
    wall: localTime(msWall(moment + before)),
    offsetBefore: basicOffset(before),
    offsetAfter: basicOffset(after),
    isForward: after > before,
  }
}

/** The second between two moments from which the offset is another one than before. */
function changeBetween(first: number, last: number, name: string, before: number): number {
  let [low, high] = [first, last]
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000
    if (offsetAt(middle, name) === before) low = middle
    else high = middle
  }
  return high
}

function groupByOffsets(transitions: readonly Transition[]): Transition[][] {
  const groups = new Map<string, Transition[]>()
  for (const transition of transitions) {
    const key = `${transition.offsetBefore} ${transition.offsetAfter}`
    groups.set(key, [...(groups.get(key) ?? []), transition])
  }
  return [...groups.values()]
}

function observance(transitions: readonly Transition[]): string[] {
  const [first] = transitions
  if (!first) return []
  const name = first.isForward ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${name}`,
    `DTSTART:${first.wall}`,
    `TZOFFSETFROM:${first.offsetBefore}`,
    `TZOFFSETTO:${first.offsetAfter}`,
    // One RDATE line each, the first date included: some readers look at RDATE alone.
    ...(transitions.length > 1 ? transitions.map(({ wall }) => `RDATE:${wall}`) : []),
    `END:${name}`,
  ]
}

/** `2026-12-05 19:00:00` as iCalendar writes a local time: `20261205T190000`. */
export const localTime = (wall: string): string => wall.replace(/[-:]/g, '').replace(' ', 'T')

/** `+01:00` as iCalendar writes it: `+0100`. */
const basicOffset = (ms: number): string => offsetText(ms).replaceAll(':', '')
