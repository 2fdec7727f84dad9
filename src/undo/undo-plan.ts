import type { Client, Values } from '../client/client.ts'
import { comparableValue, equal, wasApplied, writableValue } from '../client/compare.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Field } from '../contract/field.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { effectOf, type Plan, resolveReferences, type Step } from '../plan/plan.ts'
import { isBlank, recordFingerprint, trimRecord, writableValues } from '../plan/record-state.ts'
import {
  createSiteReader,
  type RecordLocation,
  readCurrentRecords,
  recordKey,
  type SiteReader,
} from '../plan/site-reader.ts'
import { batches, createSpool } from '../plan/spool.ts'
import { checkPlanWritten, type JournaledRun } from '../runs/journal-reader.ts'
import { stepLabel } from '../runs/result.ts'
import { gainsOf, givenBack, type Lost, withGains } from './relink.ts'

/** A step that was done: its record then, what it asked for, and the fields as it left them, where that is known. */
interface Done {
  readonly step: Step
  readonly id: number
  readonly asked: Values
  readonly left: Values
}

/** The records that a run wrote, as they are now. */
interface Present {
  readonly live: ReadonlyMap<string, Answer>
  readonly trashed: ReadonlyMap<string, Answer>
  /** The keys of the steps that make deleted terms anew, and bring others back from the trash, by what they were. */
  readonly back: ReadonlyMap<string, string>
  /** What the run made and took away, of what others link to. */
  readonly own: ReadonlySet<string>
}

/** What takes back one step, if anything has to be done, and what it cannot take back. */
interface Undoing {
  readonly step?: Step
  readonly notes?: readonly string[]
}

/** The plan that takes back what a run did, the latest first, and leaves alone what somebody changed since. */
export async function undoPlan(client: Client, past: JournaledRun, made: string): Promise<Plan> {
  checkPlanWritten(past)
  const reader = createSiteReader(client)
  const { anew, lost } = deletedIn(past)
  const back = new Map([...anew, ...(await restoredIn(past, reader))])
  const own = ownOf(past)
  const gains = gainsOf(lost)
  const steps = createSpool<Step>()
  const notes: string[] = []
  let same = 0
  for (const some of batches(doneIn(past))) {
    const present = { ...(await readPresent(reader, some)), back, own }
    for (const one of some) {
      const { step, notes: told = [] } = undoing(one, present)
      notes.push(...told)
      if (step) steps.add(withGains(step, gains, present.live))
      else if (told.length === 0) same += 1
    }
  }
  for await (const step of givenBack(reader, gains)) steps.add(step)
  const { calendar, language } = past.plan
  return {
    calctl: 1,
    calendar,
    ...(language && { language }),
    made,
    steps,
    same,
    invalid: [],
    notes: [...notes, ...unknownIn(past)],
  }
}

/** What a run did itself, the latest first. */
function* doneIn({ plan: { steps }, results: past, valuesAfter: leftBy }: JournaledRun): Generator<Done> {
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps.at(index)
    const { state, id, isOthers } = (step && past.get(step.key)) ?? {}
    if (!step || state !== 'done' || id === undefined || isOthers) continue
    const asked = resolveReferences(step.values, key => past.get(key)?.id) as Values
    yield { step, id, asked, left: leftBy(step.key) }
  }
}

function ownOf({ plan, results: past }: JournaledRun): Set<string> {
  const own = new Set<string>()
  for (const { key, action, resource } of plan.steps) {
    const { state, id } = (action !== 'update' && resource !== 'events' && past.get(key)) || {}
    if (state === 'done' && id !== undefined) own.add(recordKey(resource, id))
  }
  return own
}

/** The terms that a run deleted: the steps that make them anew, and who lost those of which it is known how they were. */
function deletedIn({ plan, results: past, attempts: sent }: JournaledRun): { anew: Map<string, string>; lost: Lost[] } {
  const anew = new Map<string, string>()
  const lost: Lost[] = []
  for (const step of plan.steps) {
    const { state, id } = (step.action === 'delete' && past.get(step.key)) || {}
    if (state !== 'done' || id === undefined || !step.before) continue
    anew.set(recordKey(step.resource, id), undoKey(step))
    lost.push({ step, anew: undoKey(step), users: sent.get(step.key)?.users ?? {} })
  }
  return { anew, lost }
}

/** The venues and organizers that a run trashed and that still are in the trash: the steps that bring them back. */
async function restoredIn({ plan, results: past }: JournaledRun, reader: SiteReader): Promise<Map<string, string>> {
  const isLinkedTo = (step: Step) =>
    effectOf(step) === 'trash' && step.resource !== 'events' && past.get(step.key)?.state === 'done'
  const restored = new Map<string, string>()
  for (const some of batches(plan.steps)) {
    const wanted = some.filter(isLinkedTo).map(step => ({ ...wantedBy(step, step.id), trashed: true }))
    const trashed = await readCurrentRecords(reader, wanted)
    for (const step of some) {
      const key = recordKey(step.resource, step.id ?? 0)
      if (isLinkedTo(step) && trashed.has(key)) restored.set(key, undoKey(step))
    }
  }
  return restored
}

