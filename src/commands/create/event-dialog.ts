import type { App } from '../../app.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { Failure } from '../../failure.ts'
import { askValid, askYesNo } from '../../terminal/prompts.ts'
import { shortDate } from '../../terminal/readable.ts'
import { shellWord } from '../../text/escaping.ts'
import { asOption, capitalized } from '../../text/words.ts'
import { readTyped } from '../../time/typed-dates.ts'
import { editText } from '../shared/editor.ts'
import { chooseRecord } from './choose-record.ts'
import { type EventStart, readEnd } from './typed-end.ts'

/** What has been typed so far, by option: what was asked for is in it even if the dialog ends early. */
export type Typed = Record<string, unknown>

/**
 * Asks at a terminal for an event: what it is called, when it is and where, and what else people usually know. What is in `given` is
 * not asked for.
 */
export async function askForEvent(
  app: App,
  client: Client,
  given: Values,
  typed: Typed,
  hasEnd: boolean,
): Promise<void> {
  const { world } = app
  if (given.title === undefined)
    typed.title = await askValid(world, 'Title:', text => text.trim() !== '' || 'an event needs a title')
  await askForDates(app, client, given, typed, hasEnd)
  if (given.venue === undefined) await askForVenue(app, client, typed)
  if (given.categories === undefined) await askForCategories(app, client, typed)
  if (given.description === undefined && (await askYesNo(world, 'Write a description in your editor?'))) {
    const description = (await editText(app, 'description.txt', '')).trim()
    if (description !== '') typed.description = description
  }
}

async function askForDates(app: App, client: Client, given: Values, typed: Typed, hasEnd: boolean): Promise<void> {
  const { world } = app
  const zone = String(given.timezone || (await client.timezone()) || world.timeZone())
  const read = (text: string, day?: string) => readTyped(text, zone, world.now(), day)
  const reason = ({ message, hint }: { message: string; hint: string }) => `${message} (${hint})`
  const check = (day?: string) => (text: string) => {
    const date = read(text, day)
    return date.ok || reason(date)
  }
  const startText =
    given.start_date === undefined
      ? await askValid(world, 'Starts, for example tomorrow 19:00:', check())
      : String(given.start_date)
  const date = read(startText)
  // A start that cannot be read was given as an option, and has been refused before.
  if (!date.ok) return
  let { wall } = date
  const isDay = date.dayOnly && given.start_date === undefined
  if (isDay) typed.start_date = wall.slice(0, 10)
  else if (given.start_date === undefined) typed.start_date = wall.slice(0, 16)
  const asksAllDay = isDay && given.all_day === undefined
  if (asksAllDay && (await askYesNo(world, 'Does it last all day?', true))) typed.all_day = true
  const isWholeDay = given.all_day === true || typed.all_day === true
  if (isDay && !isWholeDay) {
    const day = wall.slice(0, 10)
    const clock = read(await askValid(world, 'Start time, for example 19:00:', withTime(check(day))), day)
    if (clock.ok) wall = clock.wall
    typed.start_date = wall.slice(0, 16)
  }
  if (given.end_date !== undefined || hasEnd) return
  typed.end_date = await askForEnd(app, { wall, isWholeDay, zone })
}

/** A day alone does not say when an event starts. */
const withTime = (check: (text: string) => string | true) => (text: string) =>
  /\d/.test(text) ? check(text) : 'expected a time, such as 19:00'

async function askForEnd({ world }: App, start: EventStart): Promise<string> {
  const context = { now: world.now(), year: world.now().toISOString().slice(0, 4) }
  const shown = shortDate(start.wall, context.year, start.isWholeDay)
  const message = start.isWholeDay ? `Last day (Enter: ${shown} alone):` : 'Ends, for example 21:00, 2h or a date:'
  const text = await askValid(world, message, typed => {
    const end = readEnd(typed, start, context)
    return end.ok || capitalized(end.message)
  })
  const end = readEnd(text, start, context)
  return end.ok ? end.wall.slice(0, start.isWholeDay ? 10 : 16) : text
}

async function askForVenue(app: App, client: Client, typed: Typed): Promise<void> {
  const venue = await chooseRecord(app, client, resourceNamed('venues'), 'Venue:')
  if (venue === undefined) return
  typed.venue = venue
  if (typeof venue === 'string') typed.create_missing = true
}

async function askForCategories(app: App, client: Client, typed: Typed): Promise<void> {
  const chosen: (number | string)[] = []
  for (;;) {
    const message = chosen.length === 0 ? 'Category:' : 'Another category:'
    const category = await chooseRecord(app, client, resourceNamed('categories'), message, chosen)
    if (category === undefined) return
    chosen.push(category)
    typed.categories = [...chosen]
    if (typeof category === 'string') typed.create_missing = true
  }
}

/** The same failure with the command line that has what was typed, unless something may have been written already. */
export function withTyped({ world }: App, failure: Failure, typed: Typed): Failure {
  const { kind, message, details } = failure
  if (Object.keys(typed).length === 0 || details.done !== undefined || kind === 'conflict' || kind === 'partial')
    return failure
  const words = [...world.args, ...Object.entries(typed).flatMap(([name, value]) => optionWords(name, value))]
  const line = `what you typed: calctl ${words.map(shellWord).join(' ')}`
  return new Failure(kind, message, { ...details, hint: [details.hint, line].filter(part => part).join('; ') })
}

function optionWords(name: string, value: unknown): string[] {
  if (value === true) return [asOption(name)]
  return [value].flat().flatMap(item => [asOption(name), String(item)])
}
