import type { Answer, Resource } from '../../contract/resource.ts'
import type { Values, WriteResult } from '../client.ts'
import { unwritable } from './allowed-values.ts'
import { DocumentedApi } from './documented-api.ts'
import { blankedFailure, isBlanked } from './secret-values.ts'

/** Writes to a site of The Events Calendar by its events API: refuses what that would lose, or cannot store. */
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
