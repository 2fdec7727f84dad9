import { type Allow, createAllow } from '../../client/allowed-values.ts'
import { isFrom } from '../../client/calendar-origin.ts'
import type { Client } from '../../client/client.ts'
import type { ChangeContext } from '../../client/resolve-change.ts'
import type { Criteria } from '../../client/selection/criteria.ts'
import { documentedNamespace, resourceNamed } from '../../contract/contract.ts'
import type { Language } from '../../contract/languages.ts'
import { Failure } from '../../failure.ts'
import type { FileRecord } from '../../files/records/file-record.ts'
import { foldText } from '../../text/normalize.ts'
import { counted } from '../../text/words.ts'
import { recordSlug } from '../match/step-keys.ts'
import { type Invalid, isRemoval, type Plan, type Step } from '../plan.ts'
import { createSiteReader, type SiteReader } from '../site-reader.ts'
import { concat, createSpool } from '../spool.ts'
import { createBackslashes } from './backslashes.ts'
import { type BuildContext, createPlan, listSizes } from './context.ts'
import { createCostNotes } from './cost-notes.ts'
import { withEarlierStarts } from './earlier-starts.ts'
import { failureOfRecord, invalidRecord, invalidValues } from './invalid.ts'
import { createLengthNotes } from './length-notes.ts'
import { createLinkResolver, type LinkResolver } from './links.ts'
import { groupRecords, type MatchedRecord, type MatchingOptions, matchGroup } from './matched-records.ts'
import { type MatchedGroup, removalsOfCancelled, removalsOfUnlisted, withoutNewTerms } from './removals.ts'
import { originalNotes, withoutConflicts } from './returned-translations.ts'
import { sourceNotes } from './source-notes.ts'
import { stepForRecord } from './step.ts'
import { type Briefly, createTrashNotes } from './trash-notes.ts'

/** How the records of a file become steps. */
export interface FilePlanOptions extends Omit<MatchingOptions, 'readsWholeList'> {
  /** Creates venues, organizers, categories and tags that records name and that do not exist. */
  readonly createMissing?: boolean | undefined
  /** Removes records that the file does not have, of those that these criteria select. */
  readonly prune?: Criteria | undefined
  /** Looks for new events in the trash, for a note; unset: without. */
  readonly briefly?: Briefly
}

/** The plan that makes the records of a site equal to those of a file. */
export async function planFromRecords(
  records: AsyncIterable<FileRecord>,
  context: BuildContext,
  options: FilePlanOptions = {},
): Promise<Plan> {
  const { client } = context
  const { prune } = options
  const reader = createSiteReader(client)
  const links = createLinkResolver(reader)
  const leftOut = new Map<string, number>()
  const allow = createAllow(client, {
    onLeftOut(field) {
      leftOut.set(field, (leftOut.get(field) ?? 0) + 1)
    },
  })
  const found: { readonly position: number; readonly invalid: Invalid }[] = []
  const addInvalid = ({ position = 0 }: FileRecord, invalid: Invalid) => found.push({ position, invalid })
  const onInvalid = (record: FileRecord, error: unknown) => {
    addInvalid(record, invalidRecord(record, failureOfRecord(error)))
  }

  const groups = await groupRecords(
    inPosition(records, prune !== undefined),
    client.calendar,
    client.language,
    record => addInvalid(record, invalidValues(record)),
  )
  const matched = createSpool<MatchedRecord>()
  const matching = { ...options, readsWholeList: prune !== undefined }
  const matchedGroups: MatchedGroup[] = []
  for (const group of groups) {
    const matchedGroup = { ...group, ids: new Set<number>(), readUntil: '' }
    matchedGroups.push(matchedGroup)
    for await (const one of matchGroup(group, context, reader, matching, onInvalid)) {
      matched.add(one)
      register(one, links, client.language)
      if (one.before) matchedGroup.ids.add(one.before.id)
      const { until = '' } = one.record.series ?? {}
      if (until > matchedGroup.readUntil) matchedGroup.readUntil = until
    }
  }

  const steps = createSpool<Step>()
  let same = 0
  let anew = 0
  let hasUpdates = false
  let hasTranslations = false
  const costs = createCostNotes(client)
  const lengths = createLengthNotes({ isFile: true })
  const trash = createTrashNotes(client, options.briefly)
  const backslashes = createBackslashes(client)
  for (const original of matched) {
    const { matched: checked, conflict } = withoutConflicts(original, client.calendar.flags)
    if (conflict) addInvalid(original.record, conflict)
    if (original.record.translation) hasTranslations = true
    const one = backslashes.withoutBackslashes(checked)
    if (one.record.action === 'ignore' || isAlreadyGone(one)) continue
    try {
      const step = await stepForRecord(one, changeContext(one, context, options, links, allow))
      if (step?.action === 'create' && wasMatchedByDates(one, options)) anew += 1
      if (!step) {
        same += 1
        continue
      }
      steps.add(step)
      costs.add(step)
      lengths.add(step, one.record.values)
      trash.add(step)
      if (step.before) hasUpdates = true
    } catch (error) {
      onInvalid(one.record, error)
    }
  }

  const invalid = found.toSorted((one, other) => one.position - other.position).map(one => one.invalid)
  const removed = new Set<string>()
  if (options.only === undefined)
    for (const group of matchedGroups)
      for await (const step of removalsOfCancelled(context, reader, group, matched)) {
        steps.add(step)
        removed.add(step.key)
      }
  const criteria = prune && (options.createMissing ? withoutNewTerms(prune, concat(links.steps, steps)) : prune)
  if (criteria !== undefined && invalid.length === 0)
    for (const group of groups)
      for await (const step of removalsOfUnlisted(context, reader, group, matched, criteria))
        if (!removed.has(step.key)) steps.add(step)

  // In an empty calendar there was no event to match.
  const hasUnmatched = anew > 0 && (await reader.count(resourceNamed('events'))) > 0
  const allSteps = concat(links.steps, steps)
  const notes: string[] = []
  if (prune && groups.length === 0) notes.push('--prune removes nothing: no records were read')
  if (prune && invalid.length > 0) notes.push('--prune removes nothing as long as records are invalid')
  // A plan may have many thousand steps on disk, to be read once more only if there can be something to say.
  if (hasTranslations) notes.push(...(await originalNotes(reader, matched, client.language)))
  notes.push(...backslashes.notes())
  notes.push(...leftOutNotes(client, Object.fromEntries(leftOut)))
  notes.push(...(await overwriteNotes(client, reader, allSteps)))
  if (hasUpdates) notes.push(...sourceNotes(client, steps))
  notes.push(...costs.notes(), ...lengths.notes(), ...(await trash.notes(steps)))
  const plan = createPlan(context, {
    steps: allSteps,
    same,
    ...(hasUnmatched && { anew }),
    invalid,
    among: await listSizes(reader, allSteps),
    notes,
  })
  return withEarlierStarts(plan, prune?.days, isRemoval)
}

