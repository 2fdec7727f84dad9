import { Failure, type FailureKind } from '../../base/failure.ts'
import { listOf } from '../../base/text/similarity.ts'
import { phrase } from '../../base/words/phrase.ts'
import { equal } from '../../contract/kinds/kind-values.ts'
import { differences, storedValue } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { fieldLabel, namedRecord } from '../../contract/resource-words.ts'
import type { PatchOptions, Values, WordPress, WriteResult } from '../client.ts'
import { firstOfTwo } from '../dry-run.ts'
import { unwritable } from './allowed-values.ts'
import { EventsApi } from './documented-api.ts'
import { guarded, isGuarded } from './secret-values.ts'
import { costJustStored, withRawValues } from './stored-records.ts'
import { mergedAnswer, splitValues } from './wp-record.ts'
import { missingIn, patchedAfterwards, printable, resultOf } from './write-result.ts'

/** A record to patch, and what the patch needs to know of it. */
interface Patching {
  readonly wordpress: WordPress
  readonly resource: Resource
  /** With the cost as it is stored; read again before a patch is sent again. */
  base: Answer
}

/**
 * Writes to a site of The Events Calendar through both of its APIs: through `wp/v2`, which changes what it is sent and nothing else, all
 * that it can write, and through the events API the rest. Where the site has no `wp/v2`, or closes it, the events API does all.
 */
export class PatchingApi extends EventsApi {
  /** A record with a password is private until the second request, which sets that and publishes the record. */
  protected override firstValues(resource: Resource, values: Values): Values {
    return guarded(resource, values, super.firstValues(resource, values))
  }

  /** One patch with what only `wp/v2` writes and with a cost that was dropped, if the new record does not have that anyway. */
  override async complete(resource: Resource, record: Answer, values: Values): Promise<WriteResult> {
    const wanted: Values = isGuarded(resource, values) ? { status: 'publish', ...values } : values
    const drift = missingIn(resource, wanted, record)
    const { patch: byPatch } = patchedAfterwards(resource, values)
    const isPatched = (name: string) => name in byPatch || (name === 'status' && wanted !== values)
    const patch = Object.fromEntries(Object.entries(wanted).filter(([name]) => name in drift && isPatched(name)))
    const wordpress = Object.keys(patch).length > 0 ? await this.api.wordpress(values.lang_code) : undefined
    if (!wordpress) return { record, drift }
    try {
      // Every patch of an event rewrites its cost, unless that is sent along as it is stored.
      const hasCost = 'cost' in resource.fields
      const [base = record] = hasCost
        ? await withRawValues(this.api, resource, [record], { names: [], language: values.lang_code })
        : []
      const after = await this.send({ wordpress, resource, base }, patch, values.cost)
      // Whoever reads the record again sees its texts and its cost as they are shown.
      return { record: printable(after), drift: missingIn(resource, wanted, after) }
    } catch (error) {
      // The record exists: report what it lacks, and do not send the create again.
      if (error instanceof Failure) return { record, drift }
      throw error
    }
  }

  /**
   * One request; a second one reads stored texts and costs that what is rendered does not show, and a third one is needed if both APIs
   * are.
   */
  override async patch(
    resource: Resource,
    base: Answer,
    values: Values,
    { inTrash = false }: PatchOptions = {},
  ): Promise<WriteResult> {
    await this.check(resource, base, values, inTrash)
    // That a site had no `wp/v2` a while ago does not count where the events API will not do.
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
    // Without the stored cost a patch would change it.
    if (inTrash) throw this.trashed(resource, base)
    await wordpress.fallBack(resource)
    return this.updateInstead(resource, wasClosed ? base : await this.current(resource, base, values), values)
  }

  /** The update through the events API where the site has no other, or has closed it: refused if it would lose what is stored. */
  private async updateInstead(resource: Resource, before: Answer, values: Values): Promise<WriteResult> {
    try {
      return await this.update(resource, before, values)
    } catch (error) {
      // The site may have `wp/v2` now: the next update asks again.
      if (error instanceof Failure && error.details.status !== undefined && refusalKinds.has(error.kind))
        await this.api.wordpress(values.lang_code, { askAgain: true })
      throw error
    }
  }

