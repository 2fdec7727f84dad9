import { ignoreFailure } from '../../../base/attempt.ts'
import { grouped } from '../../../base/groups.ts'
import { listOfFirst } from '../../../base/text/sentence-parts.ts'
import { type DayRange, isOnDays } from '../../../base/time/calendar-words.ts'
import { readDate } from '../../../base/time/dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { showsStored } from '../../../client/adapters/shown-stored-records.ts'
import type { Client } from '../../../client/client.ts'
import { hasName, isSimilar } from '../../../client/find/slugs.ts'
import { wholeListQuery } from '../../../client/find/whole-lists.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { Language } from '../../../contract/languages.ts'
import { isFree, readPrice } from '../../../contract/price.ts'
import { type Answer, quoted, type Resource, titleOf } from '../../../contract/resource.ts'
import { namedRecord } from '../../../contract/resource-words.ts'
import { recordName } from '../../../files/print/record-names.ts'
import { countUses } from '../back-references.ts'
import type { Plan, Step } from '../plan.ts'
import { filterItems } from '../spool.ts'
import { isOnRecord, isRemoval, survivorOf } from '../steps.ts'

const mostNamed = 5

const fewNamed = 3

/** Sentences about costs without a currency, or without an amount. */
export function createCostNotes({ capabilities, calendar }: Client) {
  const bare = new Map<string, string>()
  const words = new Map<string, string>()
  return {
    add({ resource, action, values: { cost }, at }: Step): void {
      if (resource !== 'events' || typeof cost !== 'string' || cost === '') return
      const shown = `${JSON.stringify(cost)}${at ? ` (${at})` : ''}`
      const lack = lackOf(cost)
      if (lack === 'amount') words.set(cost, words.get(cost) ?? shown)
      const isShownInOwn = lack === 'currency' && action === 'create' && !capabilities.keepsCurrencies
      if (isShownInOwn) bare.set(cost, bare.get(cost) ?? shown)
    },
    notes(): string[] {
      const notes: string[] = []
      if (words.size > 0)
        notes.push(
          phrase('{count, plural, one {a cost has} other {costs have}} no amount: {costs}', {
            count: words.size,
            costs: namedCosts(words),
          }),
        )
      if (bare.size > 0)
        notes.push(
          phrase('{calendar} shows {costs} in its own currency, because they name none', {
            calendar: calendar.label,
            costs: namedCosts(bare),
          }),
        )
      return notes
    },
  }
}

/** What a price does not say. */
function lackOf(cost: string): 'amount' | 'currency' | undefined {
  const reading = readPrice(cost)
  if (!('value' in reading)) return undefined
  const { words, money, amounts } = reading.value
  if (words !== undefined) return /\d/.test(cost) || isFree(cost) ? undefined : 'amount'
  return money || amounts.every(amount => amount === '0') ? undefined : 'currency'
}

const namedCosts = (costs: ReadonlyMap<string, string>): string => listOfFirst([...costs.values()], fewNamed)

/** Runs work on which only a note depends, without holding up the plan. */
export type Briefly = <T>(work: () => Promise<T>) => Promise<T>

/** Sentences about events that a file would create although they are in the trash, or on that day at another hour. */
export function createTwinNotes(client: Client, briefly: Briefly | undefined) {
  /** The first and last days of the new events. */
  const spans = new Map<Language | undefined, readonly [string, string]>()
  const read = async (trashed: boolean) => {
    const byDay = new Map<string, Answer[]>()
    for (const [language, days] of briefly ? spans : []) {
      // The first page has to be enough; a list that cannot be read is no reason to stop.
      const query = wholeListQuery({ resource: events, language, trashed, days })
      const page = await briefly?.(() => client.list(events, query).catch(ignoreFailure))
      for (const [key, ofDay] of grouped(page?.records ?? [], record => languageAndDay(language, record)))
        byDay.set(key, ofDay)
    }
    return byDay
  }
  return {
    add(step: Step): void {
      const day = startDay(step)
      if (!briefly || day === undefined) return
      const span = spans.get(step.lang_code)
      if (!span || day < span[0]) spans.set(step.lang_code, [day, span?.[1] ?? day])
      else if (day > span[1]) spans.set(step.lang_code, [span[0], day])
    },
    /** `areByDates` tells whether events are new only because none has their title and dates. */
    async notes(steps: Iterable<Step>, areByDates: boolean): Promise<string[]> {
      const inTrash = [...twinsOf(steps, await read(true), isSimilar)]
      const live = areByDates ? [...twinsOf(steps, await read(false), hasName)] : []
      return [
        ...(inTrash.length > 0 ? [inTrashSentence(client, inTrash)] : []),
        ...(live.length > 0 ? [onThatDaySentence(live)] : []),
      ]
    },
  }
}

