import type { Failure } from '../../../base/failure.ts'
import { isObject } from '../../../base/text/json.ts'
import { saidOfCounts } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { type Allow, createAllow } from '../../../client/adapters/allowed-values.ts'
import type { ChangeContext } from '../../../client/change.ts'
import type { Client } from '../../../client/client.ts'
import type { CreatesMissing } from '../../../client/name-lookup.ts'
import { isFrom } from '../../../client/site-discovery.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { Field } from '../../../contract/field.ts'
import { isApplied } from '../../../contract/three-way-merge.ts'
import { recordSlug } from '../match/step-keys.ts'
import { addToOverview, createOverview, type StepOverview } from '../overview.ts'
import type { Step } from '../plan.ts'
import { createSpool, type ReadonlyList } from '../spool.ts'
import type { BuildContext } from './context.ts'
import { failureOfRecord, invalidRecord } from './invalid.ts'
import { createLengthNotes } from './length-notes.ts'
import type { LinkResolver } from './links.ts'
import type { AddInvalid, MatchedRecord, MatchingOptions } from './matched-records.ts'
import { type Briefly, createCostNotes, createTwinNotes } from './notes.ts'
import { faultsOf } from './record-faults.ts'
import { withoutConflicts } from './returned-translations.ts'
import { sourceNotes } from './source-notes.ts'
import { stepForRecord } from './step-for-record.ts'

/** How matched records become steps. */
export interface FileStepsOptions extends Pick<MatchingOptions, 'only' | 'match'> {
  /** Creates venues, organizers, categories and tags that records name and that do not exist. */
  readonly createMissing?: CreatesMissing | undefined
  /** Looks for events like the new ones, also in the trash, for a note; absent if it does not look. */
  readonly briefly?: Briefly
}

/** The steps for the records of a file, and what was found while building them. */
export interface FileSteps {
  /** Adds the step of a record, if it needs one. */
  readonly add: (matched: MatchedRecord) => Promise<void>
  /** Notes all that is wrong with a record that has mistakes. */
  readonly addFaults: (matched: MatchedRecord) => Promise<void>
  addRemoval(step: Step): void
  readonly list: ReadonlyList<Step>
  readonly overview: StepOverview
  /** The number of records that are already as they should be. */
  readonly same: number
  /** The number of events that are new because no existing one has their title and dates. */
  readonly anew: number
  readonly hasTranslations: boolean
  /** Sentences about values that are sent in another form than the file has them. */
  notesOfValues(): string[]
  /** Sentences about what the steps do. */
  notes(): Promise<string[]>
}

export function createFileSteps(
  context: BuildContext,
  options: FileStepsOptions,
  links: LinkResolver,
  addInvalid: AddInvalid,
): FileSteps {
  const { client } = context
  const list = createSpool<Step>()
  const overview = createOverview()
  let same = 0
  let anew = 0
  let hasUpdates = false
  let hasTranslations = false
  const leftOut = new Map<string, number>()
  const allow = createAllow(client, { onLeftOut: field => leftOut.set(field, (leftOut.get(field) ?? 0) + 1) })
  const costs = createCostNotes(client)
  const lengths = createLengthNotes({ isFile: true })
  const twins = createTwinNotes(client, options.briefly)
  const backslashes = createBackslashes(client)

  const addStep = (step: Step) => {
    list.add(step)
    addToOverview(overview, step)
  }
  const note = (step: Step, matched: MatchedRecord) => {
    addStep(step)
    costs.add(step)
    lengths.add(step, matched.record.values)
    const isNew = step.action === 'create' && isUnnamed(matched, options)
    twins.add(step, isNew && (options.match?.includes('title') ?? true))
    if (step.before) hasUpdates = true
    if (isNew && options.match === undefined) anew += 1
  }
  const addFaults = async (one: MatchedRecord, failures: readonly Failure[] = []) => {
    const found = await faultsOf(one, changeContext(one, context, { ...options, links, allow, isTrial: true }))
    addInvalid(one.record, invalidRecord(one.record, [...failures, ...found]))
  }
  const add = async (original: MatchedRecord) => {
    const { matched: checked, conflict } = withoutConflicts(original, client.calendar.flags)
    if (conflict) addInvalid(original.record, conflict)
    if (original.record.translation) hasTranslations = true
    if (original.before) twins.addMeant(original.before)
    const one = backslashes.withoutBackslashes(checked)
    if (one.record.action === 'ignore' || isAlreadyGone(one)) return
    try {
      const step = await stepForRecord(one, changeContext(one, context, { ...options, links, allow }))
      if (step) note(step, one)
      else same += 1
    } catch (error) {
      await addFaults(one, [failureOfRecord(error)])
    }
  }
  return {
    add,
    addFaults,
    addRemoval: addStep,
    list,
    overview,
    get same() {
      return same
    },
    get anew() {
      return anew
    },
    get hasTranslations() {
      return hasTranslations
    },
    notesOfValues: () => [...backslashes.notes(), ...leftOutNotes(client, Object.fromEntries(leftOut))],
    notes: async () => [
      // Steps may be on disk, and are only read again if there may be something to say.
      ...(hasUpdates ? sourceNotes(client, list) : []),
      ...costs.notes(),
      ...lengths.notes(),
      ...(await twins.notes(list)),
    ],
  }
}

