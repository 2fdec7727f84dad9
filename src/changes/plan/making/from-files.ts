import { usage } from '../../../base/failure.ts'
import { foldText } from '../../../base/text/folding.ts'
import { listOfFirst } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Client } from '../../../client/client.ts'
import type { Criteria } from '../../../client/selection/criteria.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { Language } from '../../../contract/languages.ts'
import type { Resource } from '../../../contract/resource.ts'
import { recordNoun } from '../../../contract/resource-words.ts'
import type { FileRecord } from '../../../files/records/file-record.ts'
import { addToOverview, rememberOverview } from '../overview.ts'
import type { Invalid, Plan, Step } from '../plan.ts'
import { SiteReader } from '../site-reader.ts'
import { concat, createSpool } from '../spool.ts'
import { type BuildContext, createPlan, listSizes } from './context.ts'
import { createFileSteps, type FileSteps, type FileStepsOptions } from './file-steps.ts'
import { createLinkResolver, type LinkResolver, namesInLists } from './links.ts'
import {
  type AddInvalid,
  groupRecords,
  type ListedRecord,
  listedRecord,
  type MatchedRecord,
  type MatchingOptions,
  matchGroup,
  type RecordGroup,
} from './matched-records.ts'
import { withEarlierStarts } from './notes.ts'
import { type MatchedGroup, removalsOfCancelled, removalsOfUnlisted, withoutNewTerms } from './removals.ts'
import { originalNotes } from './returned-translations.ts'

/** How the records of a file become steps. */
export interface FilePlanOptions extends Omit<MatchingOptions, 'readsWholeList' | 'addInvalid'>, FileStepsOptions {
  /** Removes records that are not in the file, among those that these criteria select. */
  readonly prune?: Criteria | undefined
  /** The names of the files, for the list of runs. */
  readonly files?: readonly string[]
}

/** What the parts of building a plan from files share. */
interface Building {
  readonly context: BuildContext
  readonly options: FilePlanOptions
  readonly reader: SiteReader
  readonly links: LinkResolver
  readonly steps: FileSteps
  readonly addInvalid: AddInvalid
}

/** Makes the plan by which the records of a site become equal to those of a file. */
export async function planFromRecords(
  records: AsyncIterable<FileRecord>,
  context: BuildContext,
  options: FilePlanOptions = {},
): Promise<Plan> {
  const { client } = context
  const { prune } = options
  const reader = new SiteReader(client)
  const links = createLinkResolver(language => namesInLists(reader, language))
  const found: { readonly position: number; readonly invalid: Invalid }[] = []
  const addInvalid: AddInvalid = ({ position = 0 }, invalid) => void found.push({ position, invalid })
  const steps = createFileSteps(context, options, links, addInvalid)
  const building = { context, options, reader, links, steps, addInvalid }

  const groups = await groupRecords(records, client.calendar, client.language, record => checkCanPrune(record, prune))
  const valid = groups.filter(({ isValid }) => isValid)
  const matched = await addMatched(valid, building)
  // Their links may be to records of the file.
  for (const group of groups)
    if (!group.isValid)
      for await (const one of matchGroup(group, context, reader, { ...options, addInvalid, readsWholeList: false }))
        await steps.addFaults(one)
  const invalid = found.toSorted((one, other) => one.position - other.position).map(one => one.invalid)
  await addRemovals(matched, building, invalid.length === 0)

  const { same, anew } = steps
  // An empty calendar has no events to match.
  const hasUnmatched = anew > 0 && (await reader.count(resourceNamed('events'))) > 0
  const allSteps = concat(links.steps, steps.list)
  for (const step of links.steps) addToOverview(steps.overview, step)
  rememberOverview(allSteps, steps.overview)
  const notes: string[] = []
  if (prune && valid.length === 0) notes.push(phrase('--prune removes nothing: no records were read'))
  if (prune && invalid.length > 0) notes.push(phrase('--prune removes nothing while there are invalid records'))
  // Thousands of steps may be on disk, and are only read again if there may be something to say.
  if (steps.hasTranslations) notes.push(...(await originalNotes(reader, matched.listed, client.language)))
  notes.push(...links.notes, ...steps.notesOfValues())
  notes.push(...(await overwriteNotes(client, reader, allSteps)))
  notes.push(...(await steps.notes()))
  const plan = createPlan(context, {
    steps: allSteps,
    same,
    ...(hasUnmatched && { anew }),
    invalid,
    among: await listSizes(reader, allSteps),
    notes,
    ...(options.files && { files: options.files }),
  })
  return withEarlierStarts(plan, prune?.days)
}

