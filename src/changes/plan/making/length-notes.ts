import { listOfFirst } from '../../../base/text/sentence-parts.ts'
import { readDate, wallMs } from '../../../base/time/dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Values } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { recordName } from '../../../files/print/record-names.ts'
import type { Step } from '../plan.ts'

const fewNamed = 3

/** A sentence about events that become longer or shorter because an update gives their start, but neither an end nor a length. */
export function createLengthNotes({ isFile }: { readonly isFile: boolean }) {
  const named: string[] = []
  const durations = new Set<string | undefined>()
  let sentence = ''
  return {
    /** `requested` is what was asked for: a step has only the values that change. */
    add(step: Step, requested: Values): void {
      const changed = 'end_date' in requested || 'all_day' in requested ? undefined : changedLength(step)
      if (!changed) return
      const name = recordName(resourceNamed(step.resource), { record: step.before ?? {} })
      sentence = phrase('{event} would last {lengths}', { event: name, lengths: changed.lengths })
      named.push(named.length < fewNamed ? `${name} ${changed.lengths}` : '')
      durations.add(changed.duration)
    },
    notes(): string[] {
      const count = named.length
      if (count === 0) return []
      const [duration] = durations.size === 1 ? durations : []
      const events = listOfFirst(named, fewNamed)
      const many = phrase('{count} events would get longer or shorter: {events}', { count, events })
      return [`${count === 1 ? sentence : many}; ${moveAsWhole(count, isFile, duration)}`]
    },
  }
}

/** How to move events without making them longer or shorter. */
function moveAsWhole(count: number, isFile: boolean, duration: string | undefined): string {
  if (isFile)
    return phrase('{count, plural, one {to move it as a whole} other {to move them as a whole}}, give the end, too', {
      count,
    })
  if (duration === undefined)
    return phrase('{count, plural, one {to move it as a whole} other {to move them as a whole}} use --shift', { count })
  return phrase(
    '{count, plural, one {to move it as a whole} other {to move them as a whole}} use --shift, or add --duration {duration}',
    { count, duration },
  )
}

/** `26 hours instead of 2`, and the former length in the form for --duration, which an event without one does not have. */
function changedLength({ action, before, values }: Step) {
  if (action !== 'update' || !before || values.start_date === undefined || values.end_date !== undefined)
    return undefined
  const [old, next] = [partsOf(before), partsOf({ ...before, ...values })]
  if (!old || !next || String(old) === String(next)) return undefined
  const units = [old, next].map(parts => parts.map(([, unit]) => unit).join())
  const oldText = units[0] === units[1] && old.length === 1 ? String(old[0]?.[0]) : textOf(old)
  return {
    lengths: phrase('{length} instead of {before}', { length: textOf(next), before: oldText }),
    duration: old.some(([size]) => size > 0) ? old.map(([size, unit]) => `${size}${unit[0]}`).join('') : undefined,
  }
}

type Part = readonly [size: number, unit: 'day' | 'hour' | 'minute']

const textOf = (parts: readonly Part[]): string => parts.map(partText).join(' ')

function partText([count, unit]: Part): string {
  if (unit === 'day') return phrase('{count, plural, one {# day} other {# days}}', { count })
  if (unit === 'hour') return phrase('{count, plural, one {# hour} other {# hours}}', { count })
  return phrase('{count, plural, one {# minute} other {# minutes}}', { count })
}

/** How long an event lasts by its wall times; an all-day event includes its last day. */
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
