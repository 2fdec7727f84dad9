import { Failure } from '../base/failure.ts'
import { resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import type { Service } from '../service/service.ts'

/** The initial records of a calendar, by resource, in the form of requests. */
export type SeedRecords = Readonly<Partial<Record<ResourceName, readonly Readonly<Record<string, unknown>>[]>>>

/** Terms and places first, because events link to them. */
const order: readonly ResourceName[] = ['categories', 'tags', 'venues', 'organizers', 'events']

/** Creates records through the service; throws `usage` with the answer if it refuses one. */
export async function createRecords(service: Service, namespace: string, records: SeedRecords): Promise<void> {
  const unknown = Object.keys(records).find(name => !resources.some(resource => resource.name === name))
  if (unknown !== undefined)
    throw new Failure('usage', `records: there is no resource "${unknown}"`, { hint: `one of ${order.join(', ')}` })
  for (const name of order)
    for (const [index, record] of (records[name] ?? []).entries()) {
      const { status, body } = await service({
        method: 'POST',
        path: `/${namespace}/${name}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(record),
      })
      if (status >= 300) throw new Failure('usage', `records: ${name}[${index}] was refused: ${messageIn(body)}`)
    }
}

const messageIn = (body: string | Uint8Array): string => {
  const { message, data } = JSON.parse(String(body)) as { message?: string; data?: { params?: object } }
  return [message, data?.params && JSON.stringify(data.params)].filter(part => part).join(' ')
}
