/**
 * Asks for an event at a terminal, one question after another, with a way back to earlier questions. Input: the values of options. Output:
 * what was typed, by option, at any time, so that nothing is lost if the dialog ends early.
 */

import { attempt } from '../../base/attempt.ts'
import { answeredNo, asFailure, Failure } from '../../base/failure.ts'
import { shellWord } from '../../base/text/escaping.ts'
import { lettersMistake } from '../../base/text/mojibake.ts'
import { asOption, capitalized } from '../../base/text/sentence-parts.ts'
import { writtenDay } from '../../base/time/calendar-words.ts'
import { plusDays } from '../../base/time/dates.ts'
import { readStartAndEnd, readTyped, type TypedDate } from '../../base/time/typed-dates.ts'
import { readEnd, sharedHalf } from '../../base/time/when.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isImagePath } from '../../contract/kinds/image-kind.ts'
import { checkTyped, checkValue } from '../../contract/kinds/kind-values.ts'
import { isDayAlone } from '../../contract/resource.ts'
import { shortDate } from '../../files/print/record-names.ts'
import type { App } from '../app.ts'
import { askOneFrom, askReading, askValid, askYesNo, WentBack } from '../terminal/prompts.ts'
import { chooseRecord } from './event-dialog/choose-record.ts'

/** What has been typed so far, by option; kept even if the dialog ends early. */
type Typed = Record<string, unknown>

/** What a dialog begins with: the values of options, what has been typed, and whether an option gives the length of the event. */
interface Draft {
  readonly given: Values
  readonly typed: Typed
  readonly hasLength: boolean
}

/** A dialog about one event. */
interface Dialog extends Draft {
  readonly app: App
  readonly client: Client
  /** The time zone of the event. */
  readonly zone: string
  /** The answers as they were typed, by question, to be shown again after going back. */
  readonly texts: Map<string, string>
}

/** A question of the dialog. The questions on which it depends come before it. */
interface Question {
  isAsked(dialog: Dialog): boolean
  ask(dialog: Dialog): Promise<void>
}

/** A dialog that asks for what an event lacks, and for what people usually know about it. Does not ask for what is in `given`. */
export async function eventDialog(app: App, client: Client, draft: Draft) {
  const zone = String(draft.given.timezone || (await client.timezone()) || app.world.timeZone())
  const texts = new Map([['is day', isDayAlone(draft.given.start_date) ? 'yes' : 'no']])
  const dialog: Dialog = { ...draft, app, client, zone, texts }
  await app.notice(phrase('Enter skips what is not required; < goes back to the question before.'))
  const asked: number[] = []
  let next = 0
  const goBack = () => {
    next = asked.pop() ?? 0
  }
  return {
    /** Asks the next question that has not been answered yet, until there is none. */
    async ask() {
      while (next < questions.length) {
        const at = next
        const question = questions[at]
        next += 1
        if (!question?.isAsked(dialog)) continue
        try {
          await question.ask(dialog)
          asked.push(at)
        } catch (error) {
          if (!(error instanceof WentBack)) throw error
          goBack()
        }
      }
    },
    /** Makes the last question the next one again. */
    goBack,
  }
}

const isMissing =
  (name: string) =>
  ({ given }: Dialog): boolean =>
    given[name] === undefined

/** Asks for a text; the earlier answer, if there is one, is already in the line. */
async function askText(
  { app, texts }: Dialog,
  name: string,
  message: string,
  validate: Parameters<typeof askValid>[2],
): Promise<string> {
  const text = await askValid(app.world, message, validate, { initial: texts.get(name), canGoBack: true })
  texts.set(name, text)
  return text
}

/** Asks a question that is usually answered with yes; an earlier answer is the default. */
async function askUsual({ app, texts }: Dialog, name: string, message: string): Promise<boolean> {
  const usual = texts.get(name) === 'no' ? 'no' : 'yes'
  const isYes = await askYesNo(app.world, message, { usual, canGoBack: true })
  texts.set(name, isYes ? 'yes' : 'no')
  return isYes
}

const askForTitle = async (dialog: Dialog): Promise<void> => {
  const check = (text: string) =>
    text.trim() === '' ? phrase('an event needs a title') : (lettersMistake(text)?.message ?? true)
  dialog.typed.title = await askText(dialog, 'title', phrase('Title:'), check)
}

/** Whether a text can be read; if it has several readings, the dialog asks which one is meant. */
const isReadable = (read: TypedDate | ReturnType<typeof readStartAndEnd>): boolean =>
  read !== undefined && (read.ok || read.readings !== undefined)

const mistakeOf = (date: TypedDate): string | true => date.ok || `${date.message} (${date.hint})`

