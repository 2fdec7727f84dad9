import { parseOwnerName } from '../../base/lock/owner.ts'
import type { Values } from '../../client/client.ts'
import type { Referrers } from '../plan/back-references.ts'
import type { Spool } from '../plan/spool.ts'
import type { JournalEntry, StoredFailure } from './journal-format.ts'

/** The result of a step as its journal has it. */
export interface JournalResult {
  readonly state: 'done' | 'failed' | 'unknown'
  readonly id?: number
  /** Whether the record was made by somebody else. */
  readonly isOthers?: true
  /** Whether a step that is not done has written a part of its fields. */
  readonly isPartDone?: true
  /** The ID of the record that the run created as well, and took back. */
  readonly takenBack?: number
  /** Whether the record was about to be taken back, which was not answered. */
  readonly isBeingTakenBack?: true
  readonly failure?: StoredFailure
}

/** The first time a step was sent. */
export interface Attempt {
  /** In ms. */
  readonly at: number
  /** When it was sent for the last time, in ms. */
  readonly latest: number
  /** How long the machine was up then, in ms. */
  readonly up?: number
  /** Of a create: the highest ID that the run had created by then. */
  readonly newest?: number
  /** Of a delete: the records that linked to the term. */
  readonly users?: Referrers
}

/** Collects the entries of a journal, in their order. */
export function createReplay(valuesList: Spool<Values>) {
  const attempts = new Map<string, Attempt>()
  const results = new Map<string, JournalResult>()
  const positions = new Map<string, number>()
  const session = { start: 0, boot: '', hasEnded: false }
  const sentAt = new Map<string, number>()
  const answers: { slowest?: number } = {}
  const addValues = (key: string, values: Values | undefined) => {
    if (!values) return
    positions.set(key, valuesList.length)
    valuesList.add(values)
  }
  const replay = (entry: JournalEntry) => {
    if ('session' in entry) {
      const boot = parseOwnerName(entry.session)?.boot ?? ''
      Object.assign(session, { start: entry.at, boot, hasEnded: false })
    } else if ('ended' in entry) session.hasEnded = true
    else if ('sent' in entry) {
      const { sent: key, ...attempt } = entry
      // Any of several attempts may have created the record that resume looks for, so the first one counts.
      const { at, up } = attempt
      const { users } = attempt
      attempts.set(key, {
        ...(attempts.get(key) ?? attempt),
        latest: at,
        ...(up !== undefined && { up }),
        // Somebody may have put more into a term before its delete was sent again.
        ...(users && { users }),
      })
      results.delete(key)
      sentAt.set(key, entry.at)
    } else if ('takingBack' in entry) {
      const { takingBack: key, id, left } = entry
      results.set(key, { state: 'done', id, isBeingTakenBack: true })
      addValues(key, left)
    } else if ('done' in entry) {
      const { done: key, left, at, ...result } = entry
      const sent = sentAt.get(key)
      sentAt.delete(key)
      if (sent !== undefined && at !== undefined) answers.slowest = Math.max(answers.slowest ?? 0, at - sent)
      results.set(key, { state: 'done', ...result })
      addValues(key, left)
    } else if ('failed' in entry) {
      const { failed: key, left, failure } = entry
      results.set(key, { state: 'failed', failure, ...(left && { isPartDone: true }) })
      attempts.delete(key)
      addValues(key, left)
    } else {
      const { unknown: key, left, failure } = entry
      results.set(key, { state: 'unknown', failure, ...(left && { isPartDone: true }) })
      addValues(key, left)
    }
  }
  const valuesAfter = (key: string): Values => valuesList.at(positions.get(key) ?? -1) ?? {}
  return { attempts, results, session, answers, valuesAfter, replay }
}
