import { Failure, usage } from '../base/failure.ts'
import { foldText } from '../base/text/folding.ts'
import { resourceNamed, resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { linksAsHeld } from '../contract/kinds/link-kinds.ts'
import type { Answer } from '../contract/resource.ts'
import type { Service } from '../service/service.ts'

type Values = Readonly<Record<string, unknown>>

/** The initial records of a calendar, by resource, as `calctl/client` takes them. */
export type SeedRecords = Readonly<Partial<Record<ResourceName, readonly Values[]>>>

/** Terms and places first, because events link to them. */
const order: readonly ResourceName[] = ['categories', 'tags', 'venues', 'organizers', 'events']

/** Creates records through the service; throws `usage` with the answer if it refuses one. */
export async function createRecords(service: Service, namespace: string, records: SeedRecords): Promise<void> {
  const unknown = Object.keys(records).find(name => !resources.some(resource => resource.name === name))
  if (unknown !== undefined) throw usage(`records: there is no resource "${unknown}"`, `one of ${order.join(', ')}`)
  const made = new Map<ResourceName, Answer[]>(order.map(name => [name, []]))
  for (const name of order)
    for (const [index, record] of (records[name] ?? []).entries()) {
      const { status, body } = await service({
        method: 'POST',
        path: `/${namespace}/${name}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(withLinks(name, record, made)),
      })
      if (status >= 300) throw new Failure('usage', `records: ${name}[${index}] was refused: ${messageIn(body)}`)
      made.get(name)?.push(JSON.parse(String(body)))
    }
}

/** The values of a record with the IDs of those that it names, which were made before it. */
function withLinks(name: ResourceName, record: Values, made: ReadonlyMap<ResourceName, readonly Answer[]>): Values {
  const idOf = (of: ResourceName, link: unknown) => {
    const isNamed = (text: unknown) => foldText(String(text ?? '')) === foldText(String(link))
    const named = made.get(of)?.find(other => isNamed(other.slug) || isNamed(other[resourceNamed(of).title]))
    return typeof link === 'string' ? (named?.id ?? link) : link
  }
  const values = Object.entries(record).map(([key, value]) => {
    const field = resourceNamed(name).fields[key]
    const { of } = field ?? {}
    if (!field || of === undefined || value === null) return [key, value]
    return [key, linksAsHeld(field, Array.isArray(value) ? value.map(link => idOf(of, link)) : idOf(of, value))]
  })
  return Object.fromEntries(values)
}

const messageIn = (body: string | Uint8Array): string => {
  const { message, data } = JSON.parse(String(body)) as { message?: string; data?: { params?: object } }
  return [message, data?.params && JSON.stringify(data.params)].filter(part => part).join(' ')
}
