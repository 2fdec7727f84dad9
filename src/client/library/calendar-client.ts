import { usage } from '../../base/failure.ts'
/**
 * `calctl/client`: the client as a library. Input: the address of a calendar, and credentials. Output: a client with an object for each
 * resource, whose updates change only what they name, on any site. It prints nothing, and reads neither the environment nor profiles. Its
 * types are in `client.d.ts`.
 */
import { once } from '../../base/memoize.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { checkTyped } from '../../contract/kinds/kind-values.ts'
import { linksAsHeld } from '../../contract/kinds/link-kinds.ts'
import { type Answer, missingFields, type Resource } from '../../contract/resource.ts'
import type { Client, Ref, Values, WriteResult } from '../client.ts'
import { asCalendarError, unknownName, withCalendarErrors } from './calendar-error.ts'
import type { ClientOptions } from './client.d.ts'
import { type OpenClient, openClient } from './open-client.ts'

export { CalendarError } from './calendar-error.ts'

/** The records of one resource. */
export interface Records {
  list(filters?: Values): AsyncIterable<Answer>
  get(ref: number | string): Promise<Answer>
  create(values: Values): Promise<Answer>
  update(ref: number | string, changes: Values): Promise<Answer>
  delete(ref: number | string): Promise<Answer>
  restore(ref: number | string): Promise<Answer>
}

export interface CalendarClient extends Readonly<Record<ResourceName, Records>>, AsyncDisposable {
  readonly url: string
  close(): Promise<void>
}

/** Makes a client. Nothing is sent before the first call. */
export function createCalendarClient(options: ClientOptions): CalendarClient {
  const open = once(() => openClient(options))
  let isOpened = false
  let isClosed = false
  const opened = (): Promise<OpenClient> => {
    if (isClosed) throw closed()
    isOpened = true
    return open()
  }
  const close = async () => {
    if (isOpened && !isClosed) await (await open().catch(() => undefined))?.close()
    isClosed = true
  }
  const of = (name: ResourceName): Records => recordsOf(resourceNamed(name), opened)
  return {
    url: options.url,
    events: of('events'),
    venues: of('venues'),
    organizers: of('organizers'),
    categories: of('categories'),
    tags: of('tags'),
    close,
    [Symbol.asyncDispose]: close,
  }
}

const closed = () => usage('the client is closed', 'create another one')

function recordsOf(resource: Resource, opened: () => Promise<OpenClient>): Records {
  const write = (run: (client: Client, open: OpenClient) => Promise<Answer>) =>
    withCalendarErrors(async () => {
      const open = await opened()
      open.sending.toWrite = true
      return run(open.client, open)
    })
  return {
    list: filters => listed(resource, opened, filters),
    get: ref => withCalendarErrors(async () => (await opened()).client.get(resource, refOf(ref))),
    create: values => write((client, open) => create(client, open, resource, values)),
    update: (ref, changes) => write((client, open) => update(client, open, { resource, ref: refOf(ref) }, changes)),
    delete: ref => write(async client => complete(resource, await client.delete(resource, refOf(ref)))),
    restore: ref =>
      write(async client => {
        const { readForRestore } = await import('../adapters/reconcile.ts')
        const before = await readForRestore(client, resource, refOf(ref))
        return complete(resource, await client.patch(resource, before, { status: 'draft' }))
      }),
  }
}

async function* listed(resource: Resource, opened: () => Promise<OpenClient>, filters: Values = {}) {
  try {
    const { wholeListQuery } = await import('../find/whole-lists.ts')
    const query = wholeListQuery({ resource }, filtersOf(resource, filters))
    const { client } = await opened()
    for await (const { records } of client.pages(resource, query)) yield* records
  } catch (error) {
    throw asCalendarError(error)
  }
}

async function create(client: Client, open: OpenClient, resource: Resource, given: Values): Promise<Answer> {
  const values = checked(resource, given)
  const missing = missingFields(resource, values)
  if (missing[0] !== undefined)
    throw usage(`a new ${resource.singular} needs ${missing.join(', ')}`, `required: ${resource.required.join(', ')}`)
  const { resolveCreation } = await import('../resolve-change.ts')
  return complete(
    resource,
    await client.create(resource, await resolveCreation(resource, values, await open.context())),
  )
}

async function update(
  client: Client,
  open: OpenClient,
  { resource, ref }: { readonly resource: Resource; readonly ref: Ref },
  changes: Values,
): Promise<Answer> {
  const { resolveChange } = await import('../resolve-change.ts')
  const { withRawValues } = await import('../adapters/stored-records.ts')
  const before = await client.get(resource, ref)
  const values = await resolveChange(resource, before, { values: checked(resource, changes) }, await open.context())
  const [stored = before] = await withRawValues(client, resource, [before], { names: Object.keys(values) })
  return complete(resource, await client.patch(resource, stored, values))
}

/** The record after a write; throws `conflict` if it is not as requested. */
async function complete(resource: Resource, result: WriteResult): Promise<Answer> {
  const { driftFailure } = await import('../adapters/write-result.ts')
  const failure = driftFailure(resource, result)
  if (failure) throw failure
  return result.record
}

const refOf = (ref: number | string): Ref => (typeof ref === 'number' ? { id: ref } : { slug: ref })

/** The values, parsed by their fields; throws for a field that does not exist, which services would ignore. */
const checked = (resource: Resource, values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, checkedValue(resource, name, value)]))

function checkedValue({ name: resource, fields }: Resource, name: string, value: unknown): unknown {
  const field = fields[name]
  if (!field) throw unknownName(`${resource} have no field "${name}"`, name, Object.keys(fields))
  if (value === null && !field.nonEmpty) return field.kind.empty
  const result = checkTyped(field, value)
  if (result.ok) return linksAsHeld(field, result.value)
  const { expected, example, mistake } = result
  if (mistake) throw usage(`${name}: ${mistake.message}`, mistake.hint)
  throw usage(`${name}: expected ${expected}, got ${JSON.stringify(value)}`, `for example: ${JSON.stringify(example)}`)
}

/** Filters as the API names them: `startsAfter` as `starts_after`. */
const filtersOf = (resource: Resource, given: Values): Values =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [filterNamed(resource, name), value]))

function filterNamed({ name: resource, filters }: Resource, name: string): string {
  const key = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  if (filters[key]) return key
  throw unknownName(`${resource} have no filter "${name}"`, name, Object.keys(filters).map(inCamelCase))
}

const inCamelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
