import { Failure } from '../../base/failure.ts'
import { withArticle } from '../../base/text/words.ts'
import type { Client, Ref } from '../../client/client.ts'
import { resources } from '../../contract/contract.ts'
import { isLanguage } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'

/** Reads the records of a merge, the survivor first; throws if they cannot be merged with one another. */
export async function readMerged(client: Client, resource: Resource, refs: readonly Ref[]): Promise<Answer[]> {
  const records: Answer[] = []
  for (const ref of refs) records.push(await readOne(client, resource, ref, records))
  const { singular, name } = resource
  for (const [index, { id, status }] of records.entries()) {
    const earlier = records.findIndex(other => other.id === id)
    if (earlier < index)
      throw new Failure(
        'usage',
        earlier === 0 ? `cannot merge ${singular} ${id} with itself` : `${singular} ${id} is named twice`,
        { hint: `name the ${singular} that stays first, then the others: calctl ${name} merge ${id} OTHER…` },
      )
    if (status === 'trash') throw trashed(client, resource, id)
  }
  return records
}

const trashed = ({ calendar }: Client, { name, singular }: Resource, id: number) =>
  new Failure('refused', `${singular} ${id} is in the trash of ${calendar.label}`, {
    hint: `restore it first with: calctl ${name} restore ${id}${calendar.flags ?? ''}`,
  })

async function readOne(client: Client, resource: Resource, ref: Ref, earlier: readonly Answer[]): Promise<Answer> {
  try {
    return await client.get(resource, ref)
  } catch (error) {
    if (!(error instanceof Failure) || (error.kind !== 'missing' && error.kind !== 'refused')) throw error
    const [first] = earlier
    const { language } = error.details
    if (first && isLanguage(language)) throw otherLanguage(resource, ref, language, first)
    throw (await otherResource(client, resource, ref)) ?? error
  }
}

function otherLanguage({ name, singular }: Resource, ref: Ref, language: string, first: Answer): Failure {
  const of = first.lang_code ?? 'another language'
  return new Failure('usage', `${singular} ${textOf(ref)} is in ${language}, and ${first.id} in ${of}`, {
    hint: `translations are not duplicates; merge the ${name} of each language with: calctl ${name} merge --lang ${language}`,
  })
}

/** Posts share their IDs: what is no venue may be an organizer. */
async function otherResource(client: Client, { name, trashable }: Resource, ref: Ref): Promise<Failure | undefined> {
  if (!('id' in ref) || !trashable) return undefined
  for (const other of resources.filter(other => other.trashable && other.name !== name)) {
    const record = await client.get(other, ref).catch(error => {
      if (error instanceof Failure) return undefined
      throw error
    })
    if (record)
      return new Failure('usage', `${ref.id} is ${withArticle(other.singular)}, and only ${name} can be merged here`, {
        hint: `merge ${other.name} with: calctl ${other.name} merge`,
      })
  }
  return undefined
}

const textOf = (ref: Ref): string => String('id' in ref ? ref.id : ref.slug)
