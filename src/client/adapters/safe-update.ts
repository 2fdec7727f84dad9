import { differences, preservedFields } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { Failure, type FailureKind } from '../../failure.ts'
import { isObject } from '../../text/json.ts'
import { listOf } from '../../text/words.ts'
import type { Client, Renew, Values, WordPress } from '../client.ts'
import { firstOfTwo } from '../dry-run.ts'
import { unwritable } from './allowed-values.ts'
import { mergedAnswer } from './merged-answer.ts'
import { blankedFailure, checkSecrets, isBlanked, unsettableSecret } from './secret-values.ts'
import { costJustStored, withRawValues } from './stored-records.ts'
import { printable, resultOf, type UpdateResult } from './update-drift.ts'
import { splitValues } from './wp-record.ts'

/** The record with the names of those that a patch has linked, which `wp/v2` does not show: read once more, if there are any. */
export async function withLinkedRecords(client: Client, resource: Resource, record: Answer): Promise<Answer> {
  const isComplete = Object.entries(resource.fields).every(([name, { kind }]) =>
    [kind.identity && record[name]].flat().every(link => !isObject(link) || Object.keys(link).length > 1),
  )
  if (isComplete) return record
  try {
    const read = await client.get(resource, { id: record.id }, { lang_code: record.lang_code })
    return { ...read, ...(record.raw && { raw: record.raw }) }
  } catch (error) {
    // The update is done all the same.
    if (error instanceof Failure) return record
    throw error
  }
}

const trashedFailure = (client: Client, resource: Resource, { id }: Answer) =>
  new Failure('refused', `${resource.singular} ${id} is in the trash of ${client.calendar.label}`, {
    hint: `restore it first with: calctl ${resource.name} restore ${id}`,
  })

/**
 * Makes the requested changes and no others, on any implementation, and compares the answer with what it should be: through `wp/v2`
 * what that can write, through the events API the others. `before` is the record as it has just been read. One request; a second
 * one reads stored texts and costs that what is rendered does not show, and a third one is needed if both APIs are.
 */
export async function updateKnown(
  client: Client,
  resource: Resource,
  before: Answer,
  values: Values,
  { inTrash = false }: { readonly inTrash?: boolean } = {},
): Promise<UpdateResult> {
  if (before.status === 'trash' && values.status === undefined && !inTrash)
    throw trashedFailure(client, resource, before)
  if (isBlanked(resource, before)) throw blankedFailure(resource, before, client.calendar)
  await checkSecrets(client, resource, values, before.id)
  // That a site had no `wp/v2` a while ago does not count where the events API will not do.
  const askAgain = unwritable(client, resource, before, values) !== undefined
  const wordpress = await client.wordpress(values.lang_code, { askAgain })
  // The events API restores a trashed record when it updates it.
  const isStuck = inTrash && (!wordpress || Object.keys(splitValues(resource, values).others).length > 0)
  if (isStuck) throw trashedFailure(client, resource, before)
  if (!wordpress) return updateInstead(client, resource, before, values)
  const { lang_code } = values
  const wasClosed = wordpress.isClosed(resource)
  const [known = before] = await withRawValues(client, resource, [before], Object.keys(values), lang_code)
  // Without the stored cost a patch would change it.
  if (known.raw?.cost === undefined && 'cost' in resource.fields) {
    if (inTrash) throw trashedFailure(client, resource, before)
    await wordpress.fallBack(resource)
    return updateInstead(client, resource, wasClosed ? before : await current(client, resource, before, values), values)
  }
  return updateInParts(client, wordpress, resource, known, values)
}

/** The current record after `wp/v2` has refused an update: others may have changed it, and the events API would revert that. */
async function current(client: Client, resource: Resource, before: Answer, values: Values): Promise<Answer> {
  const { readAgain } = await import('./foreign-changes.ts')
  return readAgain(client, resource, before, values)
}

/** The update through the events API where a site has no other, or has closed it: refused if it would lose what is stored. */
async function updateInstead(
  client: Client,
  resource: Resource,
  before: Answer,
  values: Values,
): Promise<UpdateResult> {
  const failure = unwritable(client, resource, before, values)
  if (failure) throw failure
  try {
    return await updateWhole(client, resource, before, values)
  } catch (error) {
    // Perhaps the site has `wp/v2` by now: the next update asks.
    if (error instanceof Failure && refusalKinds.has(error.kind))
      await client.wordpress(values.lang_code, { askAgain: true })
    throw error
  }
}

const refusalKinds = new Set<FailureKind>(['refused', 'denied'])

interface WholeUpdate extends UpdateResult {
  /** The record that the update was built on, as it was before the last request. */
  readonly base: Answer
}

/** The update that only needs the events API: one request, with every field that its absence would clear. */
async function updateWhole(client: Client, resource: Resource, before: Answer, values: Values): Promise<WholeUpdate> {
  const secret = Object.keys(values).find(name => resource.fields[name]?.secret)
  if (secret) throw unsettableSecret(client, resource, `${resource.singular} ${before.id}`, secret)
  let base = before
  // The events API takes no empty slug: a draft that got one keeps it, which the answer shows.
  const { slug, ...others } = values
  const sent = slug === '' ? others : values
  const body = () => ({ ...preservedFields(resource, base, values), ...sent })
  const record = await send(client, resource, base, body(), async () => {
    base = await current(client, resource, base, values)
    return body()
  })
  return { ...resultOf(resource, base, record, values), base }
}

