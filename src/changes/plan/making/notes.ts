import { ignoreFailure } from '../../../base/attempt.ts'
import { grouped, groupedWithKey } from '../../../base/groups.ts'
import { isObject } from '../../../base/text/json.ts'
import { listOfFirst, saidOfCounts } from '../../../base/text/sentence-parts.ts'
import { type DayRange, isOnDays } from '../../../base/time/calendar-words.ts'
import { dayAfter, daysBetween, readDate } from '../../../base/time/dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { showsStored } from '../../../client/adapters/shown-stored-records.ts'
import type { Client, Values } from '../../../client/client.ts'
import { isSimilar, lettersKey } from '../../../client/find/slugs.ts'
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
    notes: () =>
      saidOfCounts([
        [words.size, count => lackingAmount(count, namedCosts(words))],
        [bare.size, () => lackingCurrency(calendar.label, namedCosts(bare))],
      ]),
  }
}

const lackingAmount = (count: number, costs: string): string =>
  phrase('{count, plural, one {a cost has} other {costs have}} no amount: {costs}', { count, costs })

const lackingCurrency = (calendar: string, costs: string): string =>
  phrase('{calendar} shows {costs} in its own currency, because they name none', { calendar, costs })

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

/** In days: what an event with the same title may have been moved by. */
const mostMoved = 14

/** More are not read for a note. */
const mostRead = 500

/** Sentences about new events of a file that may be existing ones: in the trash, at another hour or day, or with another title. */
export function createTwinNotes(client: Client, briefly: Briefly | undefined) {
  /** The first and last days of the new events. */
  const spans = new Map<Language | undefined, readonly [string, string]>()
  /** The events that rows of the file stand for. */
  const meant = new Set<number>()
  let areUnnamed = false
  /** Reads events that other rows do not mean; the result finds those with the same key as a step. */
  const read = async (trashed: boolean, margin: number) => {
    const found: [language: Language | undefined, record: Answer][] = []
    const readAll = async (language: Language | undefined, days: readonly [string, string]) => {
      const query = wholeListQuery({ resource: events, language, trashed, days })
      for await (const { records } of client.pages(events, query, mostRead))
        for (const record of records) if (!meant.has(record.id)) found.push([language, record])
    }
    // A list that cannot be read is no reason to stop.
    for (const [language, [first, last]] of spans)
      await briefly?.(() => readAll(language, [dayAfter(first, -margin), dayAfter(last, margin)]).catch(ignoreFailure))
    return (keyOf: (record: Values) => string | undefined) => {
      const withKey = groupedWithKey(found, ([language, record]) => keyIn(language, keyOf(record)))
      return (step: Step) => withKey.get(keyIn(step.lang_code, keyOf(step.values)) ?? '')?.map(([, record]) => record)
    }
  }
  return {
    addMeant: ({ id }: Answer): void => void meant.add(id),
    /** `isUnnamed` tells whether an event may be new only because the title or dates of an existing one were changed. */
    add(step: Step, isUnnamed: boolean): void {
      const day = startDay(step)
      if (!briefly || day === undefined) return
      areUnnamed ||= isUnnamed
      const span = spans.get(step.lang_code)
      if (!span || day < span[0]) spans.set(step.lang_code, [day, span?.[1] ?? day])
      else if (day > span[1]) spans.set(step.lang_code, [span[0], day])
    },
    async notes(steps: Iterable<Step>): Promise<string[]> {
      const trashed = (await read(true, 0))(titleKey)
      const inTrash = twinsOf(steps, step => trashed(step)?.find(record => isSimilar(events, step.values, record)))
      const live = areUnnamed ? await read(false, mostMoved) : () => () => undefined
      const [withTitle, atPlace] = [live(titleKey), live(placeKey)]
      const moved = twinsOf(steps, step => movedFrom(step, withTitle(step)))
      const renamed = twinsOf(steps, step => atPlace(step)?.[0])
      return saidOfCounts([
        [inTrash.length, () => inTrashSentence(client, inTrash)],
        [moved.length, () => movedSentence(moved)],
        [renamed.length, () => renamedSentence(renamed)],
      ])
    },
  }
}

/** A new event and an existing one that it may be. */
interface Twins {
  readonly step: Step
  readonly record: Answer
}

const nameOf = ({ record }: Twins): string => recordName(events, { record })

const namedTwins = (twins: readonly Twins[], name = nameOf): string => listOfFirst(twins.map(name), mostNamed)

function twinsOf(steps: Iterable<Step>, twinOf: (step: Step) => Answer | undefined): Twins[] {
  const twins: Twins[] = []
  for (const step of steps) {
    const record = startDay(step) === undefined ? undefined : twinOf(step)
    if (record) twins.push({ step, record })
  }
  return twins
}

const events = resourceNamed('events')

/** The day on which a new event starts; undefined for other steps. */
const startDay = ({ action, resource, values }: Step): string | undefined =>
  action === 'create' && resource === 'events' ? startOf(values)?.slice(0, 10) : undefined

