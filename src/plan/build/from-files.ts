import type { Client, Values } from '../../client/client.ts'
import { type CalendarName, isFrom } from '../../client/origin.ts'
import type { ChangeContext } from '../../client/resolve-change.ts'
import { documentedNamespace, resourceNamed, resources } from '../../contract/contract.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import type { FileRecord } from '../../files/records/file-record.ts'
import { locator } from '../match/match.ts'
import { normalizeRecord } from '../match/normalize.ts'
import { createStepKeys, recordSlug } from '../match/step-keys.ts'
import type { Invalid, Plan, Step } from '../plan.ts'
import { createSiteReader, type SiteReader } from '../site-reader.ts'
import { batches, concat, createSpool, filterItems, type ReadonlyList, type Spool } from '../spool.ts'
import { missingRecord } from './absent.ts'
import { type BuildContext, createPlan, listSizes } from './context.ts'
import { removalsOfCancelled } from './dropped.ts'
import { invalidRecord, invalidValues } from './invalid.ts'
import { createLinkResolver, type LinkResolver } from './links.ts'
import { overwriteNotes } from './overwritten.ts'
import { removalsOfUnlisted } from './prune.ts'
import { type MatchedRecord, stepForRecord } from './step.ts'

/** How the records of a file become steps. */
export interface FilePlanOptions {
  /** `create` makes every record anew, `update` makes none. */
  readonly only?: 'create' | 'update' | undefined
  /** The fields that say which record one without an ID and slug is. */
  readonly match?: readonly string[] | undefined
  /** Makes venues, organizers, categories and tags that are named and not there. */
  readonly createMissing?: boolean | undefined
  /** Takes away what the file does not have, of what these filters list. */
  readonly prune?: Values | undefined
}

/** Records of one resource in one language. */
export interface RecordGroup {
  readonly resource: Resource
  readonly language: Language | undefined
  readonly records: ReadonlyList<FileRecord>
  /** How many of them have no ID. */
  readonly unnumbered: number
}

/** The plan that makes a site have records as a file has them. */
export async function planFromRecords(
  records: AsyncIterable<FileRecord>,
  making: BuildContext,
  options: FilePlanOptions = {},
): Promise<Plan> {
  const { client } = making
  const reader = createSiteReader(client)
  const links = createLinkResolver(reader)
  const invalid: Invalid[] = []
  const refuse = (record: FileRecord, error: unknown) => {
    if (!(error instanceof Failure)) throw error
    invalid.push(invalidRecord(record, error))
  }

  const groups = await grouped(records, client.calendar, client.language, record => invalid.push(invalidValues(record)))
  const located = createSpool<MatchedRecord>()
  for (const group of groups)
    for await (const one of locateGroup(group, making, reader, options, refuse)) {
      located.add(one)
      remember(one, links, client.language)
    }

  const steps = createSpool<Step>()
  const found = { same: 0, anew: 0 }
  for (const one of located) {
    if (one.record.action === 'ignore' || isGone(one)) continue
    try {
      const step = await stepForRecord(one, circumstancesOf(one, making, options, links))
      if (step?.action === 'create' && isSought(one, options)) found.anew += 1
      if (step) steps.add(step)
      else found.same += 1
    } catch (error) {
      refuse(one.record, error)
    }
  }
  const isPruned = options.prune !== undefined && invalid.length === 0
  const gone = new Set<string>()
  if (options.only === undefined)
    for (const group of groups)
      for await (const step of removalsOfCancelled(making, reader, group, located)) {
        steps.add(step)
        gone.add(step.key)
      }
  if (isPruned)
    for (const group of groups)
      for await (const step of removalsOfUnlisted(client, reader, group, located, options.prune ?? {}))
        if (!gone.has(step.key)) steps.add(step)
  const all = concat(links.steps, steps)
  return createPlan(making, {
    steps: all,
    same: found.same,
    ...(found.anew > 0 && { anew: found.anew }),
    invalid,
    among: await listSizes(reader, all),
    notes: [
      ...(options.prune && groups.length === 0 ? ['nothing is pruned, as there are no records'] : []),
      ...(options.prune && !isPruned ? ['nothing is pruned as long as there are records that cannot be done'] : []),
      ...(await overwriteNotes(client, reader, all)),
    ],
  })
}

/** Whether it is to be taken away, and is not there. */
const isGone = ({ record, before }: MatchedRecord): boolean => record.action === 'trash' && before === undefined