const wantedBy = ({ resource, language }: Step, id = 0): RecordLocation => ({ resource, id, language })

/** What an undo leaves alone because it was not made by the run, but by another part of the same plan. */
export function* sharedIn({ plan, results: past }: JournaledRun): Generator<string> {
  for (const step of plan.steps) {
    const { id, isOthers } = past.get(step.key) ?? {}
    if (isOthers) yield `${resourceNamed(step.resource).singular} ${id} was made by another part, it is left alone`
  }
}

/** What was sent and not answered, whether somebody looked or not. */
function* unknownIn({ plan, results: past, attempts: sent }: JournaledRun): Generator<string> {
  for (const step of plan.steps)
    if (sent.has(step.key) && past.get(step.key)?.state !== 'done')
      yield `${stepLabel(step)}: nobody knows whether that was done, it is left alone; to find out: calctl runs resume`
}

/** What a step took away is looked for in the trash first, the others there last: what is not in a list costs a request each. */
async function readPresent(reader: SiteReader, done: readonly Done[]): Promise<Pick<Present, 'live' | 'trashed'>> {
  const present = done.filter(({ step }) => step.action !== 'delete')
  const wanted = (isRemoved: boolean) =>
    present.filter(({ step }) => (effectOf(step) === 'trash') === isRemoved).map(({ step, id }) => wantedBy(step, id))
  const read = (some: readonly RecordLocation[], found: ReadonlyMap<string, Answer>, trashed: boolean) =>
    readCurrentRecords(
      reader,
      some.filter(({ resource, id }) => !found.has(recordKey(resource, id))).map(one => ({ ...one, trashed })),
    )
  const [removed, others] = [wanted(true), wanted(false)]
  const trashed = await read(removed, new Map(), true)
  const live = await read([...others, ...removed], trashed, false)
  const later = await read(
    others.filter(({ resource }) => resourceNamed(resource).trashable),
    live,
    true,
  )
  return { live, trashed: new Map([...trashed, ...later]) }
}

const undoKey = ({ key }: Step): string => `undo ${key}`

function undoing(done: Done, present: Present): Undoing {
  const { step, id } = done
  const { resource } = step
  const key = recordKey(resource, id)
  const live = present.live.get(key)
  const trashed = present.trashed.get(key)
  if (step.action === 'delete') return madeAnew(done, present)
  if (step.action === 'create' || step.action === 'restore') return live ? takenAway(done, live, present) : {}
  const current = live ?? trashed
  if (!current) return { notes: [`${stepLabel(step)} is gone for good, it cannot be brought back`] }
  if (step.action === 'update') return changedBack(done, current, present)
  return trashed ? { step: { ...begun(done, trashed), action: 'restore', values: asItWas(step, present) } } : {}
}

/** What a record needs to come back as it was: its status, and its links to what comes back with it. */
function asItWas({ resource, before }: Step, { back }: Present): Values {
  if (!before) return {}
  const of = resourceNamed(resource)
  const links = Object.entries(of.fields)
    .filter(([, { kind }]) => kind === 'terms' || kind === 'posts')
    .map(([name, field]): [string, unknown] => [name, writableValue(field, before[name])])
    .filter(([name, ids]) => [ids].flat().some(id => back.has(recordKey(of.fields[name]?.of ?? resource, Number(id)))))
  return {
    ...(before.status !== undefined && { status: before.status }),
    ...relinked(of, Object.fromEntries(links), back),
  }
}

/** What every step has that takes back another one. */
function begun({ step, id }: Done, current: Answer): Omit<Step, 'action' | 'values'> {
  const of = resourceNamed(step.resource)
  return {
    key: undoKey(step),
    resource: step.resource,
    id,
    ...(step.language && { language: step.language }),
    before: trimRecord(of, current),
    fingerprint: recordFingerprint(of, current),
  }
}

function takenAway(done: Done, current: Answer, present: Present): Undoing {
  const { fields } = resourceNamed(done.step.resource)
  const isTheirs = (name: string) => !isAsLeft(done, name, current, present) && !isDrawn(done, name)
  const theirs = Object.keys(fields).filter(isTheirs)
  if (theirs.length > 0) return { notes: [changedByOthers(done, theirs.join(', '))] }
  const action = resourceNamed(done.step.resource).trashable ? 'trash' : 'delete'
  return { step: { ...begun(done, current), action, values: {} } }
}

