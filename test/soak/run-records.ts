import { isObject } from '../../src/base/text/json.ts'
import type { Plan, Step } from '../../src/changes/plan/plan.ts'
import { trimRecord } from '../../src/changes/plan/record-state.ts'
import type { Client, Values } from '../../src/client/client.ts'
import { resourceNamed, resources } from '../../src/contract/contract.ts'
import type { Field, ResourceName } from '../../src/contract/field.ts'
import { allDates } from '../../src/contract/filter.ts'
import type { Answer } from '../../src/contract/resource.ts'

/** Live records by resource and slug: their fields, with links by slug. */
export type Live = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The records that a plan changes. */
export interface Seeded {
  readonly changed: readonly Answer[]
  readonly trashed: readonly Answer[]
  readonly restored: readonly Answer[]
  readonly deleted: readonly Answer[]
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

const concert = (title: string, number: number) => ({
  title,
  start_date: `2027-0${(number % 9) + 1}-05 19:00:00`,
  end_date: `2027-0${(number % 9) + 1}-05 21:00:00`,
})

/** Creates events to change, to trash and to restore, tags to delete, and unchanged events that have those tags. */
export async function seed(client: Client, tenth: number): Promise<Seeded> {
  const make = async (resource: ResourceName, values: Values) =>
    (await client.create(resourceNamed(resource), values)).record
  const events = (what: string, count: number, more: (number: number) => Values = () => ({})) =>
    each(count, number => make('events', { ...concert(`${what} ${number}`, number), ...more(number) }))
  const tags = await each(tenth, number => make('tags', { name: `Gone ${number}`, description: 'For a while' }))
  await events('Bystander', tenth, number => ({ tags: [tags[number - 1]?.id, tags[0]?.id] }))
  const changed = await events('Changed', 3 * tenth, () => ({ cost: '15', status: 'draft', featured: true }))
  const trashed = await events('Trashed', tenth, () => ({ status: 'private' }))
  for (const { id } of await events('Restored', tenth)) await client.delete(resourceNamed('events'), { id })
  const restored = await allOf(client, 'events', { status: 'trash' })
  return { changed, trashed, restored, deleted: await allOf(client, 'tags', {}) }
}

async function each<T>(count: number, make: (number: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (const number of numbers(count)) made.push(await make(number))
  return made
}

async function allOf(client: Client, name: ResourceName, filters: Values): Promise<Answer[]> {
  const resource = resourceNamed(name)
  const all = { ...(name === 'events' && allDates), ...(!resource.trashable && { hide_empty: false }), per_page: 50 }
  const records: Answer[] = []
  for await (const page of client.pages(resource, { ...all, ...filters })) records.push(...page.records)
  return records
}

/** All live records. A duplicate has a numbered slug, so it would show; `date_utc` follows from `date`. */
export async function live(client: Client): Promise<Live> {
  const found: [string, Record<string, unknown>][] = []
  for (const { name, fields } of resources) {
    const compared = Object.entries(fields).filter(([field]) => field !== 'date_utc')
    for (const record of await allOf(client, name, {})) {
      const values = compared.map(([field, kind]) => [field, slugged(kind, record[field])])
      found.push([`${name} ${record.slug}`, Object.fromEntries(values)])
    }
  }
  return Object.fromEntries(found)
}

function slugged(field: Field, value: unknown): unknown {
  if (field.kind.shape !== 'links') return value
  return [value]
    .flat()
    .filter(isObject)
    .map(({ slug }) => slug)
}

/** What somebody else writes into an event while the plan is executed. */
export interface Edit {
  readonly id: number
  readonly slug: unknown
  readonly description: string
}

/** Edits of events that the plan changes, a twentieth as many as the plan has steps. */
export const editsOf = ({ changed }: Seeded): Edit[] =>
  changed
    .filter((_, index) => index % 6 === 0)
    .map(({ id, slug }) => ({ id, slug, description: `<p>Somebody was here: ${id}</p>` }))

/** Records after edits, which change nothing else. */
export const withEdits = (records: Live, edits: readonly Edit[]): Live => ({
  ...records,
  ...Object.fromEntries(
    edits.map(({ slug, description }) => [`events ${slug}`, { ...records[`events ${slug}`], description }]),
  ),
})

/** A plan in which seven tenths of the steps create and change records, and three tenths remove or restore them. */
export function mixedPlan(client: Client, { changed, trashed, restored, deleted }: Seeded, before: Live) {
  const tenth = deleted.length
  const made = [...numbers(2 * tenth).map(newEvent(tenth)), ...numbers(tenth).flatMap(newLinks)]
  const steps = [
    ...deleted.map(tag => stepOn('delete', 'tags', tag)),
    ...made,
    ...changed.map((event, index) => stepOn('update', 'events', event, change(index + 1))),
    ...trashed.map(event => stepOn('trash', 'events', event)),
    ...restored.map(event => stepOn('restore', 'events', event, { status: 'publish' })),
  ]
  const plan: Plan = {
    calctl: 1,
    calendar: { id: client.calendar.id, label: client.calendar.label },
    made: new Date().toISOString(),
    steps,
    same: 0,
    invalid: [],
  }
  return { plan, intended: intendedBy({ changed, trashed, restored, deleted }, made, before) }
}

/** The intended state: the new and changed records with their values, all others unchanged. */
function intendedBy({ changed, trashed, restored, deleted }: Seeded, made: readonly Step[], before: Live): Live {
  const gone = new Set([...trashed.map(({ slug }) => `events ${slug}`), ...deleted.map(({ slug }) => `tags ${slug}`)])
  const stays = Object.entries(before).filter(([key]) => !gone.has(key))
  return {
    ...Object.fromEntries(
      stays.map(([key, record]) => [key, key.includes('bystander') ? { ...record, tags: [] } : record]),
    ),
    ...Object.fromEntries(
      changed.map(({ slug }, index) => [`events ${slug}`, { ...before[`events ${slug}`], ...change(index + 1) }]),
    ),
    ...Object.fromEntries(
      restored.map(({ title, slug }) => [
        `events ${String(slug).replace('__trashed', '')}`,
        { title, status: 'publish' },
      ]),
    ),
    ...Object.fromEntries(made.map(({ key, resource, values }) => [`${resource} ${key}`, asShown(values)])),
  }
}

/** The keys of steps that make records are their slugs. */
const asShown = (values: Values): Values => JSON.parse(JSON.stringify(values), (_, value) => value?.$ref ?? value)

const newEvent =
  (tenth: number) =>
  (number: number): Step => {
    const links = ((number - 1) % tenth) + 1
    const values = {
      ...concert(`New ${number}`, number),
      venue: [{ $ref: `hall-${links}` }],
      tags: [{ $ref: `label-${links}` }],
    }
    return { key: `new-${number}`, action: 'create', resource: 'events', values }
  }

const newLinks = (number: number): Step[] => [
  { key: `hall-${number}`, action: 'create', resource: 'venues', values: { venue: `Hall ${number}`, city: 'Girona' } },
  { key: `label-${number}`, action: 'create', resource: 'tags', values: { name: `Label ${number}` } },
]

const change = (number: number): Values =>
  number % 3 === 0
    ? { start_date: '2027-10-01 10:00:00', end_date: '2027-10-02 10:00:00' }
    : { title: `Renamed ${number}`, cost: '', ...(number % 3 === 1 && { status: 'publish' }) }

function stepOn(
  action: Exclude<Step['action'], 'create'>,
  name: ResourceName,
  before: Answer,
  values: Values = {},
): Step {
  const resource = resourceNamed(name)
  const { id } = before
  const essential = trimRecord(resource, before)
  return { key: `${name} ${id}`, action, resource: name, id, before: essential, values }
}