/**
 * Sends the fields that only the events API writes first, and the patch last, which leaves the others alone. A record in the trash
 * is restored by its patch, which gives it its slug back.
 */
async function updateInParts(
  client: Client,
  wordpress: WordPress,
  resource: Resource,
  before: Answer,
  values: Values,
): Promise<UpdateResult> {
  const { patch, others } = splitValues(resource, values)
  const language: Values = values.lang_code === undefined ? {} : { lang_code: values.lang_code }
  const patched = (record: Answer) => updatePatched(client, wordpress, resource, record, patch, language)
  const updated = (record: Answer) => updateWhole(client, resource, record, { ...others, ...language })
  if (Object.keys(others).length === 0) return patched(before)
  if (before.status === 'trash' && patch.status !== undefined) {
    const restored = await firstOfTwo(
      () => patched(before),
      () => updated({ ...before, status: patch.status }),
    )
    return completeUpdate(resource, before, restored, patch, others, async ({ id }) =>
      updated(isWhole(resource, restored.record) ? restored.record : await client.get(resource, { id }, language)),
    )
  }
  const first = await firstOfTwo(
    () => updated(before),
    async () => (Object.keys(patch).length > 0 || !keepsCost(resource, before, before) ? patched(before) : undefined),
  )
  const { base } = first
  if (Object.keys(patch).length === 0 && keepsCost(resource, base, first.record)) return first
  return completeUpdate(resource, base, first, others, patch, record =>
    patched({ ...record, ...(base.raw && { raw: base.raw }) }),
  )
}

/** Whether a record has all that an update through the events API must send back; `wp/v2` does not show all of it. */
const isWhole = ({ fields }: Resource, record: Answer): boolean =>
  Object.entries(fields).every(([name, { preserved }]) => !preserved || record[name] !== undefined)

/** Whether an update through the events API, which was sent the stored cost, has kept it: not every cost can be written through it. */
const keepsCost = ({ fields }: Resource, { raw }: Answer, after: Answer): boolean =>
  fields.cost === undefined || raw?.cost === '' || raw?.cost === costJustStored(after)

/**
 * Sends the second of two updates, with the fields that the first left out. Of the drift of the first, what the second puts right is
 * none; if the second fails, the failure says what was written.
 */
async function completeUpdate(
  resource: Resource,
  before: Answer,
  first: UpdateResult,
  done: Values,
  missing: Values,
  sendSecond: (record: Answer) => Promise<UpdateResult>,
): Promise<UpdateResult> {
  try {
    const { record, drift } = await sendSecond(first.record)
    const remaining = differences(resource, before, record)
    const kept = Object.entries(first.drift).filter(([name, difference]) => 'asked' in difference || name in remaining)
    return { record, drift: { ...Object.fromEntries(kept), ...drift } }
  } catch (error) {
    throw error instanceof Failure ? halfDoneFailure(resource, first.record, done, missing, error) : error
  }
}

function halfDoneFailure(resource: Resource, record: Answer, done: Values, missing: Values, cause: Failure): Failure {
  const fields = Object.keys(missing).length > 0 ? Object.keys(missing) : ['cost']
  const written = Object.keys(done)
  const message = `${resource.singular} ${record.id}: changed ${listOf(written)}, but not ${listOf(fields)}: ${cause.message}`
  return new Failure('conflict', message, {
    ...cause.details,
    hint: ['run the same command again: it changes only what is missing', cause.details.otherwise]
      .filter(part => part)
      .join('; '),
    record: printable(record),
    written,
  })
}

/** A draft without a slug has one in the trash, with a number if others have it too, and would keep it. */
const ownSlug = ({ status, slug }: Answer, values: Values): Values =>
  status === 'trash' && values.status !== undefined && /^__trashed(-\d+)?$/.test(String(slug)) ? { slug: '' } : {}

const staysInTrash = ({ status }: Answer, values: Values): boolean => status === 'trash' && values.status === undefined

/** The update that is a patch: nothing has to be sent back but the cost, which every save rewrites otherwise. */
async function updatePatched(
  client: Client,
  wordpress: WordPress,
  resource: Resource,
  before: Answer,
  values: Values,
  language: Values,
): Promise<UpdateResult> {
  let base = before
  const body = () => ({
    ...('cost' in resource.fields && { cost: base.raw?.cost }),
    ...ownSlug(base, values),
    ...values,
  })
  const renew = async () => {
    const { readStoredAgain } = await import('./foreign-changes.ts')
    base = await readStoredAgain(client, wordpress, resource, base, values)
    return body()
  }
  try {
    const after = await wordpress.patch(resource, before.id, body(), renew)
    return resultOf(resource, base, mergedAnswer(resource, base, after, values), values)
  } catch (error) {
    if (!(error instanceof Failure) || staysInTrash(base, values)) throw error
    await wordpress.fallBack(resource, error)
    const remaining = { ...values, ...language }
    return updateInstead(client, resource, await current(client, resource, base, remaining), remaining)
  }
}

/** null removes an image according to the documentation; production refuses null, and removes it when it is left out. */
async function send(client: Client, resource: Resource, { id }: Answer, values: Values, renew: Renew): Promise<Answer> {
  if (values.image !== null) return client.update(resource, { id }, values, renew)
  const withoutImage = ({ image: _, ...others }: Values): Values => others
  try {
    return await client.update(resource, { id }, values, renew)
  } catch (error) {
    if (!(error instanceof Failure) || error.details.status !== 400) throw error
    return client.update(resource, { id }, withoutImage(values), async () => withoutImage(await renew()))
  }
}
