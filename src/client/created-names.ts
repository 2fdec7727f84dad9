import type { Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { onlyLongerName, similarName } from '../text/similarity.ts'

/** What is done before a record is created whose name is close to an existing one: somebody is asked, or it is refused. */
export interface NameCare {
  /** Whether the existing name is meant. */
  readonly ask?: (resource: Resource, name: string, existing: string) => Promise<boolean>
}

/** The existing name, or one of the file, that is so close to a new one that the new one is not created without a word. */
export function closeName(
  resource: Resource,
  name: string,
  known: readonly string[],
  planned: readonly string[] = [],
): string | undefined {
  // Places have long names, of which people write the beginning; `Dansa` is no short form of `Dansa contemporània`.
  const longer = resource.trashable ? onlyLongerName(name, known) : undefined
  return similarName(name, [...known, ...planned]) ?? longer
}

/** The existing name to use in place of a new one; undefined if the new one is to be created. Throws `usage` if that is refused. */
export async function existingInstead(
  care: NameCare | undefined,
  resource: Resource,
  name: string,
  names: () => Promise<readonly string[]>,
  /** Names of the file, that will exist when it is applied. */
  planned: readonly string[] = [],
): Promise<string | undefined> {
  if (!care) return undefined
  const known = await names()
  const existing = closeName(resource, name, known, planned)
  if (existing === undefined) return undefined
  if (care.ask) return (await care.ask(resource, name, existing)) ? existing : undefined
  const { singular } = resource
  throw new Failure('usage', `no ${singular} is called "${name}", but one is called "${existing}"`, {
    hint: `correct the name, or create another ${singular} with: --allow-similar`,
  })
}
