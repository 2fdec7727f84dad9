/**
 * calctl events cancel, postpone, publish, their reverses, and move: what people do with events, as updates and creates. Input: refs, or criteria
 * that select events. Output: one run, which can be undone.
 */

import type { Command } from 'commander'
import { attempt } from '../../base/attempt.ts'
import { forExample, usage } from '../../base/failure.ts'
import { shellWord } from '../../base/text/escaping.ts'
import { dayLength, daysBetween, isEveryDay, readDate, type WallSpan } from '../../base/time/dates.ts'
import type { TypedSpan } from '../../base/time/typed-dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { RefLine } from '../../changes/plan/making/from-refs.ts'
import type { Change } from '../../client/change.ts'
import type { Client, Values } from '../../client/client.ts'
import { type EventStatus, eventStatusOf, statusReasonOf } from '../../contract/event-status.ts'
import { isUnpublished } from '../../contract/post-status.ts'
import type { Answer, Resource, VerbName } from '../../contract/resource.ts'
import { recordName } from '../../files/print/record-names.ts'
import type { App } from '../app.ts'
import { buildContext } from './shared/build-context.ts'
import { translationOptions } from './shared/language-options.ts'
import { type Verb, verbCommand } from './shared/options.ts'
import { declareOutput, writeOutput } from './shared/output-forms.ts'
import { carryOutFor, changePlan, chosenLines, type ManyOptions } from './shared/plan-from-refs.ts'
import { planOptions } from './shared/plan-options.ts'
import { lastArguments, refsArgument } from './shared/ref-arguments.ts'
import { areMany, areOnStdin, type RefChoice, selectingOptions, selectionGiven } from './shared/refs.ts'

type VerbOptions = ManyOptions & Values & { readonly reason?: string }

/** What a verb does to each event. */
interface EventChange {
  readonly change: Change
  /** Throws for an event to which the verb does not apply. */
  check?(event: Answer): void
  /** Whether the verb applies to an event of a selection; absent if it applies to each. */
  applies?(event: Answer): boolean
  readonly reverse?: VerbName | undefined
  /** Whether nothing needs to change in an event. */
  isDone(event: Answer): boolean
  /** Says so. */
  done(names: { readonly event: string }): string
}

const selectsBy = (resource: Resource) => ({ resource, taken: ['to'] })

interface ChangingVerb {
  readonly name: VerbName
  readonly description: string
  /** The verb that takes this one back later. */
  readonly reverse?: VerbName
  /** Adds the options that other verbs do not have. */
  addOptions?(command: Command): void
  change(options: VerbOptions, client: () => Promise<Client>, texts: string[]): Promise<EventChange>
}

/** Defines a verb that changes events, with the options that all such verbs have. */
function changingVerb([parent, resource, app]: Parameters<Verb>, verb: ChangingVerb): void {
  if (resource.name !== 'events') return
  const selecting = selectsBy(resource)
  const command = refsArgument(verbCommand(parent, resource, verb.name, verb.description), resource, 'stdin')
  verb.addOptions?.(command)
  translationOptions(command)
  selectingOptions(command, selecting)
  planOptions(command)
  declareOutput(command, writeOutput(resource))
  command.action(async (given: string[], options: VerbOptions) => {
    const texts = [...given]
    const wanted = await verb.change(options, () => app.client({ toPlan: true }), texts)
    const changes = wanted.applies ?? ((record: Answer) => needsWrite({ record }, wanted))
    const all = { ...options, createMissing: true as const }
    const choice = { selecting: { ...selecting, changes }, texts, options: all }
    await changeEvents(app, choice, { ...wanted, reverse: verb.reverse })
  })
}

const reasonOption = (command: Command): Command => command.option('--reason <text>', phrase('Why; visitors see it'))

export const cancel: Verb = (...of) =>
  changingVerb(of, {
    name: 'cancel',
    description: phrase('Mark events as cancelled; the reverse is uncancel'),
    reverse: 'uncancel',
    addOptions: reasonOption,
    change: async ({ reason }) => ({
      change: { values: statusValues('canceled', reason) },
      isDone: event => hasStatus(event, 'canceled', reason),
      done: names => phrase('{event} is already cancelled; nothing was changed', names),
    }),
  })

export const postpone: Verb = (...of) => {
  const [, , app] = of
  changingVerb(of, {
    name: 'postpone',
    description: phrase('Mark events as postponed; the reverse is unpostpone'),
    reverse: 'unpostpone',
    addOptions: command => reasonOption(command.option('--to <date>', phrase('The new day, or day and time'))),
    async change({ reason, to }, client) {
      if (to !== undefined) await checkComing(app, await client(), to)
      else await app.notice(phrase('no new date is given: the date stays as it is; with a new one: --to DATE'))
      return {
        change: {
          values: statusValues('postponed', reason),
          ...(to !== undefined && { moveTo: to, moveOption: '--to' }),
        },
        isDone: event => to === undefined && hasStatus(event, 'postponed', reason),
        done: names => phrase('{event} is already postponed; nothing was changed', names),
      }
    },
  })
}

