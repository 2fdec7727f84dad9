import { Failure, type FailureKind } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { equal } from '../../contract/kinds/kind-values.ts'
import { onlyShown, storedValue } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { fieldLabel, namedRecord } from '../../contract/resource-words.ts'
import type { PatchOptions, Values, WriteResult } from '../client.ts'
import { unwritable } from './allowed-values.ts'
import { EventsApi } from './documented-api.ts'
import { keepsCost, linksToKeep } from './kept-in-updates.ts'
import { missingIn, patchedAfterwards } from './new-record-result.ts'
import { guarded, isGuarded } from './secret-values.ts'
import { withRawValues } from './stored-records.ts'
import { completed, type Patching } from './two-requests.ts'
import { mergedAnswer, splitValues, withoutFirstReadings } from './wp-record.ts'
import { resultOf } from './write-result.ts'

/**
 * Writes to The Events Calendar through both of its APIs: through `wp/v2`, which changes only the fields that it is sent, as much as that
 * API can write, and the rest through the events API. On sites without `wp/v2` the events API writes everything.
 */
export class PatchingApi extends EventsApi {
  /** A new record with a password is private at first; the second request sets the password and publishes the record. */
  protected override firstValues(resource: Resource, values: Values): Values {
    return guarded(resource, values, super.firstValues(resource, values))
  }

  /**
   * One patch with the values that only `wp/v2` writes and with a cost that the events API dropped, unless the new record has them anyway.
   */
  override async complete(resource: Resource, record: Answer, values: Values): Promise<WriteResult> {
    const wanted: Values = isGuarded(resource, values) ? { status: 'publish', ...values } : values
    const drift = missingIn(resource, wanted, record)
    const { patch: byPatch } = patchedAfterwards(resource, values)
    const isPatched = (name: string) => name in byPatch || (name === 'status' && wanted !== values)
    const patch = Object.fromEntries(Object.entries(wanted).filter(([name]) => name in drift && isPatched(name)))
    const wordpress = Object.keys(patch).length > 0 ? await this.api.wordpress(values.lang_code) : undefined
    if (!wordpress) return { record, drift }
    try {
      // Every patch of an event rewrites its cost, unless the stored cost is sent along.
      const hasCost = 'cost' in resource.fields
      const [base = record] = hasCost
        ? await withRawValues(this.api, resource, [record], { names: [], language: values.lang_code })
        : []
      const after = await this.send({ wordpress, resource, base }, patch, values.cost)
      // When the record is read again, its texts and cost come in their rendered form.
      return { record: onlyShown(after), drift: missingIn(resource, wanted, after) }
    } catch (error) {
      // The record exists now: say what it lacks, and do not send the create again.
      if (error instanceof Failure) return { record, drift }
      throw error
    }
  }

  /**
   * One request; one more to read stored texts and costs if the rendered ones do not show them exactly, and one more if both APIs are
   * needed.
   */
  override async patch(
    resource: Resource,
    base: Answer,
    values: Values,
    { inTrash = false }: PatchOptions = {},
  ): Promise<WriteResult> {
    await this.check(resource, base, values, inTrash)
    // Asks again whether the site has `wp/v2`, where the events API cannot write the values.
    const askAgain = unwritable(this.api, resource, base, values) !== undefined
    const wordpress = await this.api.wordpress(values.lang_code, { askAgain })
    // The events API restores a trashed record when it updates it.
    const isStuck = inTrash && (!wordpress || Object.keys(splitValues(resource, values).others).length > 0)
    if (isStuck) throw this.trashed(resource, base)
    if (!wordpress) return this.updateInstead(resource, base, values)
    const wasClosed = wordpress.isClosed(resource)
    const wanted = { names: Object.keys(values), language: values.lang_code }
    const [known = base] = await withRawValues(this.api, resource, [base], wanted)
    if (known.raw?.cost !== undefined || !('cost' in resource.fields))
      return this.patchInParts({ wordpress, resource, base: known }, values)
    // Without the stored cost, a patch would change the cost.
    if (inTrash) throw this.trashed(resource, base)
    await wordpress.fallBack(resource)
    return this.updateInstead(resource, wasClosed ? base : await this.current(resource, base, values), values)
  }

  /**
   * The update through the events API on a site without `wp/v2`, or that has closed it. Throws `refused` if the update would lose something
   * that is stored.
   */
  private async updateInstead(resource: Resource, before: Answer, values: Values): Promise<WriteResult> {
    try {
      return await this.update(resource, before, values)
    } catch (error) {
      // Forget that the site had no `wp/v2`, so that the next update asks again.
      if (error instanceof Failure && error.details.status !== undefined && refusalKinds.has(error.kind))
        await this.api.wordpress(values.lang_code, { askAgain: true })
      throw error
    }
  }

