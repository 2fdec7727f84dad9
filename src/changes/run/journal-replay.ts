import { parseOwnerName } from '../../base/lock/owner.ts'
import type { Values } from '../../client/client.ts'
import { recordKey } from '../../contract/resource.ts'
import type { PublishedPlace } from '../plan/published-places.ts'
import type { Spool } from '../plan/spool.ts'
import type { JournalEntry, StoredFailure } from './journal-format.ts'
import type { StepResult } from './result.ts'

/** The result of a step as its journal has it. */
export interface JournalResult extends Pick<StepResult, 'id' | 'doneByOthers' | 'takenBack'> {
  readonly state: 'done' | 'failed' | 'unknown'
  /** When the site had saved the record, in UTC; journals of earlier versions do not have it. */
  readonly modified?: string
  /** Whether a step that failed has written some of its fields. */
  readonly isPartDone?: true
  /** Whether the record was about to be taken back, and no answer came. */
  readonly isBeingTakenBack?: true
  readonly failure?: StoredFailure
}

/** The first time a step was sent. */
export interface Attempt extends Omit<Extract<JournalEntry, { readonly sent: string }>, 'sent' | 'publishes'> {
  /** When it was sent for the last time, in ms. */
  readonly latest: number
}

/** Collects the entries of a journal, in their order. */
export class Replay {
  readonly attempts = new Map<string, Attempt>()
  readonly results = new Map<string, JournalResult>()
  /** What the site published along with events and did not get its status back, by `recordKey`. */
  readonly published = new Map<string, PublishedPlace>()
  readonly session: { start: number; boot: string; hasEnded: boolean }
  /** How long the slowest answer took, in ms. */
  slowestAnswer: number | undefined
  private readonly positions = new Map<string, number>()
  private readonly sentAt = new Map<string, number>()

  constructor(
    private readonly valuesList: Spool<Values>,
    start: number,
  ) {
    this.session = { start, boot: '', hasEnded: false }
  }

  add(entry: JournalEntry): void {
    if ('session' in entry) {
      const boot = parseOwnerName(entry.session)?.boot ?? ''
      Object.assign(this.session, { start: entry.at, boot, hasEnded: false })
    } else if ('ended' in entry) this.session.hasEnded = true
    else if ('gaveBack' in entry) this.published.delete(recordKey(entry.gaveBack.resource, entry.gaveBack.id))
    else if ('sent' in entry) this.addAttempt(entry)
    else this.addResult(entry)
  }

  valuesAfter(key: string): Values {
    return this.valuesList.at(this.positions.get(key) ?? -1) ?? {}
  }

  private addAttempt({
    sent: key,
    publishes = [],
    ...attempt
  }: Extract<JournalEntry, { readonly sent: string }>): void {
    for (const place of publishes) this.published.set(recordKey(place.resource, place.id), place)
    const { at, up, users } = attempt
    // Any of several attempts may have created the record that a resume looks for, so the first one counts.
    this.attempts.set(key, {
      ...(this.attempts.get(key) ?? attempt),
      latest: at,
      ...(up !== undefined && { up }),
      // Somebody may have added records to a term before its delete was sent again.
      ...(users && { users }),
    })
    this.results.delete(key)
    this.sentAt.set(key, at)
  }

  private addResult(entry: ResultEntry): void {
    const { left } = entry
    const partDone = left && { isPartDone: true as const }
    if ('takingBack' in entry) {
      const { takingBack: key, id } = entry
      this.setResult(key, { state: 'done', id, isBeingTakenBack: true }, left)
    } else if ('done' in entry) {
      const { done: key, left: _, at, ...result } = entry
      this.noteAnswer(key, at)
      this.setResult(key, { state: 'done', ...result }, left)
    } else if ('failed' in entry) {
      const { failed: key, failure } = entry
      this.setResult(key, { state: 'failed', failure, ...partDone }, left)
      this.attempts.delete(key)
    } else this.setResult(entry.unknown, { state: 'unknown', failure: entry.failure, ...partDone }, left)
  }

  private setResult(key: string, result: JournalResult, left: Values | undefined): void {
    this.results.set(key, result)
    if (!left) return
    this.positions.set(key, this.valuesList.length)
    this.valuesList.add(left)
  }

  private noteAnswer(key: string, at: number | undefined): void {
    const sent = this.sentAt.get(key)
    this.sentAt.delete(key)
    if (sent !== undefined && at !== undefined) this.slowestAnswer = Math.max(this.slowestAnswer ?? 0, at - sent)
  }
}

type ResultEntry = Extract<
  JournalEntry,
  | { readonly done: string }
  | { readonly failed: string }
  | { readonly unknown: string }
  | { readonly takingBack: string }
>