/** Records are matched kind by kind; people find what is wrong in the order of the file. */
async function* inPosition(records: AsyncIterable<FileRecord>, isPruning: boolean): AsyncGenerator<FileRecord> {
  let position = 0
  for await (const record of records) {
    // What has no text to translate is no record to remove.
    if (isPruning && record.translation)
      throw new Failure('usage', '--prune and translations cannot be used together', { hint: 'leave out --prune' })
    yield { ...record, position: position++ }
  }
}

/** Whether a record that is to be trashed does not exist. */
const isAlreadyGone = ({ record, before }: MatchedRecord): boolean => record.action === 'trash' && before === undefined

/** Whether only its title and dates could tell that an event exists already. */
const wasMatchedByDates = ({ record }: MatchedRecord, { only, match }: FilePlanOptions): boolean =>
  record.resource === 'events' &&
  only === undefined &&
  match === undefined &&
  record.action !== 'create' &&
  record.id === undefined &&
  recordSlug(record) === undefined

/** Lets other records of the file link to this one by its slug or name. */
function register(
  { record, key, before, language }: MatchedRecord,
  links: LinkResolver,
  defaultLanguage: Language | undefined,
): void {
  const resource = resourceNamed(record.resource)
  if (record.action === 'trash' || resource.name === 'events') return
  const values = { ...before, ...record.values }
  const names = { slug: record.values.slug, name: record.values[resource.title], values }
  links.register(resource, language ?? defaultLanguage, names, before?.id ?? { $ref: key })
}

const changeContext = (
  { record, language }: MatchedRecord,
  { client, now, zone, care }: BuildContext,
  { createMissing = false }: FilePlanOptions,
  links: LinkResolver,
  allow: Allow,
): ChangeContext => ({
  allow,
  known: client,
  now,
  zone,
  notice: async () => {},
  fieldLabel: name => (record.headings?.[name] === undefined ? name : `${record.headings[name]} (${name})`),
  // Production drops offsets, so that only wall times can be compared with it.
  keepsOffsets: client.namespace === documentedNamespace,
  names: links.namesFor({
    language: language ?? client.language,
    createsMissing: createMissing || record.makesLinks === true,
    isForeign: record.origin !== undefined && !isFrom(record.origin, client.calendar),
    numbersAreNames: record.numbersAreNames === true,
    // Programs write feeds and exports, and mistype nothing.
    care: record.series || record.origin !== undefined ? undefined : care,
  }),
})

/** What the site decides by itself, and how many values of a file it would not take. */
function leftOutNotes({ calendar }: Client, { slug = 0, ...dates }: Readonly<Record<string, number>>): string[] {
  const undated = Object.values(dates).reduce((sum, count) => sum + count, 0)
  return [
    ...(undated > 0
      ? [`${calendar.label} dates drafts by their last save: left out ${counted(undated, 'publication date')}`]
      : []),
    ...(slug > 0
      ? [
          `${calendar.label} derives the slugs of venues and organizers from their names: left out ${counted(slug, 'slug')}`,
        ]
      : []),
  ]
}

const maxNames = 5

/** Warns of venues and organizers whose names exist already: The Events Calendar keeps one per name, and overwrites it. */
async function overwriteNotes(client: Client, reader: SiteReader, steps: Iterable<Step>): Promise<string[]> {
  if (client.namespace === documentedNamespace) return []
  const notes: string[] = []
  for (const resourceName of ['venues', 'organizers'] as const) {
    const resource = resourceNamed(resourceName)
    const seen = new Set<string>()
    const repeated = new Set<string>()
    for (const step of steps) {
      if (step.action !== 'create' || step.resource !== resourceName) continue
      const { language = client.language, values } = step
      const name = String(values[resource.title])
      const key = `${language ?? ''} ${foldText(name)}`
      const index = await reader.readList({ resource, language })
      if (seen.has(key) || index.byName(name).length > 0) repeated.add(name)
      seen.add(key)
    }
    if (repeated.size === 0) continue
    const names = [...repeated].slice(0, maxNames).map(name => JSON.stringify(name))
    const more = repeated.size > maxNames ? ` and ${repeated.size - maxNames} more` : ''
    notes.push(
      `${client.calendar.label} keeps one ${resource.singular} per name and would overwrite the existing one: ${names.join(', ')}${more}`,
    )
  }
  return notes
}
