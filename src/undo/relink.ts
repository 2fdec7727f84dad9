import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import { type Answer, recordKey } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { linkedIds, type Referrers } from '../plan/back-references.ts'
import type { Step, StepReference } from '../plan/plan.ts'
import { trimRecord } from '../plan/record-state.ts'
import type { SiteReader } from '../plan/site-reader.ts'
import { batches } from '../plan/spool.ts'
import { listOf, nounFor } from '../text/words.ts'

/** A term that the run deleted. */
export interface DeletedTerm {
  readonly step: Step
  readonly id: number
  /** The key of the step that creates it again. */
  readonly createKey: string
  /** The records that had it; undefined if nobody knows. */
  readonly referrers: Referrers | undefined
}

/** A record that had deleted terms, and what it gets in their place: terms by field, or a parent. */
interface Relink extends Pick<Step, 'resource' | 'language'> {
  readonly id: number
  readonly references: Map<string, StepReference[]>
}

/** By `recordKey`. */
type Relinks = Map<string, Relink>

/** The records that had terms that the run deleted. */
export function relinksOf(deleted: readonly DeletedTerm[]): Relinks {
  const relinks: Relinks = new Map()
  for (const { step, createKey, referrers = {} } of deleted) {
    const { language } = step
    const add = (resource: 'events' | 'categories', id: number, field: string) => {
      const key = recordKey(resource, id)
      const relink = relinks.get(key) ?? { resource, id, ...(language && { language }), references: new Map() }
      relink.references.set(field, [...(relink.references.get(field) ?? []), { $ref: createKey }])
      relinks.set(key, relink)
    }
    for (const id of referrers.events ?? []) add('events', id, step.resource)
    for (const id of referrers.categories ?? []) add('categories', id, 'parent')
  }
  return relinks
}

/** A step of the undo that, if it updates a record that had deleted terms, gives it those too; its relink is used up. */
export function addRelinks(step: Step, relinks: Relinks, live: ReadonlyMap<string, Answer>): Step {
  if (step.id === undefined) return step
  const key = recordKey(step.resource, step.id)
  const relink = relinks.get(key)
  if (!relink) return step
  relinks.delete(key)
  const record = live.get(key)
  if (!record || step.action !== 'update') return step
  return { ...step, values: { ...relinkedValues(record, relink), ...step.values } }
}

const relinkedValues = (record: Answer, { references }: Relink): Values =>
  Object.fromEntries(
    Array.from(references, ([field, terms]) => [
      field,
      field === 'parent' ? terms[0] : [...linkedIds(record, field), ...terms],
    ]),
  )

/** A record in the trash, which does not get back what it had of the deleted terms. */
export type Unlinked = Pick<Relink, 'resource' | 'id'> & { readonly fields: readonly string[] }

/** The steps for the relinks that no other step of the undo used up; records in the trash are added to `unlinked`. */
export async function* relinkSteps(reader: SiteReader, relinks: Relinks, unlinked: Unlinked[]): AsyncGenerator<Step> {
  for (const batch of batches(relinks.values())) {
    const live = await reader.readCurrent(batch)
    unlinked.push(...(await inTrash(reader, batch, live)))
    for (const relink of batch) {
      const { resource: name, id, language } = relink
      const key = recordKey(name, id)
      const record = live.get(key)
      if (!record) continue
      const resource = resourceNamed(name)
      yield {
        key: `undo ${key}`,
        action: 'update',
        resource: name,
        id,
        ...(language && { language }),
        before: trimRecord(resource, record),
        values: relinkedValues(record, relink),
      }
    }
  }
}

async function inTrash(
  reader: SiteReader,
  relinks: readonly Relink[],
  live: ReadonlyMap<string, Answer>,
): Promise<Unlinked[]> {
  const missing = relinks.filter(({ resource, id }) => resource === 'events' && !live.has(recordKey(resource, id)))
  const trashed = await reader.readCurrent(
    missing.map(({ references: _, ...location }) => ({ ...location, trashed: true })),
  )
  return missing
    .filter(({ resource, id }) => trashed.has(recordKey(resource, id)))
    .map(({ resource, id, references }) => ({ resource, id, fields: [...references.keys()] }))
}

/** `event 12 is in the trash: it does not get its tags back` */
export const unlinkedNote = ({ resource, id, fields }: Unlinked): string =>
  `${resourceNamed(resource).singular} ${id} is in the trash: it does not get its ${listOf(fields)} back`

/** The failure of an undo that could not give records in the trash back what they had; undefined if there is none. */
export function unlinkedFailure(unlinked: readonly Unlinked[]): Failure | undefined {
  const [first, ...others] = unlinked
  if (!first) return undefined
  const ids = unlinked.map(({ id }) => id)
  const rest = others.length > 0 ? `; ${others.length} more alike` : ''
  return new Failure('conflict', `${unlinkedNote(first)}${rest}`, {
    hint: `restore ${nounFor(ids.length, 'it', 'them')} with: calctl ${first.resource} restore ${ids.join(' ')}; then add the terms again with: calctl ${first.resource} update`,
  })
}
