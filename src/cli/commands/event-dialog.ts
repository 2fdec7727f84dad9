import { Failure } from '../../base/failure.ts'
import { sanitizeLine, shellWord } from '../../base/text/escaping.ts'
import { asOption, capitalized, foldText, similarName } from '../../base/text/similarity.ts'
import { endAfter, readLength } from '../../base/time/durations.ts'
import { readTyped } from '../../base/time/typed-dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client, Values } from '../../client/client.ts'
import { wholeListQuery } from '../../client/find/whole-lists.ts'
import { lastDay } from '../../client/resolve-change.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isImagePath } from '../../contract/kinds/image-kind.ts'
import { checkTyped, checkValue } from '../../contract/kinds/kind-values.ts'
import { type Answer, type Resource, titleOf } from '../../contract/resource.ts'
import { shortDate } from '../../files/print/readable.ts'
import type { App } from '../app.ts'
import { askChoice, askValid, askYesNo, type Choice } from '../terminal/prompts.ts'
import { editText } from './shared/edit-session.ts'

/** What has been typed so far, by option: what was asked for is in it even if the dialog ends early. */
type Typed = Record<string, unknown>

/** The event of a dialog: what the options say, what has been typed, and whether an option gives its length. */
interface Draft {
  readonly given: Values
  readonly typed: Typed
  readonly hasLength: boolean
}

/**
 * Asks at a terminal for an event: what it is called, when it is and where, what it costs, its categories, its image, and whether it
 * is published. Enter goes on without what is not required. What is in `given` is not asked for.
 */
export async function askForEvent(app: App, client: Client, draft: Draft): Promise<void> {
  const { world } = app
  const { given, typed } = draft
  if (given.title === undefined)
    typed.title = await askValid(
      world,
      phrase('Title:'),
      text => text.trim() !== '' || phrase('an event needs a title'),
    )
  await askForDates(app, client, draft)
  if (given.venue === undefined) await askForVenue(app, client, typed)
  if (given.cost === undefined) await askForCost(app, typed)
  if (given.categories === undefined) await askForCategories(app, client, typed)
  if (given.image === undefined) await askForImage(app, typed)
  if (given.description === undefined && (await askYesNo(world, phrase('Write a description in your editor?')))) {
    const description = (await editText(app, 'description.txt', '')).trim()
    if (description !== '') typed.description = description
  }
  if (given.status === undefined && !(await askYesNo(world, phrase('Publish it? If not, it is a draft.'), true)))
    typed.status = 'draft'
}

async function askForCost({ world }: App, typed: Typed): Promise<void> {
  const { cost } = resourceNamed('events').fields
  const check = (text: string) => (cost && text.trim() !== '' ? checkTyped(cost, text.trim()) : undefined)
  const text = await askValid(world, phrase('Price, for example 5 € (Enter: none):'), answer => {
    const checked = check(answer)
    return checked === undefined || checked.ok || phrase('expected {expected}', { expected: checked.expected })
  })
  const checked = check(text)
  if (checked?.ok) typed.cost = checked.value
}