/** Whether a record that is to be trashed does not exist. */
const isAlreadyGone = ({ record, before }: MatchedRecord): boolean => record.action === 'trash' && before === undefined

/** Whether an event could only have been matched by its title and dates, or by the fields of --match. */
const isUnnamed = ({ record }: MatchedRecord, { only }: FileStepsOptions): boolean =>
  record.resource === 'events' &&
  only === undefined &&
  record.action !== 'create' &&
  record.id === undefined &&
  recordSlug(record) === undefined

interface ChangeOptions extends FileStepsOptions {
  readonly links: LinkResolver
  readonly allow: Allow
  readonly isTrial?: boolean
}

const changeContext = (
  { record, language }: MatchedRecord,
  { client, now, zone, care }: BuildContext,
  { links, allow, createMissing = false, isTrial = false }: ChangeOptions,
): ChangeContext => ({
  allow,
  known: client,
  now,
  zone,
  notice: async () => {},
  fieldLabel: name => (record.headings?.[name] === undefined ? name : `${record.headings[name]} (${name})`),
  // Production drops offsets, so only wall times can be compared with it.
  keepsOffsets: client.capabilities.keepsOffsets,
  names: links.namesFor({
    language: language ?? client.language,
    createsMissing: createMissing || record.makesLinks === true,
    isForeign: record.origin !== undefined && !isFrom(record.origin, client.calendar),
    numbersAreNames: record.numbersAreNames === true,
    unsplit: record.unsplit,
    describesPlaces: record.describesPlaces === true,
    isTrial,
    // An export of a calendar has the names of its own venues.
    care: record.origin !== undefined ? undefined : care,
    isByProgram: record.series !== undefined,
  }),
})

/** Sentences on how many values of a file the site would not take, because it decides them itself. */
function leftOutNotes({ calendar }: Client, { slug = 0, ...dates }: Readonly<Record<string, number>>): string[] {
  const undated = Object.values(dates).reduce((sum, count) => sum + count, 0)
  const undatedNote = (count: number) =>
    phrase(
      '{calendar} dates drafts by their last save: left out {count, plural, one {# publication date} other {# publication dates}}',
      { calendar: calendar.label, count },
    )
  const slugNote = (count: number) =>
    phrase(
      '{calendar} derives the slugs of venues and organizers from their names: left out {count, plural, one {# slug} other {# slugs}}',
      { calendar: calendar.label, count },
    )
  return saidOfCounts([
    [undated, undatedNote],
    [slug, slugNote],
  ])
}

const hasBackslash = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(hasBackslash)
  return isObject(value) ? Object.values(value).some(hasBackslash) : typeof value === 'string' && value.includes('\\')
}

/** A text, or the names of linked records, as the site stores them. */
function keptBySite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keptBySite)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, keptBySite(one)]))
  return typeof value === 'string' ? value.replace(/\\(.?)/gs, '$1') : value
}

/**
 * Removes the backslashes from texts of feeds, because The Events Calendar drops them with every write: so a text that was written once is
 * equal the next time. A backslash that the site has from its own editor stays.
 */
function createBackslashes({ capabilities, calendar }: Client) {
  let dropped = 0
  return {
    withoutBackslashes(matched: MatchedRecord): MatchedRecord {
      const { record, before } = matched
      if (capabilities.keepsBackslashes || record.numbersAreNames !== true) return matched
      const { fields } = resourceNamed(record.resource)
      const values: Record<string, unknown> = { ...record.values }
      const isThere = (name: string, field: Field, value: unknown) =>
        before !== undefined && isApplied(name, field, value, before)
      for (const [name, text] of Object.entries(record.values)) {
        const field = fields[name]
        if (!field || !hasBackslash(text) || isThere(name, field, text)) continue
        const kept = keptBySite(text)
        values[name] = kept
        // The records that an existing record links to are known by ID, not by name.
        if (!before || (typeof kept === 'string' && !isThere(name, field, kept))) dropped += 1
      }
      return { ...matched, record: { ...record, values } }
    },
    notes(): string[] {
      const note = (count: number) =>
        phrase('{calendar} drops backslashes: left them out of {count, plural, one {# text} other {# texts}}', {
          calendar: calendar.label,
          count,
        })
      return saidOfCounts([[dropped, note]])
    },
  }
}
