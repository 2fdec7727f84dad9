import type { Client, Values } from '../client/client.ts'
import { linked } from '../client/compare.ts'
import { resourceNamed } from '../contract/contract.ts'
import { allDates, largestPage } from '../contract/filter.ts'
import type { Answer } from '../contract/resource.ts'
import { recordKey, type Wanted } from './known.ts'
import type { Reference, Step } from './plan.ts'
import { essence, fingerprintOf } from './record.ts'

/** The IDs of the records that lose a term when it is deleted: the events that have it, and the children of a category. */
export interface Users {
  readonly events?: readonly number[]
  readonly categories?: readonly number[]
}

/** Who loses a term that is about to be deleted; asks only where the term was in use, or may have children. */
export async function usersOf(client: Client, { resource, id, before, language }: Step): Promise<Users> {
  const of = language && { lang_code: language }
  const idsOf = async (name: 'events' | 'categories', filters: Values, isUser: (record: Answer) => boolean) => {
    const ids: number[] = []
    for await (const { records } of client.pages(resourceNamed(name), { ...filters, ...of, per_page: largestPage }))
      ids.push(...records.filter(isUser).map(record => record.id))
    return ids
  }
  const hasIt = (record: Answer) => termsOf(record, resource).includes(Number(id))
  const events = Number(before?.count ?? 0) > 0 ? await idsOf('events', { ...allDates, [resource]: id }, hasIt) : []
  const isChild = ({ parent }: Answer) => parent === id
  const children =
    resource === 'categories' ? await idsOf('categories', { parent: id, hide_empty: false }, isChild) : []
  return { ...(events.length > 0 && { events }), ...(children.length > 0 && { categories: children }) }
}

const termsOf = (event: Answer, name: string): number[] => {
  const field = resourceNamed('events').fields[name]
  return field ? (linked(field, event[name]) as number[]) : []
}

/** A term that was deleted: the step that did it, the step that makes it anew, and who lost it. */
export interface Lost {
  readonly step: Step
  readonly anew: Step
  readonly users: Users
}

/** What a record gets back: terms by the field they stood in, or a parent. */
interface Gain extends Pick<Step, 'resource' | 'language'> {
  readonly id: number
  readonly field: string
  readonly anew: Reference[]
}

/** The same steps, and others, so that those who lost a term get it back, unless it is taken back otherwise already. */
export function givenBack(steps: readonly Step[], lost: readonly Lost[], live: ReadonlyMap<string, Answer>): Step[] {
  const all = new Map(steps.map(step => [step.id === undefined ? step.key : recordKey(step.resource, step.id), step]))
  for (const [key, { resource, id, language, field, anew }] of gainsOf(lost)) {
    const record = live.get(key)
    const step = all.get(key)
    if (!record || (step && (step.action !== 'update' || field in step.values))) continue
    const of = resourceNamed(resource)
    const begun: Step = step ?? {
      key: `undo ${key}`,
      action: 'update',
      resource,
      id,
      ...(language && { language }),
      before: essence(of, record),
      fingerprint: fingerprintOf(of, record),
      values: {},
    }
    const value = field === 'parent' ? anew[0] : [...termsOf(record, field), ...anew]
    all.set(key, { ...begun, values: { ...begun.values, [field]: value } })
  }
  return [...all.values()]
}

function gainsOf(lost: readonly Lost[]): Iterable<[key: string, Gain]> {
  const gains = new Map<string, [string, Gain]>()
  for (const { step, anew, users } of lost) {
    const { language } = step
    const add = (resource: 'events' | 'categories', id: number, field: string) => {
      const key = recordKey(resource, id)
      const [, gain] = gains.get(`${key} ${field}`) ?? [key, { resource, id, language, field, anew: [] }]
      gain.anew.push({ $ref: anew.key })
      gains.set(`${key} ${field}`, [key, gain])
    }
    for (const id of users.events ?? []) add('events', id, step.resource)
    for (const id of users.categories ?? []) add('categories', id, 'parent')
  }
  return gains.values()
}

/** The records that a plan to undo has to read for that. */
export const wantedBy = ({ step: { language }, users }: Pick<Lost, 'step' | 'users'>): Wanted[] => [
  ...(users.events ?? []).map((id): Wanted => ({ resource: 'events', id, language })),
  ...(users.categories ?? []).map((id): Wanted => ({ resource: 'categories', id, language })),
]
