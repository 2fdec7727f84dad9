import { resourceNamed } from '../../contract/contract.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import type { FileRecord } from '../../files/record.ts'

/** What tells a step from the others, the same whenever the plan is made. */
export const keyOf = (
  { name, title }: Resource,
  language: Language | undefined,
  { slug, values }: FileRecord,
  before: Answer | undefined,
): string => {
  if (before) return `${name} ${before.id}`
  const called = slug ?? values.slug ?? [values[title], values.start_date].filter(part => part !== undefined).join(' ')
  return [name, language, called].filter(part => part !== undefined).join(' ')
}

/** Refuses the same record twice; records that only share a name and a date are told apart by a number. */
export function unlikeOthers(
  key: string,
  record: FileRecord,
  before: Answer | undefined,
  places: Map<string, string>,
): string {
  const isNamed = before !== undefined || (record.slug ?? record.values.slug) !== undefined
  const content = isNamed ? key : `${key} ${JSON.stringify(record.values)}`
  const place = places.get(content)
  if (place)
    throw new Failure('usage', `the same ${resourceNamed(record.resource).singular} as ${place}`, {
      hint: 'take one of them out',
    })
  places.set(content, record.place)
  let unlike = key
  for (let number = 2; !isNamed && places.has(`key ${unlike}`); number++) unlike = `${key} #${number}`
  places.set(`key ${unlike}`, record.place)
  return unlike
}