  /**
   * Sends the fields that only the events API writes first, and the patch last, which leaves the others alone. A record in the trash
   * is restored by its patch, which gives it its slug back.
   */
  private async patchInParts(patching: Patching, values: Values): Promise<WriteResult> {
    const { resource, base: before } = patching
    const { patch, others } = splitValues(resource, values)
    const language: Values = values.lang_code === undefined ? {} : { lang_code: values.lang_code }
    const patched = (base: Answer) => this.patchAlone({ ...patching, base }, patch, language)
    const updated = (record: Answer) => this.updateWhole(resource, record, { ...others, ...language })
    if (Object.keys(others).length === 0) return patched(before)
    if (before.status === 'trash' && patch.status !== undefined) {
      const restored = await firstOfTwo(
        () => patched(before),
        () => updated({ ...before, status: patch.status }),
      )
      return completed(patching, { result: restored, done: patch, missing: others }, async record =>
        updated(isWhole(resource, record) ? record : await this.api.get(resource, { id: record.id }, language)),
      )
    }
    const isPatched = Object.keys(patch).length > 0
    const first = await firstOfTwo(
      () => updated(before),
      async () => (isPatched || !keepsCost(resource, before, before) ? patched(before) : undefined),
    )
    const { base } = first
    if (!isPatched && keepsCost(resource, base, first.record)) return first
    return completed({ ...patching, base }, { result: first, done: others, missing: patch }, record =>
      patched({ ...record, ...(base.raw && { raw: base.raw }) }),
    )
  }

  /** The update that is a patch; the events API does it where the site refuses that. */
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

  /** Sends a patch; nothing has to be sent back but the cost, which every save rewrites otherwise. */
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
    const write = async () =>
      mergedAnswer(resource, patching.base, await wordpress.patch(resource, id, body(), renew), values)
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

/** Whether an update through the events API, which was sent the stored cost, has kept it: not every cost can be written through it. */
const keepsCost = ({ fields }: Resource, { raw }: Answer, after: Answer): boolean =>
  fields.cost === undefined || raw?.cost === '' || raw?.cost === costJustStored(after)

/** A draft without a slug has one in the trash, with a number if others have it too, and would keep it. */
const ownSlug = ({ status, slug }: Answer, values: Values): Values =>
  status === 'trash' && values.status !== undefined && /^__trashed(-\d+)?$/.test(String(slug)) ? { slug: '' } : {}

/** Values with what stands beside them where that changes: a row that nobody asked for is a change, too. */
const withChangesBeside = ({ fields }: Resource, base: Answer, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const beside = fields[name]?.kind.beside
      return [name, beside ? beside.change(value, storedValue(name, base)) : value]
    }),
  )

/**
 * Links that a site would show in another order than they are sent in: it keeps those that it has where they are, and adds the others
 * behind them. Once the first link is the only one, the whole list comes in its order.
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

/** The first of two requests of an update. */
interface FirstPart {
  readonly result: WriteResult
  /** The values that it had, and those that the second one has. */
  readonly done: Values
  readonly missing: Values
}

/**
 * Sends the second of two requests. Of the drift of the first, what the second puts right is none; if the second fails, the failure says
 * what was written.
 */
async function completed(
  { resource, base }: Patching,
  { result, done, missing }: FirstPart,
  sendSecond: (record: Answer) => Promise<WriteResult>,
): Promise<WriteResult> {
  try {
    const { record, drift } = await sendSecond(result.record)
    const remaining = differences(resource, base, record)
    const kept = Object.entries(result.drift).filter(([name, difference]) => 'asked' in difference || name in remaining)
    return { record, drift: { ...Object.fromEntries(kept), ...drift } }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const fields = Object.keys(missing).length > 0 ? Object.keys(missing) : ['cost']
    const written = Object.keys(done)
    const { id } = result.record
    const labels = (names: readonly string[]) => listOf(names.map(name => fieldLabel(name, resource.fields[name])))
    const message = phrase('{record}: changed {written}, but not {missing}: {problem}', {
      record: namedRecord(resource.name, id),
      written: labels(written),
      missing: labels(fields),
      problem: error.message,
    })
    const again = phrase('run the same command again: it makes only the missing changes')
    throw new Failure('conflict', message, {
      ...error.details,
      hint: error.details.otherwise ? `${again}; ${error.details.otherwise}` : again,
      record: printable(result.record),
      written,
    })
  }
}