/** The records with the titles of events that steps would create, by language and day. */
function* twinsOf(steps: Iterable<Step>, byDay: ReadonlyMap<string, readonly Answer[]>, isTwin: typeof hasName) {
  for (const step of steps) {
    const near = startDay(step) === undefined ? undefined : byDay.get(languageAndDay(step.lang_code, step.values))
    const record = near?.find(one => isTwin(events, step.values, one))
    if (record) yield record
  }
}

const events = resourceNamed('events')

/** The day on which a new event starts; undefined for other steps. */
function startDay({ action, resource, values }: Step): string | undefined {
  if (action !== 'create' || resource !== 'events') return undefined
  return readDate(String(values.start_date))?.wall.slice(0, 10)
}

const languageAndDay = (language: Language | undefined, { start_date: start }: Readonly<Record<string, unknown>>) =>
  `${language ?? ''} ${String(start).slice(0, 10)}`

const onThatDaySentence = (found: readonly Answer[]): string =>
  phrase(
    '{count, plural, one {# of the new events has} other {# of the new events have}} the title of another one on that day, which stays: {events}; if it was moved, put its ID into a column ID',
    {
      count: found.length,
      events: listOfFirst(
        found.map(record => recordName(events, { record })),
        mostNamed,
      ),
    },
  )

function inTrashSentence({ calendar }: Client, found: readonly Answer[]): string {
  const names = found.map(record => recordName(events, { record }))
  return phrase(
    '{count} of the new events {count, plural, one {is} other {are}} in the trash: {events}; to restore {count, plural, one {it} other {them}}: {command}; to leave {count, plural, one {it} other {them}} out, remove {count, plural, one {it} other {them}} from the file',
    {
      count: found.length,
      events: listOfFirst(names, mostNamed),
      command: `calctl events restore ${found.map(({ id }) => id).join(' ')}${calendar.flags ?? ''}`,
    },
  )
}

const beginsBefore = ({ start_date: start }: Answer, days: DayRange): boolean =>
  start !== undefined && !isOnDays(String(start), String(start), days)

/**
 * The events of a selection that begin on its days, and a sentence about the others that would change: a query for Saturday finds
 * exhibitions, too.
 */
export function beginningOn(days: DayRange, events: readonly Answer[], changes = (_: Answer) => true) {
  const begin = events.filter(event => !beginsBefore(event, days))
  const earlier = earlierStarts(events.filter(changes), days)
  if (earlier.count === 0) return { begin, leftOut: [] }
  const said = phrase(
    'left out {count, plural, one {# event that begins} other {# events that begin}} before {day}: {events}; to change {count, plural, one {it} other {them}} as well, pass {count, plural, one {its ID} other {their IDs}}',
    earlier,
  )
  return { begin, leftOut: [said] }
}

/** Adds a note about events that began before the days of a selection, and that the plan removes. */
export function withEarlierStarts(plan: Plan, days: DayRange = {}): Plan {
  const removed = filterItems(plan.steps, step => step.resource === 'events' && isRemoval(step))
  const earlier = earlierStarts(
    [...removed].flatMap(({ before }) => before ?? []),
    days,
  )
  if (earlier.count === 0) return plan
  const note = phrase(
    '{count, plural, one {# event that is removed begins} other {# events that are removed begin}} before {day}: {events}; to leave {count, plural, one {it} other {them}} out, add --where {condition}',
    { ...earlier, condition: days.last === days.first ? `start_date=${days.first}` : `'start_date>=${days.first}'` },
  )
  return { ...plan, notes: [...(plan.notes ?? []), note] }
}