/** The records of a file, matched with those of the site. */
interface Matched {
  readonly groups: readonly MatchedGroup[]
  readonly listed: Iterable<ListedRecord>
}

/** Matches records and adds their steps. */
async function addMatched(groups: readonly RecordGroup[], building: Building): Promise<Matched> {
  const { context, options, reader, links, steps, addInvalid } = building
  const matching = { ...options, addInvalid, readsWholeList: options.prune !== undefined }
  const listed = createSpool<ListedRecord>()
  const matchedGroups: MatchedGroup[] = []
  const matchEach = async (group: RecordGroup, add: (one: MatchedRecord) => unknown) => {
    const matchedGroup = { ...group, ids: new Set<number>(), readUntil: '' }
    matchedGroups.push(matchedGroup)
    for await (const one of matchGroup(group, context, reader, matching)) {
      listed.add(listedRecord(one))
      if (one.before) matchedGroup.ids.add(one.before.id)
      const { until = '' } = one.record.series ?? {}
      if (until > matchedGroup.readUntil) matchedGroup.readUntil = until
      await add(one)
    }
  }
  // Any record can link to venues, organizers and terms, so these must be known before the first step. Events come last.
  const linkable = createSpool<MatchedRecord>()
  const isOfEvents = ({ resource }: RecordGroup) => resource.name === 'events'
  for (const group of groups)
    if (!isOfEvents(group))
      await matchEach(group, one => {
        register(one, links, context.client.language)
        linkable.add(one)
      })
  for (const one of linkable) await steps.add(one)
  for (const group of groups) if (isOfEvents(group)) await matchEach(group, steps.add)
  return { groups: matchedGroups, listed }
}

/** Adds the steps that remove what is not in the file. */
async function addRemovals({ groups, listed }: Matched, building: Building, areAllValid: boolean): Promise<void> {
  const { context, options, reader, links, steps } = building
  const { prune, createMissing, only } = options
  const removed = new Set<string>()
  const addCancelled = async (group: MatchedGroup) => {
    for await (const step of removalsOfCancelled(context, reader, group, listed)) {
      steps.addRemoval(step)
      removed.add(step.key)
    }
  }
  if (only === undefined) for (const group of groups) await addCancelled(group)
  const criteria = prune && (createMissing ? withoutNewTerms(prune, concat(links.steps, steps.list)) : prune)
  if (criteria === undefined || !areAllValid) return
  for (const group of groups)
    for await (const step of removalsOfUnlisted(context, reader, group, { listed, criteria }))
      if (!removed.has(step.key)) steps.addRemoval(step)
}

/** Throws `usage` if a file of translations is to be applied with --prune: a record without a text to translate is not missing. */
function checkCanPrune({ translation }: FileRecord, prune: Criteria | undefined): void {
  if (prune && translation)
    throw usage(phrase('--prune and translations cannot be used together'), phrase('leave out --prune'))
}

/** Lets other records of the file link to this one by slug or name. */
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

const maxNames = 5

/** Warns of venues and organizers whose names already exist: The Events Calendar keeps one for each name, and overwrites it. */
async function overwriteNotes(client: Client, reader: SiteReader, steps: Iterable<Step>): Promise<string[]> {
  if (!client.capabilities.overwritesSameName) return []
  const notes: string[] = []
  for (const resource of [resourceNamed('venues'), resourceNamed('organizers')]) {
    const repeated = await repeatedNames(client, reader, resource, steps)
    if (repeated.size === 0) continue
    const names = listOfFirst(
      Array.from(repeated, name => JSON.stringify(name)),
      maxNames,
    )
    notes.push(
      phrase('{calendar} keeps one {record} per name and would overwrite the existing one: {names}', {
        calendar: client.calendar.label,
        record: recordNoun(resource.name),
        names,
      }),
    )
  }
  return notes
}

/** The names of new records that other records have, too. */
async function repeatedNames(client: Client, reader: SiteReader, resource: Resource, steps: Iterable<Step>) {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const step of steps) {
    if (step.action !== 'create' || step.resource !== resource.name) continue
    const { lang_code: language = client.language, values } = step
    const name = String(values[resource.title])
    const key = `${language ?? ''} ${foldText(name)}`
    const index = await reader.readList({ resource, language })
    if (seen.has(key) || index.byName(name).length > 0) repeated.add(name)
    seen.add(key)
  }
  return repeated
}
