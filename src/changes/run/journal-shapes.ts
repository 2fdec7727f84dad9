import { exitStatus } from '../../base/failure.ts'
import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resources } from '../../contract/contract.ts'
import type { LostLinks, Referrers } from '../plan/back-references.ts'
import { withCurrentNames } from '../plan/earlier-names.ts'
import {
  count,
  listShape,
  momentShape,
  object,
  oneOfShape,
  optional,
  planShape,
  type ShapeCheck,
  shaped,
  step,
  textShape,
  trueShape,
} from '../plan/plan-shapes.ts'
import type { PublishedPlace } from '../plan/published-places.ts'
import type { JournalEntry, JournalHeader, JournalStep, StoredFailure } from './journal-format.ts'

/**
 * Whether the lines of a journal have everything that a reader relies on, in the form in which any version of calctl wrote it. Journals of
 * earlier versions have no checksums, and a line with a valid checksum may be another program's. Input: a line as JSON. Output: a header, a
 * step or an entry; anything else is damage.
 */

const time: ShapeCheck = {
  expected: () => phrase('a time'),
  test: value => typeof value === 'number' && !Number.isNaN(new Date(value).getTime()),
}

const header = shaped<JournalHeader>({
  calctl: oneOfShape([1]),
  run: textShape,
  started: momentShape,
  plan: shaped(planShape),
  steps: count,
  to: textShape,
  command: optional(textShape),
  undoes: optional(textShape),
})

const journalStep = shaped<JournalStep>({ step, withheld: optional(listShape(textShape)) })

/** The header in the first line of a journal of any version; undefined for anything else. */
export const parseHeader = (line: unknown): JournalHeader | undefined => parsed(line, 'plan', header)

/** The step in a line of a journal of any version; undefined for anything else. */
export const parseStep = (line: unknown): JournalStep | undefined => parsed(line, 'step', journalStep)

function parsed<T>(line: unknown, part: string, { test }: ShapeCheck): T | undefined {
  if (!isObject(line) || !(part in line)) return undefined
  const read = { ...line, [part]: withCurrentNames(line[part]) }
  return test(read) ? (read as T) : undefined
}

const failure = shaped<StoredFailure>({
  kind: oneOfShape(Object.keys(exitStatus)),
  message: textShape,
  hint: optional(textShape),
})

const ids = optional(listShape(count))

const referrers = shaped<Referrers>({ events: ids, categories: ids, signs: optional(object) })

const lostLinks = listShape(shaped<LostLinks>({ id: count, links: listShape(count), signs: optional(object) }))

const place = { resource: oneOfShape(resources.map(({ name }) => name)), id: count }

const publishedPlaces = listShape(
  shaped<PublishedPlace>({
    ...place,
    language: optional(textShape),
    status: textShape,
    slug: optional(textShape),
    signs: optional(object),
    isWanted: optional(trueShape),
  }),
)

/** By the property that tells them apart. */
const entries: { readonly [Name in EntryName]: ShapeCheck } = {
  session: shaped<Entry<'session'>>({ session: textShape, at: time }),
  sent: shaped<Entry<'sent'>>({
    sent: textShape,
    at: time,
    up: optional(count),
    newest: optional(count),
    users: optional(referrers),
    lost: optional(lostLinks),
    publishes: optional(publishedPlaces),
  }),
  takingBack: shaped<Entry<'takingBack'>>({ takingBack: textShape, id: count, at: time, left: object }),
  done: shaped<Entry<'done'>>({
    done: textShape,
    id: count,
    at: optional(time),
    doneByOthers: optional(trueShape),
    takenBack: optional(count),
    left: optional(object),
    modified: optional(textShape),
    failure: optional(failure),
  }),
  failed: shaped<Entry<'failed'>>({ failed: textShape, failure, left: optional(object) }),
  unknown: shaped<Entry<'unknown'>>({ unknown: textShape, failure, left: optional(object) }),
  gaveBack: shaped<Entry<'gaveBack'>>({ gaveBack: shaped<Entry<'gaveBack'>['gaveBack']>(place) }),
  ended: shaped<Entry<'ended'>>({ ended: time }),
}

type EntryName = 'session' | 'sent' | 'takingBack' | 'done' | 'failed' | 'unknown' | 'gaveBack' | 'ended'

type Entry<Name extends EntryName> = Extract<JournalEntry, Readonly<Record<Name, unknown>>>

export const isEntry = (line: unknown): line is JournalEntry =>
  isObject(line) && Object.entries(entries).some(([name, check]) => name in line && check.test(line))
