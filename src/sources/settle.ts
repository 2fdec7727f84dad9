import { listOf } from '../base/text/sentence-parts.ts'
import { phrase } from '../base/words/phrase.ts'
import { allSignsOf } from '../changes/plan/identity.ts'
import type { Invalid, Plan, SourceWord, Step } from '../changes/plan/plan.ts'
import { createSpool } from '../changes/plan/spool.ts'
import { isRemoval } from '../changes/plan/steps.ts'
import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import { comparedWith, isEmptyIn, knownValue } from '../contract/record.ts'
import { type Answer, quoted, titleOf } from '../contract/resource.ts'
import { fieldLabel } from '../contract/resource-words.ts'
import { type Base, threeWayMerge } from '../contract/three-way-merge.ts'
import { type Remembered, type SourceMemory, saysTheSame } from './memory.ts'
import { type Origin, type SourceRules, type Subject, winnerOf } from './subjects.ts'
import { deciderOf, markOn, wasThere } from './three-sides.ts'
import { removalSign } from './word.ts'

const events = resourceNamed('events')

interface Settling {
  readonly subjects: readonly Subject[]
  /** The subjects by the place of their record. */
  readonly byPlace: ReadonlyMap<string, Subject>
  readonly memory: SourceMemory
  readonly rules: readonly SourceRules[]
  /** The command by which a person settles what waits. */
  readonly review: string
  readonly now: Date
}

export interface Settled {
  readonly plan: Plan
  /** Remembers what no step writes: first what nobody has to be told, then, once they have been told, what waits for a person. */
  remember(isTold: boolean): void
}

/** What stays as it is on the site, until a person decides: by field, what the sources say. */
type Held = ReadonlyMap<string, unknown>

/**
 * Settles a plan of what sources say with what others changed: where both did, differently, the value of the site stays, and the conflict
 * waits for a person. Each step gets the words that are remembered once it is done.
 */
export function settle(made: Plan, settling: Settling): Settled {
  const { subjects, byPlace, memory, review, now } = settling
  const steps = createSpool<Step>()
  const conflicts: Invalid[] = []
  const helds = new Map<Subject, Held>()
  const told = new Set<Subject>()
  const written = new Set<Subject>()
  const add = (subject: Subject, found: readonly Invalid[]) => {
    if (found.length > 0) told.add(subject)
    conflicts.push(...found)
  }
  for (const step of made.steps) {
    const subject = byPlace.get(step.at ?? '')
    if (!subject) {
      const removal = removalOf(step, memory, now)
      if (removal) steps.add(removal)
      continue
    }
    const { held, values } = heldIn(step, subject, settling)
    helds.set(subject, held)
    add(subject, newConflicts(step, subject, { held, review }))
    if (step.action === 'update' && Object.keys(values).length === 0) continue
    written.add(subject)
    steps.add({ ...step, values, words: wordsOf(subject, held, now) } as Step)
  }
  for (const subject of subjects) add(subject, newDoubts(subject, review))
  const invalid = new Set(made.invalid.map(({ at }) => at))
  const remember = (isTold: boolean) => {
    for (const [place, subject] of byPlace)
      if (!invalid.has(place) && told.has(subject) === isTold)
        rememberSubject(subject, memory, {
          held: helds.get(subject) ?? new Map(),
          isWritten: written.has(subject),
          now,
        })
    for (const subject of subjects) if (told.has(subject) === isTold) rememberLeftOut(subject, memory, now)
  }
  return { plan: { ...made, steps, invalid: [...made.invalid, ...conflicts] }, remember }
}

/** The removal of a date that a series lost, unless a person restored it after an earlier run had removed it. */
function removalOf(step: Step, memory: SourceMemory, now: Date): Step | undefined {
  if (step.resource !== 'events' || step.id === undefined || !isRemoval(step)) return step
  const known = memory.byRecord({ resource: 'events', id: step.id })
  if (known.some(({ mark }) => mark === 'trashed')) return undefined
  const words = known.map(({ source, key, said, when }): SourceWord => {
    const removed = { [removalSign]: true }
    return { source, key, said: { ...said, ...removed }, when: { ...when, [removalSign]: now.toISOString() } }
  })
  return words.length > 0 ? { ...step, words } : step
}

