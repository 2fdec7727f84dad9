import type { Circumstances } from '../../client/change.ts'
import type { Client, Values } from '../../client/client.ts'
import { originOf } from '../../client/origin.ts'
import { documentedNamespace, resourceNamed, resources } from '../../contract/contract.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import type { FileRecord } from '../../files/records/file-record.ts'
import { locator } from '../match/match.ts'
import { native } from '../match/normalize.ts'
import { distinctKeys, slugIn } from '../match/step-keys.ts'
import type { Invalid, Plan, Step } from '../plan.ts'
import { createReader, type Reader } from '../site-reader.ts'
import { batches, createSpool, filtered, joined, type Sequence, type Spool } from '../spool.ts'
import { absent } from './absent.ts'
import { among, type Making, planOf } from './context.ts'
import { dropped } from './dropped.ts'
import { mistaken, refused } from './invalid.ts'
import { createLinks, type Links } from './links.ts'
import { overwritten } from './overwritten.ts'
import { pruning } from './prune.ts'
import { type Located, stepOf } from './step.ts'

/** How the records of a file become steps. */
export interface RecordsOptions {
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
export interface Group {
  readonly resource: Resource
  readonly language: Language | undefined
  readonly records: Sequence<FileRecord>
  /** How many of them have no ID. */
  readonly unnumbered: number
}

/** The plan that makes a site have records as a file has them. */
export async function planRecords(
  records: AsyncIterable<FileRecord>,
  making: Making,
  options: RecordsOptions = {},
): Promise<Plan> {
  const { client } = making
  const reader = createReader(client)
  const links = createLinks(reader)
  const invalid: Invalid[] = []
  const refuse = (record: FileRecord, error: unknown) => {
    if (!(error instanceof Failure)) throw error
    invalid.push(refused(record, error))
  }

  const groups = await grouped(records, originOf(client), client.language, record => invalid.push(mistaken(record)))
  const located = createSpool<Located>()
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
      const step = await stepOf(one, circumstancesOf(one, making, options, links))
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
      for await (const step of dropped(making, reader, group, located)) {
        steps.add(step)
        gone.add(step.key)
      }
  if (isPruned)
    for (const group of groups)
      for await (const step of pruning(client, reader, group, located, options.prune ?? {}))
        if (!gone.has(step.key)) steps.add(step)
  const all = joined(links.steps, steps)
  return planOf(making, {
    steps: all,
    same: found.same,
    ...(found.anew > 0 && { anew: found.anew }),
    invalid,
    among: await among(reader, all),
    notes: [
      ...(options.prune && groups.length === 0 ? ['nothing is pruned, as there are no records'] : []),
      ...(options.prune && !isPruned ? ['nothing is pruned as long as there are records that cannot be done'] : []),
      ...(await overwritten(client, reader, all)),
    ],
  })
}

/** Whether it is to be taken away, and is not there. */
const isGone = ({ record, before }: Located): boolean => record.action === 'trash' && before === undefined

/** Whether a record was looked for by its title and dates. */
const isSought = ({ record }: Located, { only, match }: RecordsOptions): boolean =>
  record.resource === 'events' &&
  only === undefined &&
  match === undefined &&
  record.action !== 'create' &&
  record.id === undefined &&
  slugIn(record) === undefined

/** What others name comes first. Records with mistakes are told and left out. */
async function grouped(
  records: AsyncIterable<FileRecord>,
  origin: string,
  language: Language | undefined,
  tell: (record: FileRecord) => void,
): Promise<Group[]> {
  const groups = new Map<string, Group & { records: Spool<FileRecord>; unnumbered: number }>()
  for await (const given of records) {
    const record = native(given, origin)
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
  const rank = ({ resource }: Group) => resources.indexOf(resource)
  return [...groups.values()].toSorted((one, other) => rank(other) - rank(one))
}

async function* locateGroup(
  { resource, language, records, unnumbered }: Group,
  { client, zone }: Making,
  reader: Reader,
  { only, match, prune }: RecordsOptions,
  refuse: (record: FileRecord, error: unknown) => void,
): AsyncGenerator<Located> {
  const isNew = ({ action }: FileRecord) => only === 'create' || action === 'create'
  const sought = filtered(records, record => !isNew(record))
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
  const keys = distinctKeys(resource, language, match, record => only !== undefined || isNew(record), zone)
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

const needsRecord = ({ id, origin, action }: FileRecord, isNew: boolean, only: RecordsOptions['only']): boolean =>
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
  const slug = slugIn(record)
  const ref = id !== undefined ? { id } : slug !== undefined ? { slug } : undefined
  const failure = await absent(client, { resource, ref, language, trashed: action === 'restore' })
  // What the row says of its language counts, whatever the command line says.
  if (lang_code === undefined || !failure.details.hint?.includes('--lang')) return failure
  return new Failure(failure.kind, failure.message, { ...failure.details, hint: 'change lang_code, or leave it empty' })
}

/** Lets other records name one that comes along. */
function remember(
  { record, key, before, language: other }: Located,
  links: Links,
  language: Language | undefined,
): void {
  const resource = resourceNamed(record.resource)
  if (record.action === 'trash' || resource.name === 'events') return
  const called = { slug: record.slug ?? record.values.slug, name: record.values[resource.title] }
  links.remember(resource, other ?? language, called, before?.id ?? { $ref: key })
}

const circumstancesOf = (
  { record, language }: Located,
  { client, now, zone }: Making,
  { createMissing = false }: RecordsOptions,
  links: Links,
): Circumstances => ({
  now,
  zone,
  notice: async () => {},
  called: name => name,
  // Production drops the offset, so that the clock's time is all there is to compare.
  heedsOffsets: client.namespace === documentedNamespace,
  names: links.namesFor({
    language: language ?? client.language,
    makesMissing: createMissing || record.makesLinks === true,
    isForeign: record.origin !== undefined && record.origin !== originOf(client),
  }),
})
