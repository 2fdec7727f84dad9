import type { Client, Values } from '../../client/client.ts'
import { exportOrigin } from '../../client/origin.ts'
import { wholeListQuery } from '../../client/whole-list.ts'
import { documentedNamespace } from '../../contract/contract.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import type { WritableRecord } from '../records/file-record.ts'
import { writableRecord } from './writable-record.ts'

/** What is to be exported. */
export interface ExportOptions {
  readonly client: Client
  /** In any order; what others name comes first. */
  readonly resources: readonly Resource[]
  /** Undefined is the language that the client speaks. */
  readonly languages: readonly (Language | undefined)[]
  readonly filters: Values
  readonly notice: (text: string) => Promise<void>
}

/** All records that can be read, in writable form, those that others name before those others; says what could not be read. */
export async function* exportRecords(options: ExportOptions): AsyncGenerator<WritableRecord> {
  for (const resource of options.resources) {
    const known = Object.entries(options.filters).filter(([name]) => name in resource.filters)
    for (const language of options.languages) {
      let isSaid = true
      for await (const record of recordsOf(resource, language, Object.fromEntries(known), options)) {
        isSaid = record.lang_code !== undefined
        yield record
      }
      // Asked again in another language, such a site gives the same records.
      if (!isSaid) break
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
    for (const record of records) {
      if (record.hide_from_listings === true) hidden += 1
      if (isLocked(resource, record)) locked += 1
      else yield write(record)
    }
  const leftOut = `left out of the ${resource.name}${language ? ` in ${language}` : ''}`
  if (locked > 0) await notice(`${leftOut}: ${locked} that a password protects`)
  if (resource.name === 'events' && hidden === 0 && client.namespace !== documentedNamespace)
    await notice(`${leftOut}: those that are hidden from lists, which ${client.site} does not show`)
  const isWhole = Object.keys(filters).length === 0
  const trashed = isWhole && resource.trashable ? await countTrash(client, resource, language) : 0
  if (trashed > 0) await notice(`${leftOut}: ${trashed} in the trash`)
}

/** A site blanks what a password protects: even its flags are null. */
const isLocked = (resource: Resource, record: Answer): boolean =>
  resource.name === 'events' && record.all_day === null && record.featured === null

function parentsFirst(records: readonly Answer[]): Answer[] {
  const byId = new Map(records.map(record => [record.id, record]))
  const visited = new Set<Answer>()
  const sorted: Answer[] = []
  const place = (record: Answer) => {
    if (visited.has(record)) return
    visited.add(record)
    const parent = byId.get(Number(record.parent))
    if (parent) place(parent)
    sorted.push(record)
  }
  for (const record of records) place(record)
  return sorted
}

async function countTrash(client: Client, resource: Resource, language: Language | undefined): Promise<number> {
  try {
    const filters = { ...wholeListQuery({ resource, language, trashed: true }), per_page: 1 }
    return (await client.list(resource, filters)).total
  } catch (error) {
    // The public may not ask for the trash.
    if (error instanceof Failure && (error.kind === 'refused' || error.kind === 'denied')) return 0
    throw error
  }
}