/** Asks for a date and, if it has several readings, which one is meant. */
async function askForDate(dialog: Dialog, name: string, message: string, day?: string): Promise<string> {
  const { app, zone } = dialog
  const read = (text: string) => readTyped(text, zone, app.world.now(), day)
  const period = (text: string) => (day === undefined ? readStartAndEnd(text, zone, app.world.now()) : undefined)
  const check = (text: string) => isReadable(period(text)) || isReadable(read(text)) || mistakeOf(read(text))
  const validate = (text: string) =>
    day === undefined || /\d/.test(text) ? check(text) : phrase('expected a time, such as 19:00')
  const text = await askText(dialog, name, message, validate)
  const reading = period(text) ?? read(text)
  if (reading.ok || !reading.readings) return text
  const readings = reading.readings.map(one => (day === undefined || one.length > 5 ? one : `${day} ${one}`))
  try {
    return await askReading(app.world, text, readings, true)
  } catch (error) {
    if (!(error instanceof WentBack)) throw error
    return askForDate(dialog, name, message, day)
  }
}

/** Asks for the start, and asks again if it is in the past, because a wrong year is easily typed. */
async function askForStart(dialog: Dialog): Promise<void> {
  const { app, zone } = dialog
  for (;;) {
    const text = await askForDate(dialog, 'start', phrase('Starts, for example tomorrow 19:00:'))
    const period = readStartAndEnd(text, zone, app.world.now())
    const start = readTyped(period?.ok ? period.start : text, zone, app.world.now())
    if (!start.ok) continue
    const wall = start.dayOnly ? start.wall.slice(0, 10) : start.wall.slice(0, 16)
    if (!(await isMeant(dialog, wall))) continue
    setStart(dialog, wall, period?.ok ? period : undefined)
    return
  }
}

/** Sets the start, and what follows from it: a day alone may be an all-day event, and the text may also contain the end. */
function setStart(dialog: Dialog, wall: string, period: { end?: string; isAllDay: boolean } | undefined): void {
  const { typed, texts } = dialog
  for (const name of ['all_day', 'end_date']) delete typed[name]
  typed.start_date = wall
  if (period?.end !== undefined) typed.end_date = period.end
  if (period?.isAllDay) typed.all_day = true
  texts.set('says end', period?.end === undefined ? 'no' : 'yes')
  texts.set('is day', wall.length === 10 && period === undefined ? 'yes' : 'no')
}

async function isMeant({ app, zone }: Dialog, wall: string): Promise<boolean> {
  const today = readTyped('today', zone, app.world.now())
  const day = wall.slice(0, 10)
  if (!today.ok || day >= today.wall.slice(0, 10)) return true
  const question = phrase('{day} is past. Is that right?', { day: capitalized(writtenDay(day, interfaceLanguage())) })
  return askYesNo(app.world, question, { canGoBack: true })
}

const isDay = ({ texts }: Dialog): boolean => texts.get('is day') === 'yes'

async function askForAllDay(dialog: Dialog): Promise<void> {
  const { typed } = dialog
  if (await askUsual(dialog, 'all day', phrase('Does it last all day?'))) typed.all_day = true
  else delete typed.all_day
}

async function askForTime(dialog: Dialog): Promise<void> {
  const { app, typed, zone } = dialog
  const day = String(typed.start_date ?? dialog.given.start_date).slice(0, 10)
  const text = await askForDate(dialog, 'time', phrase('Start time, for example 19:00:'), day)
  const time = readTyped(text, zone, app.world.now(), day)
  if (time.ok) typed.start_date = time.wall.slice(0, 16)
}

const isWholeDay = ({ given, typed }: Dialog): boolean => given.all_day === true || typed.all_day === true

