import type { Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { recordName } from '../../terminal/readable.ts'
import { counted, listOfFirst } from '../../text/words.ts'
import { readDate, wallMs } from '../../time/dates.ts'
import type { Step } from '../plan.ts'

const mostNamed = 3

/** The sentence about events that get longer or shorter because an update gives their start, and neither an end nor a length. */
export function createLengthNotes({ isFile }: { readonly isFile: boolean }) {
  const named: string[] = []
  const durations = new Set<string | undefined>()
  let sentence = ''
  return {
    /** `requested` is what was asked for: a step has only what changes. */
    add(step: Step, requested: Values): void {
      const changed = 'end_date' in requested || 'all_day' in requested ? undefined : changedLength(step)
      if (!changed) return
      const name = recordName(resourceNamed(step.resource), { record: step.before ?? {} })
      sentence = `${name} would last ${changed.lengths}`
      named.push(named.length < mostNamed ? `${name} ${changed.lengths}` : '')
      durations.add(changed.duration)
    },
    notes(): string[] {
      const count = named.length
      if (count === 0) return []
      const [duration] = durations.size === 1 ? durations : []
      const many = `${count} events would get longer or shorter: ${listOfFirst(named, mostNamed, 'other')}`
      const whole = `to move ${count === 1 ? 'it' : 'them'} as a whole`
      const byOption = `${whole} use --shift${duration === undefined ? '' : `, or add --duration ${duration}`}`
      return [`${count === 1 ? sentence : many}; ${isFile ? `${whole}, give the end, too` : byOption}`]
    },
  }
}

interface ChangedLength {
  /** `26 hours instead of 2` */
  readonly lengths: string
  /** What --duration takes for the length before; undefined for an event without one. */
  readonly duration: string | undefined
}

function changedLength({ action, before, values }: Step): ChangedLength | undefined {
  if (action !== 'update' || !before || values.start_date === undefined || values.end_date !== undefined)
    return undefined
  const [old, next] = [partsOf(before), partsOf({ ...before, ...values })]
  if (!old || !next || String(old) === String(next)) return undefined
  const units = [old, next].map(parts => parts.map(([, unit]) => unit).join())
  const oldText = units[0] === units[1] && old.length === 1 ? String(old[0]?.[0]) : textOf(old)
  return {
    lengths: `${textOf(next)} instead of ${oldText}`,
    duration: old.some(([size]) => size > 0) ? old.map(([size, unit]) => `${size}${unit[0]}`).join('') : undefined,
  }
}

type Part = readonly [size: number, unit: 'day' | 'hour' | 'minute']

const textOf = (parts: readonly Part[]): string => parts.map(([size, unit]) => counted(size, unit)).join(' ')

/** How long an event lasts by its wall times; one that lasts all day, with its last day. */
function partsOf({ start_date: start, end_date: end, all_day: isWholeDay }: Values): readonly Part[] | undefined {
  const [from, to] = [start, end].map(date => readDate(String(date))?.wall)
  if (from === undefined || to === undefined) return undefined
  const minutes = Math.round((wallMs(to) - wallMs(from)) / 60_000)
  if (isWholeDay === true) return [[Math.ceil(minutes / (24 * 60)), 'day']]
  const parts: Part[] = [
    [Math.floor(minutes / 60), 'hour'],
    [minutes % 60, 'minute'],
  ]
  const filled = parts.filter(([size]) => size > 0)
  return filled.length > 0 ? filled : [[0, 'minute']]
}
