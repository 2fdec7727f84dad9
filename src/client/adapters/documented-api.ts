import { Failure, refused } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { preservedFields } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import type { Adapter, CalendarApi, PatchOptions, Ref, Renew, Values, WriteResult } from '../client.ts'
import { inTrashText } from '../http/problems/unavailable.ts'
import { unwritable } from './allowed-values.ts'
import { missingIn } from './new-record-result.ts'
import { blankedFailure, checkSecrets, isBlanked, unsettableSecret } from './secret-values.ts'
import { languageDrift, removalDrift, resultOf, withoutPatchOnly } from './write-result.ts'

/**
 * Writes through the documented events API, one request each, and compares the answer with what was asked for, because services change or
 * drop values without saying so. An update sends back every field that would be cleared if it were left out.
 */
export class DocumentedApi implements Adapter {
  constructor(protected readonly api: CalendarApi) {}

  async create(resource: Resource, values: Values): Promise<WriteResult> {
    await checkSecrets(this.api, resource, values)
    const record = await this.api.create(resource, this.firstValues(resource, values))
    const { record: complete, drift } = await this.complete(resource, record, values)
    const language = values.lang_code ?? this.api.languages().own
    return { record: complete, drift: { ...languageDrift(language, record), ...drift } }
  }

  /** The values of the request that creates a record. */
  protected firstValues(resource: Resource, values: Values): Values {
    return withoutPatchOnly(resource, values)
  }

  async complete(resource: Resource, record: Answer, values: Values): Promise<WriteResult> {
    return { record, drift: missingIn(resource, values, record) }
  }

  async patch(
    resource: Resource,
    base: Answer,
    values: Values,
    { inTrash = false }: PatchOptions = {},
  ): Promise<WriteResult> {
    await this.check(resource, base, values, inTrash)
    // The events API restores a trashed record when it updates it.
    if (inTrash) throw this.trashed(resource, base)
    return this.update(resource, base, values)
  }

  protected update(resource: Resource, base: Answer, values: Values): Promise<WriteResult> {
    return this.updateWhole(resource, base, values)
  }

  overwrite(resource: Resource, ref: Ref, values: Values): Promise<Answer> {
    return this.api.update(resource, ref, values)
  }

  async delete(resource: Resource, ref: Ref, values?: Values, renew?: Renew): Promise<WriteResult> {
    const record = await this.api.delete(resource, ref, values, renew)
    return { record, drift: removalDrift(resource, record) }
  }

  /** Throws for an update that cannot be done, before anything is sent. */
  protected async check(resource: Resource, base: Answer, values: Values, inTrash: boolean): Promise<void> {
    if (base.status === 'trash' && values.status === undefined && !inTrash) throw this.trashed(resource, base)
    await checkSecrets(this.api, resource, values, base.id)
  }

  /** An update in one request to the events API, with every field that would be cleared if it were left out; `base` is the record before it. */
  protected async updateWhole(resource: Resource, before: Answer, values: Values) {
    const secret = Object.keys(values).find(name => resource.fields[name]?.secret)
    if (secret) throw unsettableSecret(this.api, resource, namedRecord(resource.name, before.id), secret)
    let base = before
    // The events API takes no empty slug: a draft that has got a slug keeps it, as the answer shows.
    const { slug, ...others } = values
    const sent = slug === '' ? others : values
    const isPartial = this.api.takesPartialUpdates()
    const body = () => ({ ...(!isPartial && preservedFields(resource, base, values)), ...sent })
    const record = await this.sendWhole(resource, base, body(), async () => {
      base = await this.current(resource, base, values)
      return body()
    })
    return { ...resultOf(resource, base, record, values), base }
  }

  /** The record as it is now, for an update that is sent again: a change that somebody else has made since must not be reverted. */
  protected async current(resource: Resource, before: Answer, values: Values): Promise<Answer> {
    const { readAgain } = await import('./foreign-changes.ts')
    return readAgain({ client: this.api, resource, before, values })
  }

  /** According to the documentation, `null` removes an image. Production refuses `null`, and removes an image that is left out. */
  private async sendWhole(resource: Resource, { id }: Answer, values: Values, renew: Renew): Promise<Answer> {
    if (values.image !== null) return this.api.update(resource, { id }, values, renew)
    const withoutImage = ({ image: _, ...others }: Values): Values => others
    try {
      return await this.api.update(resource, { id }, values, renew)
    } catch (error) {
      if (!(error instanceof Failure) || error.details.status !== 400) throw error
      return this.api.update(resource, { id }, withoutImage(values), async () => withoutImage(await renew()))
    }
  }

  protected trashed({ name }: Resource, { id }: Answer): Failure {
    return refused(
      inTrashText(namedRecord(name, id), this.api.calendar),
      phrase('restore it first with: {command}', { command: `calctl ${name} restore ${id}` }),
    )
  }
}

/** Writes to The Events Calendar through its events API. Throws `refused` for values that this API would lose or cannot store. */
export class EventsApi extends DocumentedApi {
  protected override async check(resource: Resource, base: Answer, values: Values, inTrash: boolean): Promise<void> {
    if (isBlanked(resource, base)) throw blankedFailure(resource, base, this.api.calendar)
    await super.check(resource, base, values, inTrash)
  }

  protected override async update(resource: Resource, before: Answer, values: Values): Promise<WriteResult> {
    const failure = unwritable(this.api, resource, before, values)
    if (failure) throw failure
    return super.update(resource, before, values)
  }
}