/** Whether a record was looked for by its title and dates. */
const isSought = ({ record }: MatchedRecord, { only, match }: FilePlanOptions): boolean =>
  record.resource === 'events' &&
  only === undefined &&
  match === undefined &&
  record.action !== 'create' &&
  record.id === undefined &&
  recordSlug(record) === undefined

/** What others name comes first. Records with mistakes are told and left out. */
async function grouped(
  records: AsyncIterable<FileRecord>,
  calendar: CalendarName,
  language: Language | undefined,
  tell: (record: FileRecord) => void,
): Promise<RecordGroup[]> {
  const groups = new Map<string, RecordGroup & { records: Spool<FileRecord>; unnumbered: number }>()
  for await (const given of records) {
    const record = normalizeRecord(given, calendar)
    if (record.mistakes.length > 0) {
      tell(record)
      continue
    }
    const own = record.lang_code ?? language
    const key = `${record.resource} ${own ?? ''}`
    const group = groups.get(key) ?? {
      resource: resourceNamed(record.resource),
      language: own,
      records: createSpool(),
      unnumbered: 0,
    }
    group.records.add(record)
    if (record.id === undefined) group.unnumbered += 1
    groups.set(key, group)
  }
  const rank = ({ resource }: RecordGroup) => resources.indexOf(resource)
  return [...groups.values()].toSorted((one, other) => rank(other) - rank(one))
}

async function* locateGroup(
  { resource, language, records, unnumbered }: RecordGroup,
  { client, zone }: BuildContext,
  reader: SiteReader,
  { only, match, prune }: FilePlanOptions,
  refuse: (record: FileRecord, error: unknown) => void,
): AsyncGenerator<MatchedRecord> {
  const isNew = ({ action }: FileRecord) => only === 'create' || action === 'create'
  const sought = filterItems(records, record => !isNew(record))
  const locate = locator({
    reader,
    resource,
    language,
    match,
    records: sought,
    unnumbered,
    zone,
    isUsual: only === undefined,
    isWhole: prune !== undefined,
  })
  const other = language === client.language ? undefined : language
  const keys = createStepKeys(resource, language, match, record => only !== undefined || isNew(record), zone)
  for (const some of batches(records)) {
    const find = await locate(some.filter(record => !isNew(record)))
    for (const record of some)
      try {
        const before = isNew(record) ? undefined : find(record)
        if (!before && record.action === 'ignore') continue
        if (!before && needsRecord(record, isNew(record), only))
          throw await absentRecord(client, resource, language, record)
        yield { record, ...(other && { language: other }), key: keys(record, before), ...(before && { before }) }
      } catch (error) {
        refuse(record, error)
      }
  }
}

const needsRecord = ({ id, origin, action }: FileRecord, isNew: boolean, only: FilePlanOptions['only']): boolean =>
  !isNew &&
  action !== 'trash' &&
  ((id !== undefined && origin === undefined) || only === 'update' || action === 'update' || action === 'restore')

async function absentRecord(
  client: Client,
  resource: Resource,
  language: Language | undefined,
  record: FileRecord,
): Promise<Failure> {
  const { id, lang_code, action } = record
  const slug = recordSlug(record)
  const ref = id !== undefined ? { id } : slug !== undefined ? { slug } : undefined
  const failure = await missingRecord(client, { resource, ref, language, trashed: action === 'restore' })
  // What the row says of its language counts, whatever the command line says.
  if (lang_code === undefined || !failure.details.hint?.includes('--lang')) return failure
  return new Failure(failure.kind, failure.message, { ...failure.details, hint: 'change lang_code, or leave it empty' })
}

/** Lets other records name one that comes along. */
function remember(
  { record, key, before, language: other }: MatchedRecord,
  links: LinkResolver,
  language: Language | undefined,
): void {
  const resource = resourceNamed(record.resource)
  if (record.action === 'trash' || resource.name === 'events') return
  const called = { slug: record.slug ?? record.values.slug, name: record.values[resource.title] }
  links.remember(resource, other ?? language, called, before?.id ?? { $ref: key })
}

const circumstancesOf = (
  { record, language }: MatchedRecord,
  { client, now, zone }: BuildContext,
  { createMissing = false }: FilePlanOptions,
  links: LinkResolver,
): ChangeContext => ({
  now,
  zone,
  notice: async () => {},
  fieldLabel: name => name,
  // Production drops the offset, so that the clock's time is all there is to compare.
  keepsOffsets: client.namespace === documentedNamespace,
  names: links.namesFor({
    language: language ?? client.language,
    makesMissing: createMissing || record.makesLinks === true,
    isForeign: record.origin !== undefined && !isFrom(record.origin, client.calendar),
  }),
})