const startOf = ({ start_date: start }: Values): string | undefined => readDate(String(start))?.wall

const keyIn = (language: Language | undefined, key: string | undefined) => key && `${language ?? ''} ${key}`

const titleKey = ({ title }: Values): string | undefined => lettersKey(title)

/** The start and the venue of an event that has one. */
function placeKey(event: Values): string | undefined {
  const [venue] = [event.venue].flat()
  const id = isObject(venue) ? venue.id : venue
  return id ? `${startOf(event)} ${id}` : undefined
}

/** The event of that day, or the only one near it, among those with the title of a new event. */
function movedFrom(step: Step, titled: readonly Answer[] = []): Answer | undefined {
  const day = startDay(step) ?? ''
  const distance = (record: Answer) => Math.abs(daysBetween(day, startOf(record)?.slice(0, 10) ?? day))
  const [near, ...others] = titled.filter(record => distance(record) <= mostMoved)
  return titled.find(record => distance(record) === 0) ?? (others.length === 0 ? near : undefined)
}

const movedSentence = (twins: readonly Twins[]): string =>
  phrase(
    '{count, plural, one {# of the new events has} other {# of the new events have}} the title of another one on that day or near it, which stays: {events}; if it was moved, put its ID into a column ID',
    { count: twins.length, events: namedTwins(twins) },
  )

function renamedSentence(twins: readonly Twins[]): string {
  const bothNames = (both: Twins) => `${quoted(titleOf(events, both.step.values))} / ${nameOf(both)}`
  return phrase(
    '{count, plural, one {# of the new events has} other {# of the new events have}} the start and place of another one, which stays: {events}; if only the title was changed, put its ID into a column ID',
    { count: twins.length, events: namedTwins(twins, bothNames) },
  )
}

const inTrashSentence = ({ calendar }: Client, found: readonly Twins[]): string =>
  phrase(
    '{count} of the new events {count, plural, one {is} other {are}} in the trash: {events}; to restore {count, plural, one {it} other {them}}: {command}; to leave {count, plural, one {it} other {them}} out, remove {count, plural, one {it} other {them}} from the file',
    {
      count: found.length,
      events: namedTwins(found),
      command: `calctl events restore ${found.map(({ record }) => record.id).join(' ')}${calendar.flags ?? ''}`,
    },
  )

const beginsBefore = ({ start_date: start }: Answer, days: DayRange): boolean =>
  start !== undefined && !isOnDays(String(start), String(start), days)

/**
 * The events of a selection that begin on its days, and a sentence about the others that would change: a query for Saturday finds
 * exhibitions, too.
 */
export function beginningOn(days: DayRange, events: readonly Answer[], changes = (_: Answer) => true) {
  const begin = events.filter(event => !beginsBefore(event, days))
  const earlier = earlierStarts(events.filter(changes), days)
  const said = () =>
    phrase(
      'left out {count, plural, one {# event that begins} other {# events that begin}} before {day}: {events}; to change {count, plural, one {it} other {them}} as well, pass {count, plural, one {its ID} other {their IDs}}',
      earlier,
    )
  return { begin, leftOut: saidOfCounts([[earlier.count, said]]) }
}

/** Adds a note about events that began before the days of a selection, and that the plan removes. */
export function withEarlierStarts(plan: Plan, days: DayRange = {}): Plan {
  const removed = filterItems(plan.steps, step => step.resource === 'events' && isRemoval(step))
  const before = [...removed].flatMap(step => step.before ?? [])
  const earlier = earlierStarts(before, days)
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
  if (duplicates.length + deleted.length === 0) return undefined
  if (await showsStored(client, { resource: events, language })) return undefined
  const named = (names: readonly string[]) => listOfFirst(names, mostNamed)
  const places = { calendar: client.calendar.label, records: named(duplicates), terms: named(deleted) }
  if (deleted.length === 0)
    return phrase('{calendar} does not show hidden events here: those of {records} cannot be moved', places)
  if (duplicates.length === 0)
    return phrase('{calendar} does not show hidden events here: an undo will not give them back {terms}', places)
  return phrase(
    '{calendar} does not show hidden events here: those of {records} cannot be moved, and an undo will not give them back {terms}',
    places,
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
    notes.push(...saidOfCounts([[children, movesUp]]))
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

const movesUp = (count: number): string =>
  phrase('{count, plural, one {# category below it moves} other {# categories below it move}} up', { count })

/** How many categories are below the only one that a plan deletes; the site gives them its parent. */
async function countChildren(client: Client, records: readonly Step[]): Promise<number> {
  const [only, ...others] = records
  if (only?.resource !== 'categories' || others.length > 0) return 0
  const resource = resourceNamed('categories')
  const query = wholeListQuery({ resource, language: only.lang_code }, { parent: only.id, per_page: 1 })
  return (await client.list(resource, query)).total
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
