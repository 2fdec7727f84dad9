import { isDeepStrictEqual } from 'node:util'
import { ignoreErrors } from '../base/attempt.ts'
import { badSettings } from '../base/failure.ts'
import { makeFolder, readStoredFile, statOf, writeAtomically } from '../base/fs.ts'
import { reason } from '../base/io-reasons.ts'
import { checkLine, sealLine } from '../base/sealed-lines.ts'
import { isObject, jsonProblem, parseJson } from '../base/text/json.ts'
import { phrase } from '../base/words/phrase.ts'
import type { SourceWord } from '../changes/plan/plan.ts'
import type { Values } from '../client/client.ts'
import type { ResourceName } from '../contract/field.ts'
import { recordKey } from '../contract/resource.ts'
import type { Validators } from './source.ts'

/**
 * The memory of sources: for each event of a source what the source said last, which record it became, and what a person settled. "Differs
 * from the site" is not "changed in the source": only with what was said last can the two be told apart. A file has a line for each event,
 * sealed as the lines of journals are, and is replaced as a whole.
 */

/**
 * Why an event is left alone. `rejected`: a person removed it from the calendar; `undone`: a run was undone; `trashed`: the source, by way
 * of a run, removed it; `wanted`: a person wants it back.
 */
export type Mark = 'rejected' | 'undone' | 'trashed' | 'wanted'

/** The record that an event of a source became, and what it is recognized by. */
export interface RememberedRecord {
  readonly resource: ResourceName
  readonly id: number
  readonly signs: Values
}

/** One event of a source. */
export interface Remembered extends Omit<SourceWord, 'was'> {
  /** The fields of the record when the word of the source was taken. */
  readonly left: Values
  readonly record?: RememberedRecord
  readonly mark?: Mark
  /** What the source says where site and source differ, until a person decides. */
  readonly waiting?: Values
  /** The records of the site that may be this event, about which a person decides. */
  readonly perhaps?: readonly number[]
  /** The records that are not this event, according to a person. */
  readonly others?: readonly number[]
  /** In how many runs in a row the source did not have it. */
  readonly absent?: number
  /** The run that wrote it last, in the order of runs. */
  readonly run?: string
}

/** What is known of a source as a whole. */
export interface SourceState {
  /** When it was read last, as an ISO date. */
  readonly read?: string
  readonly events?: number
  /** How many of its events the last run wrote. */
  readonly changes?: number
  readonly failure?: { readonly kind: string; readonly message: string; readonly since: string }
  /** By which a reader recognizes that nothing is new. */
  readonly validators?: Validators
}

/** The calendar to which the IDs of records belong, with the language in which it is written. */
export type CalendarKey = string

interface Contents {
  readonly events: Map<string, Remembered>
  readonly states: Map<string, SourceState>
  /** The lines about other calendars. */
  readonly others: string[]
  taken: number
  damaged: number
}

const version = 1

export class SourceMemory {
  readonly #contents: Contents
  #byRecord: Map<string, Set<string>> | undefined

  private constructor(
    readonly file: string,
    readonly calendar: CalendarKey,
    contents: Contents,
  ) {
    this.#contents = contents
  }

  /** Reads a memory; a file that does not exist is an empty one. Throws `settings` for that of a newer version. */
  static open(file: string, calendar: CalendarKey): SourceMemory {
    return new SourceMemory(file, calendar, readContents(file, calendar))
  }

  /** How many lines were damaged; their events are recognized again. */
  get damaged(): number {
    return this.#contents.damaged
  }

  /** The change of the latest journal that was taken in, in ms. */
  get taken(): number {
    return this.#contents.taken
  }

  set taken(ms: number) {
    this.#contents.taken = ms
  }

  get(source: string, key: string): Remembered | undefined {
    return this.#contents.events.get(eventKey(source, key))
  }

  all(): Iterable<Remembered> {
    return this.#contents.events.values()
  }

  put(event: Remembered): void {
    const key = eventKey(event.source, event.key)
    this.#contents.events.set(key, event)
    if (event.record) this.#keysOf(event.record).add(key)
  }

  remove({ source, key }: Pick<Remembered, 'source' | 'key'>): void {
    this.#contents.events.delete(eventKey(source, key))
  }

