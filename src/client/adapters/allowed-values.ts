import { Failure } from '../../base/failure.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { slugOf } from '../../contract/slug.ts'
import { isApplied } from '../../contract/three-way-merge.ts'
import type { Reads, Values } from '../client.ts'
import { isPatchOnly } from './write-result.ts'

/**
 * The values to send, without those that a site cannot write and the record has anyway; throws `refused` for the others, before
 * anything is sent. `before` is absent for a new record.
 */
export type Allow = (resource: Resource, values: Values, before?: Answer, label?: FieldLabel) => Promise<Values>

/** What a field is called where its value was written. */
type FieldLabel = (field: string) => string

interface AllowOptions {
  /** Values are sent as they are, without reading the record. */
  readonly isPatch?: boolean
  /**
   * Receives the fields that are left out because nothing can write them, instead of a failure: an export has publication dates of
   * drafts, too.
   */
  readonly onLeftOut?: (field: string) => void
}

/** Checks values against what the site of a client can do. */
export function createAllow(client: Reads, { isPatch = false, onLeftOut }: AllowOptions = {}): Allow {
  const patchable = new Map<Resource, Promise<boolean>>()
  const canPatch = (resource: Resource): Promise<boolean> => {
    const known = patchable.get(resource) ?? hasWordPress(client, resource)
    patchable.set(resource, known)
    return known
  }

  return async (resource, values, before, label) => {
    const status = String(values.status ?? before?.status ?? 'publish')
    const isFile = onLeftOut !== undefined
    const impossible = impossibleValues(resource, values, { status, isPatch, isFile }).filter(
      ({ field }) => !client.capabilities.takesEveryValue || isPatchOnly(resource, field),
    )
    if (impossible.length === 0) return values
    const isNew = before === undefined && !isPatch
    const allowed: Record<string, unknown> = { ...values }
    const known = before && (await withStored(client, resource, before, impossible))
    for (const one of impossible) {
      if (one.patchable && isNothingToDo(resource, one.field, values, known, isNew)) {
        delete allowed[one.field]
        continue
      }
      if (onLeftOut && one.meant !== undefined) {
        allowed[one.field] = one.meant
        continue
      }
      const patches = one.patchable && !one.shownWrong && (await canPatch(resource))
      // A record of a file that would be public without its password is refused on its own, when it is its turn.
      if (onLeftOut && resource.fields[one.field]?.secret) continue
      const canBeLeftOut = isPatchOnly(resource, one.field) || (!one.patchable && before === undefined)
      if (!patches && onLeftOut && (canBeLeftOut || !one.patchable)) {
        delete allowed[one.field]
        if (canBeLeftOut) onLeftOut(one.field)
        continue
      }
      if (!patches || isPatch) throw notPossible(client, one, shownIn(resource, values, one.field), patches, label)
    }
    return allowed
  }
}

/** A record with the stored form of what is refused unless the site has it already. */
async function withStored(
  client: Reads,
  resource: Resource,
  before: Answer,
  impossible: readonly Impossible[],
): Promise<Answer> {
  const names = impossible.flatMap(({ field, shownWrong }) => (shownWrong ? field : []))
  if (names.length === 0) return before
  const { withRawValues } = await import('./stored-records.ts')
  const [stored = before] = await withRawValues(client, resource, [before], names)
  return stored
}

/** A new record has nothing to clear, and an existing one may have the value. */
function isNothingToDo(
  resource: Resource,
  name: string,
  { [name]: value, [resource.title]: title }: Values,
  before: Answer | undefined,
  isNew: boolean,
): boolean {
  const field = resource.fields[name]
  if (field?.secret) return isNew && value === ''
  if (isNew && isPatchOnly(resource, name)) return value === slugOf(String(title ?? ''))
  if (isNew) return name !== 'cost'
  return before !== undefined && field !== undefined && isApplied(name, field, value, before)
}

/**
 * Whether the site shows this resource for editing in WordPress's own API, through which updates are patches. It is asked even if it
 * had none a while ago: otherwise something would be refused.
 */
async function hasWordPress(client: Reads, resource: Resource): Promise<boolean> {
  const wordpress = await client.wordpress(undefined, { askAgain: true })
  return (await wordpress?.isOpen(resource)) ?? false
}

/**
 * Why the events API of a site must not write these values where `wp/v2` was expected to: it cannot write one of them, or would not
 * keep the stored cost, which every update sends back.
 */
export function unwritable(client: Reads, resource: Resource, before: Answer, values: Values): Failure | undefined {
  if (client.capabilities.takesEveryValue) return undefined
  const cost = before.raw?.cost
  const sent = cost === undefined || cost === '' ? values : { cost, ...values }
  const status = String(values.status ?? before.status ?? 'publish')
  const one = impossibleValues(resource, sent, { status, isPatch: false }).find(
    ({ field, patchable }) =>
      patchable && (!(field in values) || !isNothingToDo(resource, field, values, before, false)),
  )
  return one && notPossible(client, one, shownIn(resource, sent, one.field), false)
}

/** A value as a message may show it. */
const shownIn = ({ fields }: Resource, values: Values, name: string): unknown =>
  fields[name]?.secret ? undefined : values[name]

const notPossible = (
  { calendar }: Reads,
  { field, reason, wayOut, shownWrong }: Impossible,
  value: unknown,
  patches: boolean,
  label: FieldLabel = name => name,
) =>
  new Failure(
    'refused',
    `${label(field)}: ${calendar.label} ${reason}${value && !shownWrong ? `, not ${JSON.stringify(value)}` : ''}`,
    {
      hint: patches ? 'leave out --patch' : wayOut,
    },
  )

/** A value that a site cannot write, and what to do instead. */
interface Impossible {
  readonly field: string
  readonly reason: string
  readonly wayOut: string
  /** Whether WordPress's own API can do it. */
  readonly patchable: boolean
  /** Whether the site would show something else, whichever API has written it. */
  readonly shownWrong: boolean
  /** The value that a file means instead; undefined if there is none. */
  readonly meant: unknown
}

/**
 * Which of these values a site with The Events Calendar cannot write to a record that will have this status; for values of a file,
 * also those that it would not show as they are meant.
 */
function impossibleValues(
  resource: Resource,
  values: Readonly<Record<string, unknown>>,
  {
    status,
    isPatch,
    isFile = false,
  }: { readonly status: string; readonly isPatch: boolean; readonly isFile?: boolean },
): Impossible[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const restriction = resource.fields[name]?.site?.cannot
    const forbids = restriction?.forbids(value, status) || (isFile && restriction?.misleads?.(value))
    if (!restriction || !forbids || (restriction.onlyPatch && !isPatch)) return []
    const { reason, wayOut, everywhere, shownWrong = false, readAs } = restriction
    const sentences = { reason: reason(value), wayOut: wayOut(value) }
    return [{ field: name, ...sentences, patchable: !everywhere, shownWrong, meant: readAs?.(value) }]
  })
}