async function askForEnd(dialog: Dialog): Promise<void> {
  const { app, given, typed, zone } = dialog
  const written = String(typed.start_date ?? given.start_date)
  const read = readTyped(written, zone, app.world.now())
  // A start that cannot be read was given as an option, and has already been refused.
  if (!read.ok) return
  const [now, isWhole] = [app.world.now(), isWholeDay(dialog)]
  const day = read.wall.slice(0, 10)
  const year = now.toISOString().slice(0, 4)
  const message = isWhole
    ? phrase('Last day (Enter: {day} alone):', { day: shortDate(read.wall, year, true) })
    : phrase('Ends, for example 21:00, 90 min or a date:')
  const endIn = (text: string) => {
    const { hour, end = text.trim() === '' && isWhole ? day : text } = sharedHalf(written, text.trim()) ?? {}
    const wall = hour === undefined ? read.wall : `${day} ${hour}:00`
    return { ...readEnd(end, { wall, isWholeDay: isWhole, zone }, { now }), hour }
  }
  const check = (text: string): string | true => {
    const end = endIn(text)
    if (!end.ok) return end.readings !== undefined || capitalized(end.message)
    if (!isWhole && end.dayOnly)
      return capitalized(phrase('add the time, for example {example}', { example: `${text.trim()} 21:00` }))
    if (isWhole ? end.wall.slice(0, 10) >= day : end.wall > read.wall) return true
    return capitalized(phrase('that is before it starts, {date}', { date: shortDate(read.wall, year, isWhole) }))
  }
  const text = await askText(dialog, 'end', message, check)
  const end = endIn(text)
  if (end.hour !== undefined) typed.start_date = `${day} ${end.hour}`
  if (end.ok) typed.end_date = end.wall.slice(0, isWhole ? 10 : 16)
  else if (end.readings) typed.end_date = await askReading(app.world, text, end.readings, true)
}

async function askForVenue({ app, client, typed }: Dialog): Promise<void> {
  const question = { message: phrase('Venue:'), chosen: typed.venue }
  setLinks(typed, 'venue', await chooseRecord(app, client, resourceNamed('venues'), question))
}

/** Sets links to records, some of which may be new. */
function setLinks(typed: Typed, name: string, links: unknown): void {
  if (links === undefined) delete typed[name]
  else typed[name] = links
  const isNew = [typed.venue, typed.categories].flat().some(link => typeof link === 'string')
  if (isNew) typed.create_missing = true
  else delete typed.create_missing
}

/** Asks for categories until there are no more; going back removes the last one. */
async function askForCategories({ app, client, typed }: Dialog): Promise<void> {
  const chosen = [typed.categories ?? []].flat() as (number | string)[]
  for (;;) {
    setLinks(typed, 'categories', chosen.length > 0 ? [...chosen] : undefined)
    const message = chosen.length === 0 ? phrase('Category:') : phrase('Another category:')
    try {
      const category = await chooseRecord(app, client, resourceNamed('categories'), { message, without: chosen })
      if (category === undefined) return
      chosen.push(category)
    } catch (error) {
      if (!(error instanceof WentBack) || chosen.pop() === undefined) throw error
    }
  }
}

async function askForCost(dialog: Dialog): Promise<void> {
  const { app, client, typed } = dialog
  const { cost } = resourceNamed('events').fields
  const check = (text: string) => (cost && text.trim() !== '' ? checkTyped(cost, text.trim()) : undefined)
  const cannot = client.capabilities.takesEveryValue ? undefined : cost?.site?.cannot
  const text = await askText(dialog, 'cost', phrase('Price, for example 5 € (Enter: none):'), answer => {
    const checked = check(answer)
    if (checked?.ok && cannot?.forbids(checked.value, 'publish'))
      return capitalized(`${cannot.reason(client.calendar.label, checked.value)} (${cannot.wayOut(checked.value)})`)
    if (checked === undefined || checked.ok || checked.mistake?.readings) return true
    return capitalized(checked.mistake?.message ?? phrase('expected {expected}', { expected: checked.expected }))
  })
  const checked = check(text)
  if (checked?.ok) typed.cost = checked.value
  else if (checked?.mistake?.readings) typed.cost = await askReading(app.world, text, checked.mistake.readings, true)
  else delete typed.cost
}