  /** The events that became a record. */
  byRecord({ resource, id }: Pick<RememberedRecord, 'resource' | 'id'>): Remembered[] {
    return [...this.#keysOf({ resource, id })]
      .flatMap(key => this.#contents.events.get(key) ?? [])
      .filter(({ record }) => record?.id === id && record.resource === resource)
  }

  state(source: string): SourceState {
    return this.#contents.states.get(source) ?? {}
  }

  setState(source: string, state: SourceState): void {
    this.#contents.states.set(source, state)
  }

  /** Forgets a source. */
  forget(source: string): void {
    this.#contents.states.delete(source)
    for (const event of this.all()) if (event.source === source) this.remove(event)
  }

  async save(): Promise<void> {
    const { calendar } = this
    const { events, states, others, taken } = this.#contents
    const own = [
      { calendar, taken },
      ...Array.from(states, ([source, state]) => ({ calendar, source, state })),
      ...Array.from(events.values(), event => ({ calendar, ...event })),
    ]
    const head = { calctl_memory: version, lines: own.length + others.length }
    const lines = [head, ...own].map(line => JSON.stringify(line))
    let checksum = 0
    const sealed = [...lines, ...others].map(json => {
      const { line, checksum: next } = sealLine(json, checksum)
      checksum = next
      return `${line}\n`
    })
    try {
      makeFolder(this.file.replace(/[/\\][^/\\]*$/, ''))
      await writeAtomically(this.file, sealed.join(''))
    } catch (error) {
      throw badSettings(
        phrase('cannot write {file}: {reason}', { file: this.file, reason: reason(error as Error) }),
        phrase('run the command again once the file can be written'),
      )
    }
  }

  #keysOf({ resource, id }: Pick<RememberedRecord, 'resource' | 'id'>): Set<string> {
    if (!this.#byRecord) {
      this.#byRecord = new Map()
      for (const [key, { record }] of this.#contents.events)
        if (record) addTo(this.#byRecord, recordKey(record.resource, record.id), key)
    }
    return addTo(this.#byRecord, recordKey(resource, id))
  }
}

function addTo(index: Map<string, Set<string>>, name: string, key?: string): Set<string> {
  const keys = index.get(name) ?? new Set()
  index.set(name, keys)
  if (key !== undefined) keys.add(key)
  return keys
}

const eventKey = (source: string, key: string): string => `${source}\n${key}`

/** Whether a source says the same as before. */
export const saysTheSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one ?? null)), JSON.parse(JSON.stringify(other ?? null)))

function readContents(file: string, calendar: CalendarKey): Contents {
  const contents: Contents = { events: new Map(), states: new Map(), others: [], taken: 0, damaged: 0 }
  if (statOf(file) === undefined) return contents
  let checksum = 0
  const lines = textOf(file).split('\n').filter(Boolean)
  for (const text of lines) {
    const line = checkLine(text, checksum)
    checksum = line.checksum
    const value = line.seal === 'fits' ? ignoreErrors(() => parseJson(line.json)) : undefined
    if (!isObject(value) || jsonProblem(value) !== undefined) contents.damaged += 1
    else if (typeof value.calctl_memory === 'number') {
      checkVersion(file, value.calctl_memory)
      contents.damaged += Math.max(0, Number(value.lines ?? 0) + 1 - lines.length)
    } else if (value.calendar !== calendar) contents.others.push(line.json)
    else addLine(contents, value)
  }
  // What is missing is taken from the journals again.
  if (contents.damaged > 0) contents.taken = 0
  return contents
}

function textOf(file: string): string {
  try {
    return readStoredFile(file)
  } catch (error) {
    throw badSettings(
      phrase('cannot read {file}: {reason}', { file, reason: reason(error as Error, 'read') }),
      phrase('make the file readable, or remove it: its events are then recognized again'),
    )
  }
}

function checkVersion(file: string, stated: number): void {
  if (stated <= version) return
  throw badSettings(
    phrase('{file} was written by a newer version of calctl', { file }),
    phrase('update calctl, or move the file away: its events are then recognized again'),
  )
}

function addLine(contents: Contents, value: Readonly<Record<string, unknown>>): void {
  const { calendar: _, ...line } = value
  if (typeof line.taken === 'number') contents.taken = line.taken
  else if (typeof line.source === 'string' && isObject(line.state)) contents.states.set(line.source, line.state)
  else if (isRemembered(line)) contents.events.set(eventKey(line.source, line.key), line)
  else contents.damaged += 1
}

/** The memory may lie in a folder that somebody else wrote. */
function isRemembered(line: object): line is Remembered {
  const { source, key, said, when, left, record, waiting } = line as Partial<Remembered>
  const areObjects = [said, when, left].every(isObject) && (waiting === undefined || isObject(waiting))
  const isRecord =
    record === undefined || (isObject(record) && Number.isSafeInteger(record.id) && isObject(record.signs))
  return typeof source === 'string' && typeof key === 'string' && areObjects && isRecord
}
