import { existsSync } from 'node:fs'
import { asFailure, Failure } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { App } from '../../app.ts'
import { languageNote } from '../../interface-language.ts'
import { resolveTarget } from '../../profiles/resolve.ts'
import { wrapItems } from '../../terminal/table.ts'
import { definitions, widthOfPage } from './show-help.ts'

/**
 * What `calctl` without arguments prints, in at most twelve lines: what to type first, and today's events if they can be read without a
 * network.
 */
export async function greet(app: App): Promise<void> {
  const { stdout } = app.world
  const columns = stdout.isTTY ? stdout.columns : undefined
  const width = widthOfPage({ columns })
  const calendar = await calendarOf(app)
  const note = wrapItems(await languageNote(app.world), width)
  const today = calendar === 'here' ? await todayIn(app, note === '' ? 3 : 2) : []
  const lines = [
    wrapItems(phrase('Administer an events calendar over its REST API'), width),
    '',
    ...definitions(calendar === undefined ? firstSteps() : usualSteps(), width),
    ...(today.length > 0 ? ['', wrapItems(today.join('\n'), columns || Number.POSITIVE_INFINITY)] : []),
  ]
  await stdout.write(`${note}${lines.join('\n')}\n`)
}

/** Where the configured calendar is, if there is one: on this machine, or on the network. */
async function calendarOf({ world, globals }: App): Promise<'here' | 'elsewhere' | undefined> {
  const target = await resolveTarget(world, globals).catch(asFailure)
  if (target instanceof Failure) return undefined
  const { place } = target
  if (place.kind === 'http') return 'elsewhere'
  return place.kind === 'demo' || existsSync(place.file) ? 'here' : undefined
}

const firstSteps = (): [string, string][] => [
  ['calctl login example.org', phrase('connect to a site')],
  ['calctl events list --demo', phrase('try it out with sample events')],
  ['calctl events create', phrase('create an event in a calendar on this machine')],
  ['calctl help', phrase('all commands and topics')],
]

const usualSteps = (): [string, string][] => [
  ['calctl agenda', phrase('events of the next seven days')],
  ['calctl events create', phrase('create an event')],
  ['calctl apply season.xlsx', phrase('create and update records from a sheet')],
  ['calctl undo', phrase('take back the last change')],
  ['calctl help', phrase('all commands and topics')],
]

/** Today's events with a heading, in as many lines at most, if there are any. If the calendar cannot be read, the command that needs it will say so. */
async function todayIn(app: App, mostLines: number): Promise<string[]> {
  const { readDatedEvents } = await import('../shared/dated-events.ts')
  const { hoursOn } = await import('../../../files/print/day-events.ts')
  const onToday = async (now: string) => ({ first: now.slice(0, 10), last: now.slice(0, 10) })
  const found = await readDatedEvents(app, {}, onToday).catch(asFailure)
  if (found instanceof Failure) return []
  const { days, today, words } = found
  const lines = (days.get(today) ?? []).map(
    event => `  ${[hoursOn(event, today, words), event.title, event.venue].filter(part => part).join('  ')}`,
  )
  if (lines.length === 0) return []
  const left = lines.length > mostLines ? lines.length - mostLines + 1 : 0
  const more = phrase('{count} more: calctl agenda --today', { count: left })
  return [phrase('Today:'), ...(left > 0 ? [...lines.slice(0, mostLines - 1), `  ${more}`] : lines)]
}
