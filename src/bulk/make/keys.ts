import { createHash } from 'node:crypto'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import type { FileRecord } from '../../files/record.ts'

/**
 * Makes what tells one step of a plan from the others, the same whenever the plan is made. Refuses the same record twice;
 * records that only share a name and a date are told apart by a number.
 */
export function distinctKeys(
  resource: Resource,
  language: Language | undefined,
): (record: FileRecord, before: Answer | undefined) => string {
  const places = new Map<string, string>()
  const keys = new Set<string>()
  return (record, before) => {
    const key = keyOf(resource, language, record, before)
    const isNamed = before !== undefined || (record.slug ?? record.values.slug) !== undefined
    const content = isNamed ? key : digest(`${key} ${JSON.stringify(record.values)}`)
    const place = places.get(content)
    if (place) throw new Failure('usage', `the same ${resource.singular} as ${place}`, { hint: 'take one of them out' })
    places.set(content, record.place)
    let unlike = key
    for (let number = 2; !isNamed && keys.has(unlike); number++) unlike = `${key} #${number}`
    keys.add(unlike)
    return unlike
  }
}

function keyOf(
  { name, title }: Resource,
  language: Language | undefined,
  { slug, values }: FileRecord,
  before: Answer | undefined,
): string {
  if (before) return `${name} ${before.id}`
  const called = slug ?? values.slug ?? [values[title], values.start_date].filter(part => part !== undefined).join(' ')
  return [name, language, called].filter(part => part !== undefined).join(' ')
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