  /**
   * Sends first the fields that only the events API writes, then the patch, which leaves those alone. A record in the trash is restored by
   * its patch, which gives it its slug back.
   */
  private async patchInParts(patching: Patching, values: Values): Promise<WriteResult> {
    const { resource, base: before } = patching
    const { patch: asked, others } = splitValues(resource, values)
    const isWholeUpdate = Object.keys(others).length > 0
    const patch = isWholeUpdate ? { ...(await linksToKeep(this.api, patching)), ...asked } : asked
    const language: Values = values.lang_code === undefined ? {} : { lang_code: values.lang_code }
    const patched = (base: Answer) => this.patchAlone({ ...patching, base }, patch, language)
    const updated = (record: Answer) => this.updateWhole(resource, record, { ...others, ...language })
    if (!isWholeUpdate) return patched(before)
    if (before.status === 'trash' && patch.status !== undefined) {
      const restored = await patched(before)
      return completed(patching, { result: restored, done: patch, missing: others }, async record =>
        updated(isWhole(resource, record) ? record : await this.api.get(resource, { id: record.id }, language)),
      )
    }
    const isPatched = Object.keys(patch).length > 0
    const first = await updated(before)
    const { base } = first
    if (!isPatched && keepsCost(resource, base, first.record)) return first
    return completed({ ...patching, base }, { result: first, done: others, missing: patch }, record =>
      patched({ ...record, ...(base.raw && { raw: base.raw }) }),
    )
  }

  /** An update that is one patch; where the site refuses the patch, the events API makes the update. */
  private async patchAlone(patching: Patching, values: Values, language: Values): Promise<WriteResult> {
    const { wordpress, resource } = patching
    try {
      const record = await this.send(patching, values)
      return resultOf(resource, patching.base, record, values)
    } catch (error) {
      if (!(error instanceof Failure) || staysInTrash(patching.base, values)) throw error
      await wordpress.fallBack(resource, error)
      const remaining = { ...values, ...language }
      return this.updateInstead(resource, await this.current(resource, patching.base, remaining), remaining)
    }
  }

  /** Sends a patch, with the stored cost, which every save would rewrite otherwise. */
  private async send(patching: Patching, values: Values, otherCost?: unknown): Promise<Answer> {
    const { wordpress, resource } = patching
    const body = () => {
      const cost = patching.base.raw?.cost ?? otherCost
      const all: Values = { ...(cost !== undefined && { cost }), ...ownSlug(patching.base, values), ...values }
      return withChangesBeside(resource, patching.base, all)
    }
    const renew = async () => {
      const { readStoredAgain } = await import('./foreign-changes.ts')
      patching.base = await readStoredAgain({ client: this.api, resource, before: patching.base, values }, wordpress)
      return body()
    }
    const { id } = patching.base
    const write = async () => {
      const answer = await wordpress.patch(resource, id, body(), renew)
      const { base: before } = patching
      const merged = mergedAnswer(resource, before, answer, values)
      return withoutFirstReadings(this.api, resource, { before, merged, patched: values })
    }
    const [name, leading] = leadingLink(resource, patching.base, values) ?? []
    if (name === undefined) return write()
    await wordpress.patch(resource, id, { ...body(), [name]: leading }, async () => ({
      ...(await renew()),
      [name]: leading,
    }))
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const message = phrase('{record} has only the first of its new links in {field}: {problem}', {
        record: namedRecord(resource.name, id),
        field: fieldLabel(name, resource.fields[name]),
        problem: error.message,
      })
      throw new Failure('conflict', message, {
        ...error.details,
        hint: phrase('run the same command again'),
        written: [name],
      })
    }
  }
}

const refusalKinds = new Set<FailureKind>(['refused', 'denied'])

/** Whether a record has all that an update through the events API must send back; `wp/v2` does not show all of it. */
const isWhole = ({ fields }: Resource, record: Answer): boolean =>
  Object.entries(fields).every(([name, { site }]) => !site?.resets || record[name] !== undefined)

/** An empty slug for a draft that had none: the trash has given it `__trashed`, numbered if others have that slug, and it would keep it. */
const ownSlug = ({ status, slug }: Answer, values: Values): Values =>
  status === 'trash' && values.status !== undefined && /^__trashed(-\d+)?$/.test(String(slug)) ? { slug: '' } : {}

/** The values with the changes that they cause beside them in the stored record, such as a row that nobody asked for. */
const withChangesBeside = ({ fields }: Resource, base: Answer, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const beside = fields[name]?.kind.beside
      return [name, beside ? beside.change(value, storedValue(name, base)) : value]
    }),
  )

/**
 * The first link alone, if the site would show the links in another order than they are sent in: it keeps links that the record has where
 * they are, and adds new ones at the end. A second request, after the first link is the only one, sets the whole list in its order.
 */
function leadingLink({ fields }: Resource, base: Answer, values: Values): [name: string, first: unknown[]] | undefined {
  for (const [name, wanted] of Object.entries(values)) {
    const field = fields[name]
    if (field?.kind.shape !== 'links' || field.kind.isTerms || field.multiple === false) continue
    if (!Array.isArray(wanted) || !wanted.every(id => typeof id === 'number')) continue
    const linked = [field.kind.canonical(base[name], field)].flat()
    const kept = linked.filter(id => wanted.includes(Number(id)))
    const shown = [...kept, ...wanted.filter(id => !kept.includes(id))]
    if (!equal(shown, wanted)) return [name, wanted.slice(0, 1)]
  }
  return undefined
}

const staysInTrash = ({ status }: Answer, values: Values): boolean => status === 'trash' && values.status === undefined