export const move: Verb = (...of) => {
  const [, resource, app] = of
  changingVerb(of, {
    name: 'move',
    description: phrase('Move events to another day or time, the last argument'),
    addOptions: command => void lastArguments.set(command, 'date'),
    async change(options, client, texts) {
      const [first = '12'] = texts
      const isSelection = selectionGiven(selectsBy(resource), options).length > 0
      const date = await takeNewDate(app, texts, isSelection ? 0 : 1)
      const read = date === undefined ? undefined : await readNewDate(app, await client(), date)
      const isRef = !read?.ok && (texts.length === 0 || /^\d+$/.test(String(date)))
      const isMissing = isRef && !isSelection
      if (date === undefined || read === undefined || isMissing)
        throw usage(phrase('the new date is missing'), forExample(`calctl events move ${shellWord(first)} 2026-12-08`))
      spanIn(read, phrase('the new date'))
      return {
        change: { values: {}, moveTo: date },
        isDone: () => true,
        done: names => phrase('{event} already has this date; nothing was changed', names),
      }
    },
  })
}

export const publish: Verb = (...of) =>
  changingVerb(of, {
    name: 'publish',
    description: phrase('Publish drafts and pending events; the reverse is unpublish'),
    reverse: 'unpublish',
    change: async () => ({
      change: { values: { status: 'publish' } },
      check: checkUnpublished,
      applies: event => isUnpublished(String(event.status)),
      isDone: isOut,
      done: names => phrase('{event} is already published; nothing was changed', names),
    }),
  })

export const unpublish: Verb = (...of) =>
  changingVerb(of, {
    name: 'unpublish',
    description: phrase('Make drafts of published events'),
    change: async () => ({
      change: { values: { status: 'draft' } },
      applies: isOut,
      isDone: event => !isOut(event),
      done: names => phrase('{event} is not published; nothing was changed', names),
    }),
  })

const isOut = ({ status }: Answer): boolean => status === 'publish' || status === 'future'

export const uncancel: Verb = (...of) =>
  changingVerb(of, {
    name: 'uncancel',
    description: phrase('Take back a cancellation, with its reason'),
    change: async () =>
      withoutStatus('canceled', names => phrase('{event} is not cancelled; nothing was changed', names)),
  })

export const unpostpone: Verb = (...of) =>
  changingVerb(of, {
    name: 'unpostpone',
    description: phrase('Take back a postponement, with its reason; the date stays'),
    change: async () =>
      withoutStatus('postponed', names => phrase('{event} is not postponed; nothing was changed', names)),
  })

/** Clears all that a status has set, in the events that have it. */
function withoutStatus(status: EventStatus, done: EventChange['done']): EventChange {
  const applies = (event: Answer) => eventStatusOf(event) === status
  return {
    change: { values: { event_status: '', event_status_reason: '' } },
    applies,
    isDone: event => !applies(event),
    done,
  }
}

const statusValues = (status: EventStatus, reason: string | undefined): Values => ({
  event_status: status,
  ...(reason !== undefined && { event_status_reason: reason }),
})

const hasStatus = (event: Answer, status: EventStatus, reason: string | undefined): boolean =>
  eventStatusOf(event) === status && (reason === undefined || statusReasonOf(event) === reason)

function checkUnpublished({ id, status }: Answer): void {
  if (status !== 'private') return
  throw usage(
    phrase('event {id} is private; publish is for drafts and pending events', { id }),
    phrase('to make it public: {command}', { command: `calctl events update ${id} --status publish` }),
  )
}

/** Takes a date from the end of arguments, in as many words as can be read: `12 monday 7`. The first `refs` are no part of it. */
export async function takeNewDate(app: App, texts: string[], refs: number): Promise<string | undefined> {
  const client = await app.client({ toPlan: true })
  for (let at = refs; at < texts.length - 1; at += 1) {
    const words = texts.slice(at).join(' ')
    // `12 13 20:00` are two events.
    if (!/^\d+ \d/.test(words) && (await readNewDate(app, client, words)).ok) return texts.splice(at).join(' ')
  }
  return texts.pop()
}

export async function readNewDate(app: App, client: Client, text: string): Promise<TypedSpan> {
  const date = readDate(text)
  if (date?.offset !== undefined) return { ok: true, span: { from: date.wall, until: date.wall } }
  const { readSpan } = await import('../../base/time/typed-dates.ts')
  const { siteTime } = await import('./shared/read-criteria.ts')
  return readSpan(text, date ? '' : await siteTime(app, client))
}

/** The days or the time in a reading; throws if the text could not be read. */
export function spanIn(read: TypedSpan, label: string): WallSpan {
  if (!read.ok) throw usage(`${label}: ${read.message}`, read.hint)
  return read.span
}

