import type { Client, Ref } from '../../client/client.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'

interface Sought {
  readonly resource: Resource
  readonly ref: Ref | undefined
  readonly language: Language | undefined
  readonly trashed: boolean
}

/** Why a record is not to be had; the site says that best. */
export async function missingRecord(client: Client, { resource, ref, language, trashed }: Sought): Promise<Failure> {
  if (ref && (!trashed || resource.keys.includes('slug')))
    try {
      const there = await client.get(resource, ref, language ? { lang_code: language } : {})
      if (trashed)
        return new Failure('refused', `${resource.singular} ${there.id} is not in the trash of ${client.site}`, {
          hint: `it is there: calctl ${resource.name} get ${there.id}`,
        })
    } catch (error) {
      if (error instanceof Failure) return error
      throw error
    }
  return new Failure('missing', `no such ${resource.singular} at ${client.site}`, {
    hint: `see what is there with: calctl ${resource.name} list --all`,
  })
}
