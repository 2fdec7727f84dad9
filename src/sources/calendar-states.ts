import { createHash } from 'node:crypto'
import { readdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ignoreErrors } from '../base/attempt.ts'
import type { Client, Values } from '../client/client.ts'
import { wholeListQuery } from '../client/find/whole-lists.ts'
import { resourceNamed, resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { knownValue } from '../contract/record.ts'
import { type Answer, type Resource, titleOf } from '../contract/resource.ts'
import { type CalendarKey, type Remembered, SourceMemory, saysTheSame } from './memory.ts'

/**
 * States of a whole calendar, kept to see later what others did. Each is a file in the form of a memory, in which the source is the kind of
 * record, and the key its ID.
 */
export interface KeptState {
  readonly file: string
  /** When it was kept, as an ISO date. */
  readonly moment: string
  /** The name that somebody gave it. */
  readonly name?: string
}

/** What became of a record: of one that changed there is one for each field. */
export interface CalendarChange {
  readonly state: 'new' | 'changed' | 'gone'
  readonly resource: ResourceName
  readonly id: number
  readonly title: string
  readonly field: string | null
  readonly before: unknown
  readonly after: unknown
}

const mostKept = 30

/** The folder of a calendar within the folder of all states. */
export const folderOfStates = (folder: string, calendar: CalendarKey): string =>
  join(folder, createHash('sha256').update(calendar).digest('hex').slice(0, 16))

/** The states in a folder, the latest first. */
export function keptStates(folder: string): KeptState[] {
  const names = ignoreErrors(() => readdirSync(folder)) ?? []
  const states = names.flatMap((file): KeptState[] => {
    const [, day, hour, minute, second, name] =
      /^([\d-]{10})T(\d\d)-(\d\d)-([\d.]+Z)(?:-(.+))?\.ndjson$/.exec(file) ?? []
    const moment = `${day}T${hour}:${minute}:${second}`
    return day === undefined ? [] : [{ file: join(folder, file), moment, ...(name !== undefined && { name }) }]
  })
  return states.toSorted((one, other) => (one.moment < other.moment ? 1 : -1))
}

/** The file for a state of now. */
export const newState = (folder: string, now: Date, name?: string): string =>
  join(folder, `${now.toISOString().replaceAll(':', '-')}${name === undefined ? '' : `-${name}`}.ndjson`)

/** Keeps a state, and as many of the earlier ones as make thirty. */
export async function keepState(state: SourceMemory, folder: string): Promise<void> {
  await state.save()
  for (const { file } of keptStates(folder).slice(mostKept)) ignoreErrors(() => unlinkSync(file))
}

/** Reads all records of a calendar into a state that is not kept yet. */
export async function readCalendarState(client: Client, file: string, calendar: CalendarKey): Promise<SourceMemory> {
  const state = SourceMemory.open(file, calendar)
  for (const resource of resources)
    for await (const { records } of client.pages(resource, wholeListQuery({ resource, language: client.language })))
      for (const record of records) state.put(rememberedRecord(resource, record))
  return state
}

function rememberedRecord(resource: Resource, record: Answer): Remembered {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = field.secret ? undefined : knownValue(name, field, record)
    if (value !== undefined) values[name] = value
  }
  const { id } = record
  return {
    source: resource.name,
    key: String(id),
    said: values,
    when: {},
    left: {},
    record: { resource: resource.name, id, signs: {} },
  }
}

/** What is new, changed or gone in a state since an earlier one. */
export function changesBetween(before: SourceMemory, after: SourceMemory): CalendarChange[] {
  const changes = [...after.all()].flatMap(now => {
    const earlier = before.get(now.source, now.key)
    return earlier ? changedFields(earlier, now) : [whole('new', now)]
  })
  const gone = [...before.all()].filter(({ source, key }) => !after.get(source, key))
  return [...changes, ...gone.map(event => whole('gone', event))]
}

function whole(state: 'new' | 'gone', event: Remembered): CalendarChange {
  const [before, after] = state === 'new' ? [null, event.said] : [event.said, null]
  return { state, ...factsOf(event), field: null, before, after }
}

const changedFields = (earlier: Remembered, now: Remembered): CalendarChange[] =>
  Object.keys(now.said).flatMap((field): CalendarChange[] => {
    const [before, after] = [earlier.said[field], now.said[field]]
    // What an earlier state does not know did not change.
    if (before === undefined || saysTheSame(before, after)) return []
    return [{ state: 'changed', ...factsOf(now), field, before, after }]
  })

function factsOf({ source, key, said }: Remembered): Pick<CalendarChange, 'resource' | 'id' | 'title'> {
  const resource = resourceNamed(source as ResourceName)
  return { resource: resource.name, id: Number(key), title: titleOf(resource, said as Values as Answer) }
}