/** An image is a file, or one that is on the site already or elsewhere on the web. */
async function askForImage(app: App, typed: Typed): Promise<void> {
  const { image: field } = resourceNamed('events').fields
  // File managers put quotes around paths that are dropped on a terminal.
  const plain = (text: string) => text.trim().replace(/^(['"])(.*)\1$/, '$2')
  const check = (text: string) => (field && text !== '' && !isImagePath(text) ? checkValue(field, text) : undefined)
  const text = plain(
    await askValid(app.world, phrase('Image, as a file, an ID or a URL (Enter: none):'), async answer => {
      const image = plain(answer)
      if (isImagePath(image)) return imageProblem(app, image)
      const checked = check(image)
      return checked === undefined || checked.ok || phrase('expected {expected}', { expected: checked.expected })
    }),
  )
  const checked = check(text)
  if (checked?.ok) typed.image = checked.value
  else if (text !== '') typed.image = text
}

async function imageProblem(app: App, path: string): Promise<string | true> {
  const { checkedImage } = await import('./shared/image-files.ts')
  try {
    await checkedImage(app, path, {})
    return true
  } catch (error) {
    if (error instanceof Failure) return capitalized(error.message)
    throw error
  }
}

async function askForDates(app: App, client: Client, { given, typed, hasLength }: Draft): Promise<void> {
  const { world } = app
  const zone = String(given.timezone || (await client.timezone()) || world.timeZone())
  const read = (text: string, day?: string) => readTyped(text, zone, world.now(), day)
  const check = (day?: string) => (text: string) => {
    const date = read(text, day)
    return date.ok || `${date.message} (${date.hint})`
  }
  const isAsked = given.start_date === undefined
  const startText = isAsked
    ? await askValid(world, phrase('Starts, for example tomorrow 19:00:'), check())
    : String(given.start_date)
  const start = read(startText)
  // A start that cannot be read was given as an option, and has been refused before.
  if (!start.ok) return
  let { wall } = start
  const day = wall.slice(0, 10)
  const askForTime = async () => {
    const time = read(await askValid(world, phrase('Start time, for example 19:00:'), withTime(check(day))), day)
    return time.ok ? time.wall : start.wall
  }
  const isDay = isAsked && start.dayOnly
  if (isAsked) typed.start_date = isDay ? day : wall.slice(0, 16)
  if (isDay && given.all_day === undefined && (await askYesNo(world, phrase('Does it last all day?'), true)))
    typed.all_day = true
  const isWholeDay = given.all_day === true || typed.all_day === true
  if (isDay && !isWholeDay) {
    wall = await askForTime()
    typed.start_date = wall.slice(0, 16)
  }
  if (given.end_date !== undefined || hasLength) return
  typed.end_date = await askForEnd(app, { wall, isWholeDay, zone })
}

/** A day alone does not say when an event starts. */
const withTime = (check: (text: string) => string | true) => (text: string) =>
  /\d/.test(text) ? check(text) : phrase('expected a time, such as 19:00')

async function askForEnd({ world }: App, start: EventStart): Promise<string> {
  const context = { now: world.now(), year: world.now().toISOString().slice(0, 4) }
  const shown = shortDate(start.wall, context.year, start.isWholeDay)
  const message = start.isWholeDay
    ? phrase('Last day (Enter: {day} alone):', { day: shown })
    : phrase('Ends, for example 21:00, 2h or a date:')
  const text = await askValid(world, message, typed => {
    const end = readEnd(typed, start, context)
    return end.ok || capitalized(end.message)
  })
  const end = readEnd(text, start, context)
  return end.ok ? end.wall.slice(0, start.isWholeDay ? 10 : 16) : text
}

async function askForVenue(app: App, client: Client, typed: Typed): Promise<void> {
  const venue = await chooseRecord(app, client, resourceNamed('venues'), { message: phrase('Venue:') })
  if (venue === undefined) return
  typed.venue = venue
  if (typeof venue === 'string') typed.create_missing = true
}

async function askForCategories(app: App, client: Client, typed: Typed): Promise<void> {
  const chosen: (number | string)[] = []
  for (;;) {
    const message = chosen.length === 0 ? phrase('Category:') : phrase('Another category:')
    const category = await chooseRecord(app, client, resourceNamed('categories'), { message, without: chosen })
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
  const line = phrase('you typed: {command}', { command: `calctl ${words.map(shellWord).join(' ')}` })
  return new Failure(kind, message, { ...details, hint: [details.hint, line].filter(part => part).join('; ') })
}

function optionWords(name: string, value: unknown): string[] {
  if (value === true) return [asOption(name)]
  return [value].flat().flatMap(item => [asOption(name), String(item)])
}

/** So many records are read at once, and searched here; the site searches in longer lists. */
const readAtOnce = 500

/** The number of choices to offer at a time. */
const offered = 8

/**
 * Lets the user choose a venue or a term by typing a part of its name: its ID, the name of a new one, or undefined for none. Those in
 * `without` are not offered.
 */
async function chooseRecord(
  { world }: App,
  client: Client,
  resource: Resource,
  { message, without = [] }: { readonly message: string; readonly without?: readonly unknown[] },
): Promise<number | string | undefined> {
  const search = await searchIn(client, resource)
  const none = {
    name: without.length > 0 ? phrase('No more') : phrase('No {record}', { record: resource.singular }),
    value: undefined,
  }
  return askChoice<number | string | undefined>(world, message, async (term, signal) => {
    const found = (await search.find(term.trim(), signal)).filter(({ id }) => !without.includes(id))
    const choices = found.slice(0, offered).map(record => choiceOf(resource, record, found))
    if (term.trim() === '') return [none, ...choices]
    const name = term.trim()
    if (found.some(record => foldText(nameOf(resource, record)) === foldText(name))) return choices
    if (resource.name === 'categories' && isPriceOrDate(name, world.now()))
      return [...choices, { ...none, name: phrase('None: "{name}" is a price or a date, not a category', { name }) }]
    const close = await search.closeTo(name)
    const meant = close && !without.includes(close.id) ? [choiceOf(resource, close, [close])] : []
    return [
      ...meant,
      ...choices,
      { name: phrase('New {record} "{name}"', { record: resource.singular, name }), value: name },
    ]
  })
}

const nameOf = (resource: Resource, record: Answer): string => sanitizeLine(titleOf(resource, record)).trim()

/** Records of one name are told apart by their cities and IDs. */
function choiceOf(resource: Resource, record: Answer, all: readonly Answer[]): Choice<number> {
  const name = nameOf(resource, record)
  const isAlone = all.filter(other => nameOf(resource, other) === name).length === 1
  const details = [record.city, record.id].filter(detail => detail !== undefined && detail !== '')
  return {
    name: isAlone ? name : `${name} (${details.map(detail => sanitizeLine(String(detail))).join(', ')})`,
    value: record.id,
  }
}

interface Search {
  find(term: string, signal: AbortSignal): Promise<readonly Answer[]>
  /** The record whose name a new one is probably meant to be. */
  closeTo(name: string): Promise<Answer | undefined>
}

/** Whether a name is what somebody types who was asked for something else: `15 €`, `free`, `5 December`. */
const isPriceOrDate = (name: string, now: Date): boolean =>
  /^[^\p{L}\d]*\d+([.,]\d+)?\s*(€|eur|euros?|\$|£)?[^\p{L}\d]*$/iu.test(name) ||
  /^(free|gratis|gratuït|gratuïta|gratuito|gratuita)$/i.test(name) ||
  readTyped(name, 'UTC', now).ok

/** One request for a short list, and one for each term in a long one. */
async function searchIn(client: Client, resource: Resource): Promise<Search> {
  const query = wholeListQuery({ resource })
  const records: Answer[] = []
  let total = 0
  for await (const page of client.pages(resource, query, readAtOnce)) {
    records.push(...page.records)
    total = page.total
  }
  const byName = records.toSorted((one, other) => nameOf(resource, one).localeCompare(nameOf(resource, other)))
  return {
    async find(term) {
      if (term !== '' && total > records.length)
        return (await client.list(resource, { ...query, search: term, per_page: offered })).records
      return byName.filter(record => foldText(nameOf(resource, record)).includes(foldText(term)))
    },
    async closeTo(name) {
      const close = similarName(
        name,
        byName.map(record => nameOf(resource, record)),
      )
      return byName.find(record => nameOf(resource, record) === close)
    },
  }
}

/** When an event starts, as wall time. */
interface EventStart {
  readonly wall: string
  readonly isWholeDay: boolean
  readonly zone: string
}

type TypedEnd = { readonly ok: true; readonly wall: string } | { readonly ok: false; readonly message: string }

const day = 86_400_000

/** Lengths up to this one are common; `21h` behind an evening is a time. */
const longestUsual = day / 2

/** Reads the end of an event as people type it after its start: a time of the same day, a length, or a date with a time. */
export function readEnd(text: string, start: EventStart, { now, year }: { now: Date; year: string }): TypedEnd {
  const { wall, isWholeDay, zone } = start
  const date = readTyped(text, zone, now, wall)
  const isAfter = date.ok && (isWholeDay ? date.wall.slice(0, 10) >= wall.slice(0, 10) : date.wall > wall)
  const ofLength = isWholeDay
    ? lastDayByLength(text, wall)
    : endByLength(text, start, date.ok && isAfter ? date.wall : undefined)
  if (ofLength) return ofLength
  if (!date.ok) return wrong(date.message)
  if (!isWholeDay && date.dayOnly)
    return wrong(phrase('add the time, for example {example}', { example: `${text.trim()} 21:00` }))
  return isAfter
    ? { ok: true, wall: date.wall }
    : wrong(phrase('that is before it starts, {date}', { date: shortDate(wall, year, isWholeDay) }))
}

/** The last day of an event as the number of its days, which is one if nothing is typed; undefined for other texts. */
function lastDayByLength(text: string, wall: string): TypedEnd | undefined {
  if (text.trim() === '') return { ok: true, wall: `${wall.slice(0, 10)} 00:00:00` }
  const length = readLength(text)
  if (length === undefined) return undefined
  return length % day === 0
    ? { ok: true, wall: lastDay(wall, length) }
    : wrong(phrase('expected whole days, such as 2d'))
}

/** The end of an event as its length; undefined for other texts. `asTime` is the end that the text says if it is a time. */
function endByLength(text: string, { wall, zone }: EventStart, asTime: string | undefined): TypedEnd | undefined {
  const length = readLength(text)
  if (length === undefined) return undefined
  const end = endAfter(wall, length, zone)
  if (asTime === undefined) return { ok: true, wall: end }
  if (length > longestUsual) return undefined
  return wrong(
    phrase('"{text}" can be read as {time} or as a length, until {end}', {
      text,
      time: clockOf(asTime),
      end: clockOf(end),
    }),
  )
}

const clockOf = (wall: string): string => wall.slice(11, 16)

const wrong = (message: string): TypedEnd => ({ ok: false, message })
