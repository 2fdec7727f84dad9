/**
 * Exporting: records as a site returns them become records as files hold them, which can be applied to the same site or to
 * another. Links are by slug, and categories come after their parents, so that another site finds what they refer to.
 */

import { exportOrigin } from '../../client/calendar-origin.ts'
import type { Client, Values } from '../../client/client.ts'
import { wholeListQuery } from '../../client/whole-list.ts'
import { withRawValues } from '../../client/wordpress/raw-values.ts'
import { documentedNamespace } from '../../contract/contract.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { counted } from '../../text/words.ts'
import type { WritableRecord } from '../records/file-record.ts'
import { writableRecord } from './writable-record.ts'

export interface ExportOptions {
  readonly client: Client
  readonly resources: readonly Resource[]
  /** Undefined stands for the client's own language. */
  readonly languages: readonly (Language | undefined)[]
  readonly filters: Values
  readonly notice: (text: string) => Promise<void>
}

/** Reads all records of the resources in writable form, resource by resource, with notices of those that cannot be exported. */
export async function* exportRecords(options: ExportOptions): AsyncGenerator<WritableRecord> {
  for (const resource of options.resources) {
    const known = Object.entries(options.filters).filter(([name]) => name in resource.filters)
    for (const language of options.languages) {
      let hasLanguage = true
      for await (const record of recordsOf(resource, language, Object.fromEntries(known), options)) {
        hasLanguage = record.lang_code !== undefined
        yield record
      }
      // A site whose records have no language returns the same ones in every language.
      if (!hasLanguage) break
    }
  }
}

async function* recordsOf(
  resource: Resource,
  language: Language | undefined,
  filters: Values,
  { client, notice }: ExportOptions,
): AsyncGenerator<WritableRecord> {
  const origin = exportOrigin(client.calendar)
  let locked = 0
  let hidden = 0
  const write = (answer: Answer, slugOf: (id: number) => string | undefined = () => undefined) => ({
    ...writableRecord(resource, answer, slugOf),
    origin,
  })
  const pages = client.pages(resource, wholeListQuery({ resource, language }, filters))
  if (resource.name === 'categories') {
    const records: Answer[] = []
    for await (const page of pages) records.push(...page.records)
    const slugs = new Map(records.map(({ id, slug }) => [id, String(slug)]))
    for (const record of parentsFirst(records)) yield write(record, id => slugs.get(id))
    return
  }
  for await (const { records } of pages)
    for (const record of await withRawValues(client, resource, records, undefined, language)) {
      if (record.hide_from_listings === true) hidden += 1
      if (isLocked(resource, record)) locked += 1
      else yield write(record)
    }
  const notExported = language ? `not exported in ${language}` : 'not exported'
  if (locked > 0) await notice(`${notExported}: ${counted(locked, 'event')} with a password`)
  if (resource.name === 'events' && hidden === 0 && client.namespace !== documentedNamespace)
    await notice(`${notExported}: hidden events, which ${client.calendar.label} does not list`)
  const isWhole = Object.keys(filters).length === 0
  const trashed = isWhole && resource.trashable ? await countTrash(client, resource, language) : 0
  if (trashed > 0) await notice(`${notExported}: ${counted(trashed, resource.singular, resource.name)} in the trash`)
}

/** The Events Calendar blanks events with a password: even their flags are null. */
const isLocked = (resource: Resource, record: Answer): boolean =>
  resource.name === 'events' && record.all_day === null && record.featured === null

function parentsFirst(records: readonly Answer[]): Answer[] {
  const byId = new Map(records.map(record => [record.id, record]))
  const visited = new Set<Answer>()
  const sorted: Answer[] = []
  const add = (record: Answer) => {
    if (visited.has(record)) return
    visited.add(record)
    const parent = byId.get(Number(record.parent))
    if (parent) add(parent)
    sorted.push(record)
  }
  for (const record of records) add(record)
  return sorted
}

async function countTrash(client: Client, resource: Resource, language: Language | undefined): Promise<number> {
  try {
    const filters = { ...wholeListQuery({ resource, language, trashed: true }), per_page: 1 }
    return (await client.list(resource, filters)).total
  } catch (error) {
    // Without a login, services refuse to list the trash.
    if (error instanceof Failure && (error.kind === 'refused' || error.kind === 'denied')) return 0
    throw error
  }
}