/** The fields of a step that a person changed as well, and the values of the others. */
function heldIn(step: Step, subject: Subject, { rules }: Settling): { held: Held; values: Values } {
  const { before: theirs } = step
  if ((step.action !== 'update' && step.action !== 'restore') || !theirs)
    return { held: new Map(), values: step.values }
  const base = baseOf(subject.origins, step)
  const isHeld = ([name, value]: [string, unknown]) =>
    deciderOf(subject.origins, name, rules) !== 'source' &&
    threeWayMerge(events, { base, mine: { [name]: value }, theirs }).conflicts.length > 0
  const held = new Map<string, unknown>()
  const values: Record<string, unknown> = {}
  for (const entry of Object.entries(step.values)) {
    const [name, value] = entry
    if (isHeld(entry)) held.set(name, winnerOf(subject.origins, name)?.word?.said[name] ?? null)
    else values[name] = value
  }
  return { held, values }
}

/** The record as it was when the word of the sources was taken. What they never said counts as empty then. */
const baseOf =
  (origins: readonly Origin[], { action, values: mine }: Step): Base =>
  (name, field, theirs: Answer) => {
    // The trash changes status and slug, and a link disappears with the record that it leads to.
    const isByTrash = ['status', 'slug'].includes(name) || (field.of !== undefined && isEmptyIn(name, field, theirs))
    if (action === 'restore' && isByTrash) return 'unknown'
    const event = origins.find(({ event }) => event && name in event.left)?.event
    if (event) return comparedWith({ name, field, record: theirs }, event.left[name])
    if (!(name in mine)) return 'unknown'
    const isKnown = origins.some(({ event }) => event?.record)
    return isKnown && isEmptyIn(name, field, theirs) ? 'same' : 'changed'
  }

function newConflicts(
  step: Step,
  { origins }: Subject,
  { held, review }: { readonly held: Held; readonly review: string },
): Invalid[] {
  const isKnown = ([name, value]: [string, unknown]) =>
    origins.some(({ event }) => event?.waiting && name in event.waiting && saysTheSame(event.waiting[name], value))
  const fresh = [...held].filter(entry => !isKnown(entry)).map(([name]) => name)
  if (fresh.length === 0) return []
  const fields = listOf(fresh.map(name => fieldLabel(name, events.fields[name])))
  const title = quoted(titleOf(events, step.before))
  const message = phrase('{title}: changed both by the source and on the site, differently: {fields}', {
    title,
    fields,
  })
  return [conflict(step.at ?? step.key, message, `${review} ${step.id}`)]
}

/** Events of which nobody knows whether they are in the calendar, if that is new. */
function newDoubts({ origins, perhaps }: Subject, review: string): Invalid[] {
  const [{ word, key, event } = {} as Origin] = origins
  if (!perhaps || !word || removalSign in word.said || saysTheSame(event?.perhaps, perhaps)) return []
  const title = quoted(String(word.said.title))
  const message =
    perhaps.length > 0
      ? phrase('{title} may be in the calendar already: {ids}', { title, ids: perhaps.join(', ') })
      : phrase('{title} is new, or somebody removed it before the memory of its source was lost', { title })
  return [conflict(word.record.place, message, `${review} ${key}`)]
}

const conflict = (at: string, message: string, command: string): Invalid => ({
  at,
  resource: 'events',
  isConflict: true,
  message,
  hint: phrase('settle it with: {command}', { command }),
})

/** What is remembered of all origins once a step is done: of those that say nothing now, too, the record is as the step leaves it. */
const wordsOf = ({ origins }: Subject, held: Held, now: Date): SourceWord[] =>
  origins.map(origin => {
    const { source, key, event } = origin
    return { source, key, ...(event && event.key !== key && { was: event.key }), ...taken(origin, held, now) }
  })