async function checkComing(app: App, client: Client, text: string): Promise<void> {
  const { siteTime } = await import('./shared/read-criteria.ts')
  const span = spanIn(await readNewDate(app, client, text), '--to')
  if (isEveryDay(span) || span.until >= (await siteTime(app, client))) return
  throw usage(
    phrase('--to: {date} is past', { date: span.until.slice(0, 10) }),
    phrase('to correct the date of a past event, use: calctl events move REF DATE'),
  )
}

/** The options of a verb; if a tag says the status, the tag is created. */
type ChangingOptions = VerbOptions & { readonly createMissing: true }

/** Changes events that were named one by one, or those of a selection as a plan that is confirmed. */
async function changeEvents(app: App, choice: RefChoice<ChangingOptions>, wanted: EventChange): Promise<void> {
  const { selecting, texts, options } = choice
  const { resource } = selecting
  const { applies } = wanted
  // Whether translations of named events are written, too, is asked once the events are known.
  const alone = { ...choice, options: { ...options, allLanguages: false } }
  const chosen = await chosenLines(app, areMany(selecting, texts, options) ? choice : alone)
  const { seriesOf } = chosen
  const change = seriesOf ? await changeOfSeries(app, seriesOf, wanted.change) : wanted.change
  if (!chosen.isNamed) {
    const { planUpdates } = await import('../../changes/plan/making/from-refs.ts')
    const { values } = change
    const valuesFor = (before: Answer) => (applies?.(before) ? { before, values } : undefined)
    const plan = applies
      ? await planUpdates(await buildContext(app), chosen, Object.keys(values), valuesFor)
      : await changePlan(app, chosen, change, options)
    return carryOutFor(app, { plan, chosen, options })
  }
  const lines = chosen.lines.map(line => checkedLine(line, chosen.lines.length, wanted))
  const toWrite = { ...chosen, lines: lines.filter(line => needsWrite(line, wanted)) }
  const plan = await changePlan(app, toWrite, change, options)
  const { followTranslations } = await import('./shared/translations.ts')
  const records = lines.flatMap(({ record }) => record ?? [])
  const followed = { resource, records, plan, wish: options.allLanguages }
  // What cannot be done is told before a question.
  if (records.length === lines.length && (await followTranslations(app, followed))) {
    const { bySlug: _, ...others } = options
    const ids = records.map(({ id }) => String(id))
    const inAll = { selecting, texts: ids, options: { ...others, allLanguages: true as const } }
    const all = await chosenLines(app, inAll)
    const inLanguages = await changePlan(app, all, change, options)
    return carryOutFor(app, { plan: inLanguages, chosen: all, options, policy: { isConfirmed: true } })
  }
  const already = (record: Answer) =>
    wanted.isDone(record) ? wanted.done({ event: recordName(resource, { record }) }) : undefined
  await carryOutFor(app, { plan, chosen: { ...chosen, lines }, options, policy: { already } })
  if (wanted.reverse && toWrite.lines.length > 0 && !options.dryRun && options.save === undefined)
    await sayReverse(app, wanted.reverse, texts)
}

/** A new day moves each event of a series by the same number of days; a new hour is the hour of all. */
export async function changeOfSeries(app: App, { start_date: start }: Answer, change: Change): Promise<Change> {
  const { moveTo: to, ...rest } = change
  const { start_date: typed, ...values } = change.values
  const moveTo = to ?? (typed === undefined ? undefined : String(typed))
  const others = { ...rest, values, ...(to === undefined && { moveOption: '--start-date' }) }
  const client = await app.client({ toPlan: true })
  const end = values.end_date === undefined ? undefined : await readNewDate(app, client, String(values.end_date))
  if (end?.ok && !isEveryDay(end.span))
    throw usage(
      phrase('{option} would put all events of the series on one day', { option: '--end-date' }),
      phrase('give the hour alone, or a length with --duration'),
    )
  if (moveTo === undefined) return change
  const span = spanIn(await readNewDate(app, client, moveTo), others.moveOption ?? phrase('the new date'))
  if (isEveryDay(span)) return { ...others, moveTo }
  const days = daysBetween(String(start).slice(0, 10), span.from.slice(0, 10))
  return { ...others, shift: days * dayLength, ...(span.from === span.until && { moveTo: span.from.slice(11, 16) }) }
}

/** An undo of the run would take back this change only until somebody else changes the event. */
async function sayReverse(app: App, reverse: VerbName, texts: readonly string[]): Promise<void> {
  if (areOnStdin(texts)) return
  const command = `calctl events ${reverse} ${texts.map(shellWord).join(' ')}`
  await app.notice(phrase('to take it back one day: {command}', { command }))
}

/** A line with the failure of an event to which the verb does not apply, which is thrown if it is the only one. */
function checkedLine(line: RefLine, count: number, { check, isDone }: EventChange): RefLine {
  const { record } = line
  if (!record || !check || isDone(record)) return line
  const failure = attempt(() => check(record))
  if (failure && count === 1) throw failure
  return failure ? { ...line, failure } : line
}

const needsWrite = ({ record }: Pick<RefLine, 'record'>, { change, isDone }: EventChange): boolean =>
  record === undefined || change.moveTo !== undefined || !isDone(record)
