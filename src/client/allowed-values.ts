import { documentedNamespace } from '../contract/contract.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { type Impossible, impossibleValues } from '../contract/restrictions.ts'
import { Failure } from '../failure.ts'
import type { Client, Values } from './client.ts'
import { wasApplied } from './compare.ts'

/**
 * The values to send, without those that a site cannot write and the record has anyway; throws `refused` for the others, before
 * anything is sent. `before` is absent for a new record.
 */
export type Allow = (resource: Resource, values: Values, before?: Answer) => Promise<Values>

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
export function createAllow(client: Client, { isPatch = false, onLeftOut }: AllowOptions = {}): Allow {
  const patchable = new Map<Resource, Promise<boolean>>()
  const canPatch = (resource: Resource): Promise<boolean> => {
    const known = patchable.get(resource) ?? hasWordPress(client, resource)
    patchable.set(resource, known)
    return known
  }

  return async (resource, values, before) => {
    if (client.namespace === documentedNamespace) return values
    const status = String(values.status ?? before?.status ?? 'publish')
    const impossible = impossibleValues(resource, values, { status, isPatch })
    if (impossible.length === 0) return values
    const isNew = before === undefined && !isPatch
    const allowed: Record<string, unknown> = { ...values }
    for (const one of impossible) {
      if (one.patchable && isNothingToDo(resource, one.field, values[one.field], before, isNew)) {
        delete allowed[one.field]
        continue
      }
      if (!one.patchable && onLeftOut) {
        delete allowed[one.field]
        if (before === undefined) onLeftOut(one.field)
        continue
      }
      const patches = one.patchable && (await canPatch(resource))
      if (!patches || isPatch) throw notPossible(client, one, values[one.field], patches)
    }
    return allowed
  }
}

/** A new record has nothing to clear, and an existing one may have the value. */
function isNothingToDo(
  resource: Resource,
  name: string,
  value: unknown,
  before: Answer | undefined,
  isNew: boolean,
): boolean {
  if (isNew) return name !== 'cost'
  const field = resource.fields[name]
  return before !== undefined && field !== undefined && wasApplied(name, field, value, before)
}

/** Whether the site shows this resource for editing in WordPress's own API, through which updates are patches. */
async function hasWordPress(client: Client, resource: Resource): Promise<boolean> {
  const wordpress = await client.wordpress()
  return wordpress !== undefined && (await wordpress.list(resource, { per_page: 1 })) !== undefined
}

const notPossible = ({ calendar }: Client, { field, reason, wayOut }: Impossible, value: unknown, patches: boolean) =>
  new Failure('refused', `${field}: ${calendar.label} ${reason}${value ? `, not ${JSON.stringify(value)}` : ''}`, {
    hint: patches ? 'leave out --patch' : wayOut,
  })