/** What an origin says, as far as it is taken: where it waits for a person, what it said before. */
function taken({ word, event }: Origin, held: Held, now: Date): Pick<SourceWord, 'said' | 'when'> {
  const { said: earlier = {}, when: before = {}, waiting } = event ?? {}
  if (!word) return { said: earlier, when: before }
  const said: Record<string, unknown> = {}
  const when: Record<string, string> = {}
  const last: Values = { ...earlier, ...waiting }
  for (const [name, value] of Object.entries(word.said)) {
    when[name] = (saysTheSame(value, last[name]) && before[name]) || now.toISOString()
    if (!held.has(name)) said[name] = value
    else if (name in earlier) said[name] = earlier[name]
  }
  // What is to be cleared, and waits.
  for (const name of held.keys()) if (name in earlier && !(name in said)) said[name] = earlier[name]
  return { said, when }
}

const neverSaid: Pick<Remembered, 'said' | 'when' | 'left'> & Partial<Remembered> = { said: {}, when: {}, left: {} }

interface Outcome {
  readonly held: Held
  readonly isWritten: boolean
  readonly now: Date
}

/** Remembers conflicts, and what site and source agree on. What a step writes is remembered from its journal. */
function rememberSubject({ live, origins }: Subject, memory: SourceMemory, { held, isWritten, now }: Outcome): void {
  if (!live) {
    rememberWaiting(origins, memory, held)
    return
  }
  const agreed = origins.map(origin => {
    // What another origin decides was not compared with the record.
    const own = Object.entries(taken(origin, held, now).said).filter(([name]) => winnerOf(origins, name) === origin)
    return agreedValues(live, Object.fromEntries(own), origin.event)
  })
  for (const origin of origins) {
    const { source, key, word, event } = origin
    const { waiting: _, mark: __, perhaps: ___, absent: ____, ...kept } = event ?? neverSaid
    const left = Object.assign({}, kept.left, ...agreed)
    if (event && event.key !== key) memory.remove(event)
    if (!word && event) memory.put({ ...event, left })
    if (!word) continue
    const isOwn = (name: string) =>
      winnerOf(origins, name) === origin || (event && name in event.said && !(name in word.said))
    const waiting = [...held].filter(([name]) => isOwn(name))
    memory.put({
      ...kept,
      ...(!isWritten && taken(origin, held, now)),
      source,
      key,
      left,
      record: { resource: 'events', id: live.id, signs: allSignsOf('events', live) },
      ...(waiting.length > 0 && { waiting: Object.fromEntries(waiting) }),
      ...(event?.mark === 'undone' &&
        saysTheSame(word.said, { ...event.said, ...event.waiting }) && { mark: 'undone' }),
    })
  }
}

/** Remembers what waits of an event that a step restores: the rest is remembered from its journal. */
function rememberWaiting(origins: readonly Origin[], memory: SourceMemory, held: Held): void {
  for (const origin of origins) {
    const waiting = [...held].filter(([name]) => winnerOf(origins, name) === origin)
    if (origin.event && waiting.length > 0) memory.put({ ...origin.event, waiting: Object.fromEntries(waiting) })
  }
}

/** The values of the record where the source says something new that the site has already. */
function agreedValues(live: Answer, said: Values, event: Remembered | undefined): Values {
  const isNew = (name: string) => !event || !(name in event.said) || !saysTheSame(said[name], event.said[name])
  return Object.fromEntries(
    Object.keys(said).flatMap(name => {
      const field = events.fields[name]
      const value = field && isNew(name) ? knownValue(name, field, live) : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Remembers events that are left alone: a person removed them, or must say whether they are already in the calendar. */
function rememberLeftOut(subject: Subject, memory: SourceMemory, now: Date): void {
  const { trashed, perhaps, origins } = subject
  if (!isLeftOut(subject)) return
  const record = trashed && { resource: 'events' as const, id: trashed.id, signs: allSignsOf('events', trashed) }
  for (const origin of origins) {
    const { source, key, word, event } = origin
    if (!word) continue
    if (event && event.key !== key) memory.remove(event)
    const { waiting: _, ...kept } = event ?? { left: {} }
    memory.put({
      ...kept,
      source,
      key,
      ...taken(origin, new Map(), now),
      ...(record && !event?.record && { record }),
      ...(perhaps ? { perhaps } : { mark: 'rejected' }),
    })
  }
}

function isLeftOut(subject: Subject): boolean {
  const { live, perhaps } = subject
  if (live) return false
  const mark = markOn(subject)
  return perhaps !== undefined || (wasThere(subject) && (mark === undefined || mark === 'rejected'))
}
