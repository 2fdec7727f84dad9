import { listOf } from '../../base/text/sentence-parts.ts'
import { theDay, writtenDay } from '../../base/time/calendar-words.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { fieldLabel, recordCount } from '../../contract/resource-words.ts'
import { countSteps, overviewOf } from './overview.ts'
import type { Action, Plan, Step } from './plan.ts'
import { effectOf } from './steps.ts'

/** What a question says about the steps of a plan together. */
interface Facts {
  /** How many of the new events everybody will see. */
  published: number
  /** The first and the last day of the new events. */
  first: string
  last: string
  /** The fields that updates change, by resource; of a status also its value, because there is a verb for it. */
  readonly changed: Map<ResourceName, Set<string>>
}

/**
 * What a plan does, in the words of a question: `publish 35 new events from 5 December to 28 February and change the venue of 2 events`.
 * Kinds of changes that the plan does not have are left out.
 */
export function plannedChanges(plan: Plan): string {
  const facts: Facts = { published: 0, first: '', last: '', changed: new Map() }
  for (const step of plan.steps) addFacts(facts, step)
  const year = plan.made.slice(0, 4)
  const names = Object.keys(overviewOf(plan).counts) as ResourceName[]
  const newCount = countSteps(plan, 'events', 'create')
  const said = (action: Action, say: (records: string, name: ResourceName) => string) =>
    names.flatMap(name => {
      const count = countSteps(plan, name, action)
      const isSaid = action === 'create' && name === 'events'
      return count === 0 || isSaid ? [] : say(recordCount(count, name), name)
    })
  return listOf([
    ...(newCount > 0 ? [newEvents(newCount, facts, year)] : []),
    ...said('create', records => phrase('create {records}', { records })),
    ...said('update', (records, name) => changeOf(name, records, facts.changed.get(name))),
    ...said('restore', records => phrase('restore {records}', { records })),
    ...said('trash', records => phrase('move {records} to the trash', { records })),
    ...said('delete', records => phrase('permanently delete {records}', { records })),
  ])
}

function addFacts(facts: Facts, step: Step): void {
  if (step.action === 'create' && step.resource === 'events') addNewEvent(facts, step)
  if (effectOf(step) === 'update') addChangedFields(facts, step)
}

function addNewEvent(facts: Facts, { values }: Step): void {
  if ((values.status ?? 'publish') === 'publish') facts.published += 1
  const day = String(values.start_date ?? '').slice(0, 10)
  if (facts.first === '' || (day !== '' && day < facts.first)) facts.first = day
  if (day > facts.last) facts.last = day
}

function addChangedFields(facts: Facts, { resource, values }: Step): void {
  const changed = facts.changed.get(resource) ?? new Set()
  for (const [name, value] of Object.entries(values)) if (changed.size <= mostFields) changed.add(partOf(name, value))
  facts.changed.set(resource, changed)
}

/** How many fields a question names. */
const mostFields = 2

/** What people call it to give records a status. */
const verbs: Readonly<Record<string, (records: string) => string>> = {
  'status publish': records => phrase('publish {records}', { records }),
  'status draft': records => phrase('set {records} back to draft', { records }),
  'event_status canceled': records => phrase('cancel {records}', { records }),
  'event_status postponed': records => phrase('postpone {records}', { records }),
}

/** What a question says of a field. All dates of an event count as one, because moving it changes all of them. */
function partOf(name: string, value: unknown): string {
  if (['end_date', 'all_day', 'timezone'].includes(name)) return 'start_date'
  return `${name} ${value}` in verbs ? `${name} ${value}` : name
}

function newEvents(count: number, { published, first, last }: Facts, year: string): string {
  const [language, isPublishing] = [interfaceLanguage(), published === count]
  const records = recordCount(count, 'events')
  if (first === last) {
    const day = writtenDay(first, language, year)
    return isPublishing
      ? phrase('publish {count, plural, one {# new event} other {# new events}} on {day}', { count, day })
      : phrase('create {records} on {day}', { records, day })
  }
  const days = { first: theDay(first, language, year), last: theDay(last, language, year) }
  return isPublishing
    ? phrase('publish {count, plural, one {# new event} other {# new events}} from {first} to {last}', {
        count,
        ...days,
      })
    : phrase('create {records} from {first} to {last}', { records, ...days })
}

function changeOf(name: ResourceName, records: string, changed: ReadonlySet<string> = new Set()): string {
  const [part = '', ...others] = changed
  if (verbs[part] && others.every(other => other === 'event_status_reason')) return verbs[part](records)
  const { fields } = resourceNamed(name)
  const parts = new Set([...changed].map(one => one.replace(/ .*/, '')))
  const isUnsaid = [...parts].some(field => fields[field]?.kind.shape === 'flag')
  if (isUnsaid || changed.size === 0 || changed.size > mostFields) return phrase('change {records}', { records })
  const labels = [...parts].map(field =>
    field === 'start_date' ? phrase('dates') : fieldLabel(field.replaceAll('_', ' '), fields[field]),
  )
  return phrase('change the {fields} of {records}', { fields: listOf(labels), records })
}
