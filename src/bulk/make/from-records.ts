import type { Circumstances } from '../../client/change.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import type { FileRecord } from '../../files/record.ts'
import { originOf } from '../origin.ts'
import type { Invalid, Plan, Step } from '../plan.ts'
import { absent } from './absent.ts'
import { mistaken, refused } from './invalid.ts'
import { keyOf, unlikeOthers } from './keys.ts'
import { createLinks, type Links } from './links.ts'
import { locator } from './locate.ts'
import { type Making, planOf } from './making.ts'
import { native } from './native.ts'
import { pruning } from './prune.ts'
import { type Located, stepOf } from './step.ts'
import { createReader, type Reader } from './there.ts'

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
  readonly records: readonly FileRecord[]
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
  const located: Located[] = []
  for (const group of groups) located.push(...(await locateGroup(group, client, reader, options, refuse)))
  remember(located, links, client.language)

  const steps: Step[] = []
  let same = 0
  for (const one of located) {
    if (one.record.action === 'ignore') continue
    try {
      const step = await stepOf(one, circumstancesOf(one, making, options, links))
      if (step) steps.push(step)
      else same += 1
    } catch (error) {
      refuse(one.record, error)
    }
  }
  if (options.prune && invalid.length === 0)
    for (const group of groups) steps.push(...(await pruning(client, reader, group, located, options.prune)))
  const notes = notesOn(located, options.prune !== undefined && invalid.length > 0)
  return planOf(making, { steps: [...links.steps, ...steps], same, invalid, among: reader.sizes(), notes })
}

/** What is to be known before the plan is carried out. */
function notesOn(located: readonly Located[], isPruningOff: boolean): string[] {
  const anew = located.filter(
    ({ record, before, resource }) => record.match && !before && resource.name === 'events',
  ).length
  return [
    ...(isPruningOff ? ['nothing is pruned as long as there are records that cannot be done'] : []),
    ...(anew > 0
      ? [
          `${anew} events are new, as none has their title and dates; to change dates, edit a sheet of calctl export: it has IDs`,
        ]
      : []),
  ]
}

/** What others name comes first. Records with mistakes are told and left out. */
async function grouped(
  records: AsyncIterable<FileRecord>,
  origin: string,
  language: Language | undefined,
  tell: (record: FileRecord) => void,
): Promise<Group[]> {
  const groups = new Map<string, { resource: Resource; language: Language | undefined; records: FileRecord[] }>()
  for await (const record of records) {
    if (record.mistakes.length > 0) {
      tell(record)
      continue
    }
    const own = record.lang_code ?? language
    const key = `${record.resource} ${own ?? ''}`
    const group = groups.get(key) ?? { resource: resourceNamed(record.resource), language: own, records: [] }
    group.records.push(native(record, origin))
    groups.set(key, group)
  }
  const rank = ({ resource }: Group) => resources.indexOf(resource)
  return [...groups.values()].toSorted((one, other) => rank(other) - rank(one))
}

async function locateGroup(
  { resource, language, records }: Group,
  client: Client,
  reader: Reader,
  { only, match }: RecordsOptions,
  refuse: (record: FileRecord, error: unknown) => void,
): Promise<Located[]> {
  const isNew = ({ action }: FileRecord) => only === 'create' || action === 'create'
  const existing = records.filter(record => !isNew(record))
  const locate = await locator({ client, reader, match }, resource, language, existing)
  const other = language === client.language ? undefined : language
  const places = new Map<string, string>()
  const located: Located[] = []
  for (const record of records) {
    try {
      const before = isNew(record) ? undefined : locate(record)
      if (!before && record.action === 'ignore') continue
      if (!before && needsRecord(record, isNew(record), only))
        throw await absentRecord(client, resource, language, record)
      const key = unlikeOthers(keyOf(resource, language, record, before), record, before, places)
      located.push({ record, resource, language: other, key, before })
    } catch (error) {
      refuse(record, error)
    }
  }
  return located
}

const needsRecord = ({ id, origin, action }: FileRecord, isNew: boolean, only: RecordsOptions['only']): boolean =>
  !isNew &&
  action !== 'trash' &&
  ((id !== undefined && origin === undefined) || only === 'update' || action === 'update' || action === 'restore')

const absentRecord = (
  client: Client,
  resource: Resource,
  language: Language | undefined,
  { id, slug, values, action }: FileRecord,
): Promise<Failure> => {
  const called = slug ?? values.slug
  const ref = id !== undefined ? { id } : typeof called === 'string' ? { slug: called } : undefined
  return absent(client, { resource, ref, language, trashed: action === 'restore' })
}

function remember(located: readonly Located[], links: Links, language: Language | undefined): void {
  const linkTo = ({ key, before }: Located) => before?.id ?? { $ref: key }
  for (const one of located.filter(({ record }) => record.action !== 'trash')) {
    const { slug, values } = one.record
    const called = { slug: slug ?? values.slug, name: values[one.resource.title] }
    if (one.resource.name !== 'events') links.remember(one.resource, one.language ?? language, called, linkTo(one))
  }
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
  names: links.namesFor({
    language: language ?? client.language,
    makesMissing: createMissing || record.makesLinks === true,
    isForeign: record.origin !== undefined && record.origin !== originOf(client),
  }),
})
