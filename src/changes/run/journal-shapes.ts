/**
 * Whether the lines of a journal are what a version of calctl wrote: they have everything that a reader relies on, in the right form.
 * Journals of earlier versions have no checksums, and a line whose checksum fits may be another program's. In: a line as JSON. Out: a
 * header, a step or an entry; anything else is damage.
 */

import { exitStatus } from '../../base/failure.ts'
import { isObject } from '../../base/text/json.ts'
import { withCalendar } from '../../client/calendar-origin.ts'
import type { Referrers } from '../plan/back-references.ts'
import {
  type Check,
  count,
  isTrue,
  listOf,
  moment,
  object,
  oneOf,
  optional,
  planShape,
  shaped,
  step,
  text,
} from '../plan/plan-shapes.ts'
import type { JournalEntry, JournalHeader, JournalStep, StoredFailure } from './journal-format.ts'

const time: Check = {
  expected: 'a time',
  test: value => typeof value === 'number' && !Number.isNaN(new Date(value).getTime()),
}

const header = shaped<JournalHeader>({
  calctl: oneOf([1]),
  run: text,
  started: moment,
  plan: shaped(planShape),
  steps: count,
  to: text,
  command: optional(text),
  undoes: optional(text),
})

/** The header in the first line of a journal, whichever version wrote it; undefined for anything else. */
export function parseHeader(line: unknown): JournalHeader | undefined {
  if (!isObject(line)) return undefined
  const read = { ...line, plan: withCalendar(line.plan) }
  return header.test(read) ? (read as unknown as JournalHeader) : undefined
}

const journalStep = shaped<JournalStep>({ step, withheld: optional(listOf(text, 'a list of fields')) })

export const isStep = (line: unknown): line is JournalStep => journalStep.test(line)

const failure = shaped<StoredFailure>({
  kind: oneOf(Object.keys(exitStatus)),
  message: text,
  hint: optional(text),
})

const ids = optional(listOf(count, 'a list of IDs'))

const referrers = shaped<Referrers>({ events: ids, categories: ids })

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
  isObject(line) && Object.entries(entries).some(([name, check]) => name in line && check.test(line))
