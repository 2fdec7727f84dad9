/**
 * Whether the lines of a journal are what a version of calctl wrote: they have everything that a reader relies on, in the right form.
 * Journals of earlier versions have no checksums, and a line whose checksum fits may be another program's. In: a line as JSON. Out: a
 * header, a step or an entry; anything else is damage.
 */
import { withCalendar } from '../client/calendar-origin.ts'
import { resources } from '../contract/contract.ts'
import { isLanguage } from '../contract/languages.ts'
import { isObject } from '../contract/resource.ts'
import { exitStatus } from '../failure.ts'
import type { Referrers } from '../plan/back-references.ts'
import { type Plan, type Step, stepActions } from '../plan/plan.ts'
import type { JournalEntry, JournalHeader, JournalStep, StoredFailure } from './journal-format.ts'

type Check = (value: unknown) => boolean

/** A check for every name that a line may have: one that is added to a line has to be added here. */
type Shape<T> = { readonly [Name in keyof T]-?: Check }

function shaped<T>(shape: Shape<T>): Check {
  const checks = Object.entries<Check>(shape)
  return value => isObject(value) && checks.every(([name, check]) => check(value[name]))
}

const optional =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)

const listOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check)

const oneOf = (values: readonly unknown[]): Check => {
  const known = new Set(values)
  return value => known.has(value)
}

const text: Check = value => typeof value === 'string'
const count: Check = value => Number.isSafeInteger(value) && Number(value) >= 0
const isTrue: Check = value => value === true
const time: Check = value => typeof value === 'number' && !Number.isNaN(new Date(value).getTime())
const moment: Check = value => typeof value === 'string' && !Number.isNaN(Date.parse(value))
const language: Check = isLanguage
const url: Check = value => typeof value === 'string' && URL.canParse(value)
const object: Check = isObject
const values: Check = value => isObject(value) && !('$ref' in value)

const isHeader = shaped<JournalHeader>({
  calctl: value => value === 1,
  run: text,
  started: moment,
  plan: shaped<Omit<Plan, 'steps' | 'invalid'>>({
    calctl: value => value === 1,
    id: optional(text),
    part: optional(shaped({ part: count, of: count })),
    calendar: shaped({ id: url, label: text }),
    language: optional(language),
    made: moment,
    same: count,
    anew: optional(count),
    among: optional(object),
    notes: optional(listOf(text)),
  }),
  steps: count,
  to: text,
  command: optional(text),
  undoes: optional(text),
})

/** The header in the first line of a journal, whichever version wrote it; undefined for anything else. */
export function parseHeader(line: unknown): JournalHeader | undefined {
  if (!isObject(line)) return undefined
  const header = { ...line, plan: withCalendar(line.plan) }
  return isHeader(header) ? (header as unknown as JournalHeader) : undefined
}

const record = (value: unknown): boolean => isObject(value) && count(value.id) && optional(object)(value.raw)

const isJournalStep = shaped<JournalStep>({
  step: shaped<Step>({
    key: text,
    action: oneOf(stepActions),
    resource: oneOf(resources.map(({ name }) => name)),
    id: optional(count),
    language: optional(language),
    ref: optional(object),
    before: optional(record),
    values,
    fingerprint: optional(text),
    revision: optional(text),
    match: optional(listOf(text)),
    identity: optional(values),
    existing: optional(listOf(record)),
    into: optional(count),
    trashed: optional(isTrue),
    at: optional(text),
    copyOf: optional(shaped({ id: count, language })),
    shared: optional(oneOf(['here', 'elsewhere'])),
  }),
  withheld: optional(listOf(text)),
})

export const isStep = (line: unknown): line is JournalStep => isJournalStep(line)

const failure = shaped<StoredFailure>({
  kind: oneOf(Object.keys(exitStatus)),
  message: text,
  hint: optional(text),
})

const referrers = shaped<Referrers>({ events: optional(listOf(count)), categories: optional(listOf(count)) })

/** By the name that tells them apart. */
const entries: { readonly [Name in EntryName]: Check } = {
  session: shaped<Entry<'session'>>({ session: text, at: time }),
  sent: shaped<Entry<'sent'>>({
    sent: text,
    at: time,
    up: optional(count),
    newest: optional(count),
    users: optional(referrers),
  }),
  takingBack: shaped<Entry<'takingBack'>>({ takingBack: text, id: count, at: time, left: object }),
  done: shaped<Entry<'done'>>({
    done: text,
    id: count,
    at: optional(time),
    isOthers: optional(isTrue),
    takenBack: optional(count),
    left: optional(object),
    failure: optional(failure),
  }),
  failed: shaped<Entry<'failed'>>({ failed: text, failure, left: optional(object) }),
  unknown: shaped<Entry<'unknown'>>({ unknown: text, failure, left: optional(object) }),
  ended: shaped<Entry<'ended'>>({ ended: time }),
}

type EntryName = 'session' | 'sent' | 'takingBack' | 'done' | 'failed' | 'unknown' | 'ended'

type Entry<Name extends EntryName> = Extract<JournalEntry, Readonly<Record<Name, unknown>>>

export const isEntry = (line: unknown): line is JournalEntry =>
  isObject(line) && Object.entries(entries).some(([name, check]) => name in line && check(line))