const changedByOthers = ({ step }: Done, names: string): string =>
  `${stepLabel(step)}: somebody changed ${names} since, it is left alone`

/** The fields as a step left them; of a write whose answer was lost only what it asked for is known. */
const asLeft = ({ left, asked }: Done): Values => (Object.keys(left).length > 0 ? left : asked)

/** Whether nobody else changed a field since. Links to what the run itself made or took away come and go with that. */
function isAsLeft(done: Done, name: string, current: Answer, { own }: Present): boolean {
  const { step, left, asked } = done
  const field = resourceNamed(step.resource).fields[name]
  if (!field || field.queryOnly) return true
  if (name in asked && !(name in left)) return wasApplied(name, field, asked[name], current)
  const now = comparableValue(name, field, current)
  // What is to be published later is published when its moment has come.
  if (name === 'status' && left.status === 'future' && now === 'publish') return true
  const [one, other] = [shownAfter(done, name, field), now].map(value => withoutOwn(field, value, own))
  return equal(one, other) || (isBlank(one) && isBlank(other))
}

/** A field as a step left it: as its answer was, nothing where a journal has none of it; where the answer was lost, as before. */
function shownAfter({ step: { before }, left }: Done, name: string, field: Field): unknown {
  const isLost = Object.keys(left).length === 0
  return isLost && before ? comparableValue(name, field, before) : (left[name] ?? '')
}

/** What a record has, given or not. */
const filled: ReadonlySet<Field['kind']> = new Set(['boolean', 'choice', 'dateTime', 'integer', 'timeZone'])

/**
 * Whether a service fills a field that a step did not ask for, with what is not known here: any that no record is without, where
 * the answer was lost; slug and moment of publication, where the record had none yet.
 */
function isDrawn({ step, left, asked }: Done, name: string): boolean {
  const { fields } = resourceNamed(step.resource)
  const field = fields[name]
  if (!field || name in asked) return false
  if (Object.keys(left).length === 0) return name === 'slug' || (filled.has(field.kind) && !field.of)
  return (left.status === 'draft' || left.status === 'pending') && (fields.status?.affects ?? []).includes(name)
}

function withoutOwn({ of, multiple }: Field, value: unknown, own: Present['own']): unknown {
  if (!of) return value
  const others = [value].flat().filter(id => typeof id === 'number' && id > 0 && !own.has(recordKey(of, id)))
  return multiple === false ? (others[0] ?? null) : others
}

function madeAnew({ step }: Done, { back }: Present): Undoing {
  const { before, resource, language } = step
  if (!before) return { notes: [`${stepLabel(step)} is gone for good, and how it was is not known`] }
  const written = writableValues(resourceNamed(resource), before)
  const values = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== '' && value !== null))
  return {
    step: {
      key: undoKey(step),
      action: 'create',
      resource,
      ...(language && { language }),
      values: relinked(resourceNamed(resource), values, back),
    },
    notes: [`${stepLabel(step)} gets a new ID`],
  }
}

/** Puts back the fields that are still as the step left them. */
function changedBack(done: Done, current: Answer, present: Present): Undoing {
  const { step } = done
  const { before } = step
  const left = asLeft(done)
  const resource = resourceNamed(step.resource)
  if (!before) return { notes: [`${stepLabel(step)}: how it was is not known`] }
  const shown = (name: string, record: Answer) => {
    const field = resource.fields[name]
    return field && comparableValue(name, field, record)
  }
  const changed = Object.keys(left).filter(name => !equal(shown(name, before), left[name]))
  const back = changed.filter(name => !equal(shown(name, before), shown(name, current)))
  const ours = back.filter(name => isAsLeft(done, name, current, present))
  const notes = back.filter(name => !ours.includes(name)).map(name => changedByOthers(done, name))
  if (ours.length === 0) return { notes }
  const isTrashed = current.status === 'trash'
  if (isTrashed && !ours.includes('status')) return { notes: [`${stepLabel(step)} is in the trash, it is left alone`] }
  const values = relinked(resource, writableValues(resource, before, ours), present.back)
  return { step: { ...begun(done, current), action: isTrashed ? 'restore' : 'update', values }, notes }
}

/** Links to what is made anew or brought back, by the steps that do that. */
function relinked(resource: Resource, values: Values, back: Present['back']): Values {
  const relinkedOne = (of: Field['of'], value: unknown) => {
    const key = of && typeof value === 'number' ? back.get(recordKey(of, value)) : undefined
    return key === undefined ? value : { $ref: key }
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const of = resource.fields[name]?.of
      return [name, Array.isArray(value) ? value.map(one => relinkedOne(of, one)) : relinkedOne(of, value)]
    }),
  )
}