/** Asks for an image: a file, or one that is already on the site or elsewhere on the web. */
async function askForImage(dialog: Dialog): Promise<void> {
  const { image: field } = resourceNamed('events').fields
  // File managers put quotation marks around paths that are dropped on a terminal.
  const plain = (text: string) => text.trim().replace(/^(['"])(.*)\1$/, '$2')
  const check = (text: string) => (field && text !== '' && !isImagePath(text) ? checkValue(field, text) : undefined)
  const message = phrase('Image, as a file, an ID or a URL (Enter: none):')
  const text = plain(
    await askText(dialog, 'image', message, async answer => {
      const image = plain(answer)
      if (isImagePath(image)) return imageProblem(dialog.app, image)
      const checked = check(image)
      return checked === undefined || checked.ok || phrase('expected {expected}', { expected: checked.expected })
    }),
  )
  const checked = check(text)
  if (text === '') delete dialog.typed.image
  else dialog.typed.image = checked?.ok ? checked.value : text
}

async function imageProblem(app: App, path: string): Promise<string | true> {
  const { checkedImage } = await import('./shared/image-files.ts')
  const image = await checkedImage(app, path, {}).catch(asFailure)
  return image instanceof Failure ? capitalized(image.message) : true
}

async function askForDescription(dialog: Dialog): Promise<void> {
  const { typed } = dialog
  const message = phrase('Description, on one line (Enter: none):')
  const description = (await askText(dialog, 'description', message, () => true)).trim()
  if (description === '') delete typed.description
  else typed.description = description
}

const questions: readonly Question[] = [
  { isAsked: isMissing('title'), ask: askForTitle },
  { isAsked: isMissing('start_date'), ask: askForStart },
  { isAsked: dialog => isDay(dialog) && isMissing('all_day')(dialog), ask: askForAllDay },
  { isAsked: dialog => isDay(dialog) && !isWholeDay(dialog), ask: askForTime },
  {
    isAsked: dialog => isMissing('end_date')(dialog) && !dialog.hasLength && dialog.texts.get('says end') !== 'yes',
    ask: askForEnd,
  },
  { isAsked: isMissing('venue'), ask: askForVenue },
  { isAsked: isMissing('cost'), ask: askForCost },
  { isAsked: isMissing('categories'), ask: askForCategories },
  { isAsked: isMissing('image'), ask: askForImage },
  { isAsked: isMissing('description'), ask: askForDescription },
]

/** What can be done with the event at the end of a dialog. */
type Outcome = 'create' | 'draft' | 'repeat' | 'nothing'

/** Asks at the end what to do with the event; throws `declined` for nothing. */
export async function approveEvent(
  { world }: App,
  { status, isDouble }: { readonly status: unknown; readonly isDouble: boolean },
): Promise<Exclude<Outcome, 'nothing'>> {
  const create = { name: phrase('Create it'), value: 'create' } as const
  const publish = { name: phrase('Create and publish it'), value: 'create' } as const
  const draft = { name: phrase('Create it as a draft'), value: 'draft' } as const
  const repeat = { name: phrase('Repeat it on other days'), value: 'repeat' } as const
  const nothing = { name: phrase('Create nothing'), value: 'nothing' } as const
  const ways = status === undefined ? [publish, draft, repeat] : [status === 'publish' ? publish : create, repeat]
  const choices = isDouble ? [nothing, ...ways] : [...ways, nothing]
  const chosen = await askOneFrom<Outcome>(world, phrase('What now?'), choices, { canGoBack: true })
  if (chosen === 'nothing') throw answeredNo(phrase('nothing was written'))
  return chosen
}

/** Asks on which days there are more events like one that starts at this wall time. */
export async function askForRepetition({ world }: App, start: string): Promise<string> {
  const { readRepetition } = await import('../../base/time/repetitions.ts')
  const { readingMistake } = await import('../../contract/reading.ts')
  const { repeatDates } = await import('../../files/icalendar/occurrences.ts')
  const context = { start: start.slice(0, 10), now: start }
  const message = phrase('On which days? For example every Tuesday until June:')
  return askValid(world, message, text => {
    const reading = readRepetition(text, context)
    const mistake = readingMistake(reading, text)
    if (mistake || !('value' in reading)) return capitalized(`${mistake?.message} (${mistake?.hint})`)
    const { rule } = reading.value
    const end = /COUNT=|UNTIL=/.test(rule) ? {} : { until: plusDays(context.start, 400) ?? '' }
    const failed = attempt(() => repeatDates(start, rule, { ...end, ...reading.value }))
    return !(failed instanceof Failure) || capitalized(`${failed.message} (${failed.details.hint})`)
  })
}

/** The same failure with a command line for what was typed, unless something may already have been written. */
export function withTyped({ world }: App, failure: Failure, typed: Typed): Failure {
  const { kind, message, details } = failure
  if (Object.keys(typed).length === 0 || details.done !== undefined || kind === 'conflict' || kind === 'partial')
    return failure
  const words = [...world.args, ...Object.entries(typed).flatMap(([name, value]) => optionWords(name, value))]
  const line = phrase('you typed: {command}', { command: commandIn(words, world.stderr.columns) })
  return new Failure(kind, message, { ...details, hint: [details.hint, line].filter(part => part).join('; ') })
}

/** A command line, with an option a line if a terminal has fewer columns than it. */
function commandIn(words: readonly string[], columns = Number.POSITIVE_INFINITY): string {
  const line = `calctl ${words.map(shellWord).join(' ')}`
  if (line.length + leastBefore <= columns) return line
  return words.reduce((text, word) => `${text}${word.startsWith('--') ? ' \\\n  ' : ' '}${shellWord(word)}`, 'calctl')
}

/** The words before a command in a hint, and a margin. */
const leastBefore = 24

function optionWords(name: string, value: unknown): string[] {
  if (value === true) return [asOption(name)]
  return [value].flat().flatMap(item => [asOption(name), String(item)])
}