function earlierStarts(selected: readonly Answer[], days: DayRange) {
  const earlier = selected.filter(event => beginsBefore(event, days))
  const named = earlier.map(event => `${quoted(titleOf(events, event))} (${event.id})`)
  return { count: named.length, day: days.first ?? '', events: listOfFirst(named, mostNamed) }
}

/**
 * The sentence for sites where hidden events cannot be listed: no undo can know which of them had the categories and tags that steps
 * delete, and no merge can move those that link to duplicates. Undefined if the steps do neither, or if the site lists hidden events.
 */
export async function hiddenLinksNote(client: Client, steps: Iterable<Step>): Promise<string | undefined> {
  if (client.capabilities.listsHidden) return undefined
  const duplicates: string[] = []
  const deleted: string[] = []
  let language: Step['lang_code']
  for (const step of steps) {
    const resource = resourceNamed(step.resource)
    const isDuplicate = survivorOf(step) !== undefined && step.resource !== 'events'
    if (!isDuplicate && (step.action !== 'delete' || resource.trashable)) continue
    const name = namedRecord(resource.name, JSON.stringify(titleOf(resource, step.before) || String(step.id)))
    ;(isDuplicate ? duplicates : deleted).push(name)
    language ??= step.lang_code
  }
  if (
    duplicates.length + deleted.length === 0 ||
    (await showsStored(client, { resource: resourceNamed('events'), language }))
  )
    return undefined
  const calendar = client.calendar.label
  const records = listOfFirst(duplicates, mostNamed)
  const terms = listOfFirst(deleted, mostNamed)
  if (deleted.length === 0)
    return phrase('{calendar} does not show hidden events here: those of {records} cannot be moved', {
      calendar,
      records,
    })
  if (duplicates.length === 0)
    return phrase('{calendar} does not show hidden events here: an undo will not give them back {terms}', {
      calendar,
      terms,
    })
  return phrase(
    '{calendar} does not show hidden events here: those of {records} cannot be moved, and an undo will not give them back {terms}',
    { calendar, records, terms },
  )
}

/** How many events use the records that a plan removes: one request for each resource, except events. `4 events use this venue` */
export async function usesNotes(client: Client, { steps }: Pick<Plan, 'steps'>): Promise<string[]> {
  const isRemoved = (step: Step) =>
    isOnRecord(step) && isRemoval(step) && survivorOf(step) === undefined && step.resource !== 'events'
  const notes: string[] = []
  for (const [name, records] of grouped(filterItems(steps, isRemoved), ({ resource }) => resource)) {
    const resource = resourceNamed(name)
    const children = await countChildren(client, records)
    if (children > 0)
      notes.push(
        phrase('{count, plural, one {# category below it moves} other {# categories below it move}} up', {
          count: children,
        }),
      )
    const count = await countUses(client, resource, records)
    if (!count) continue
    notes.push(usesNote(count, records.length, records.length < steps.length ? resource : undefined))
    if (client.capabilities.touchesOthers && resource.trashable)
      notes.push(
        phrase(
          'the site takes {records, plural, one {it} other {them}} from up to ten of these events; undo gives {records, plural, one {it} other {them}} back',
          { records: records.length },
        ),
      )
  }
  return notes
}

/** How many categories are below the only one that a plan deletes; the site gives them its parent. */
async function countChildren(client: Client, records: readonly Step[]): Promise<number> {
  const [only, ...others] = records
  if (only?.resource !== 'categories' || others.length > 0) return 0
  const query = wholeListQuery(
    { resource: resourceNamed('categories'), language: only.lang_code },
    { parent: only.id, per_page: 1 },
  )
  const { total } = await client.list(resourceNamed('categories'), query)
  return total
}

/** `4 events use it`; `resource` names the records where a plan has others, too. */
function usesNote(count: number, records: number, resource: Resource | undefined): string {
  if (resource)
    return phrase(
      '{count, plural, one {# event uses} other {# events use}} {records, plural, one {this {record}} other {these {resource}}}',
      { count, records, record: resource.singular, resource: resource.name },
    )
  return records === 1
    ? phrase('{count, plural, one {# event uses it} other {# events use it}}', { count })
    : phrase('{count, plural, one {# event uses them} other {# events use them}}', { count })
}
