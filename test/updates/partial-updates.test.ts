import { expect, test } from 'vitest'
import { resources } from '../../src/contract/contract.ts'
import type { Field } from '../../src/contract/field.ts'
import { differences } from '../../src/contract/record.ts'
import { type Resource, withAffectedFields } from '../../src/contract/resource.ts'
import { testService } from '../support/test-service.ts'
import { worldOf } from '../support/world.ts'

/** What a field has at first, what somebody else gives it, and what we give it. */
type Three = readonly [first: unknown, theirs: unknown, ours: unknown]

const byName: Readonly<Record<string, Three>> = {
  start_date: ['2026-12-05 19:00:00', '2026-12-05 18:00:00', '2026-12-05 17:30:00'],
  end_date: ['2026-12-05 21:00:00', '2026-12-05 22:00:00', '2026-12-05 23:30:00'],
  status: ['publish', 'private', 'draft'],
  cost: ['5', '10', '15'],
}

const byKind: Readonly<Record<string, Three>> = {
  text: ['One', 'Two', 'Three'],
  boolean: [false, true, true],
  timeZone: ['Europe/Madrid', 'Europe/Paris', 'Europe/Rome'],
  url: ['https://example.org/1', 'https://example.org/2', 'https://example.org/3'],
  email: ['one@example.org', 'two@example.org', 'three@example.org'],
}

/** Of fields that the service writes: a day without hours has other times, and places have the slugs of their names. */
const valuesOf = (name: string, { kind, queryOnly, site }: Field): Three | undefined =>
  queryOnly || site?.onlyBy === 'patch' || name === 'all_day' ? undefined : (byName[name] ?? byKind[kind.name])

const written = (resource: Resource, turn: 0 | 1) =>
  Object.fromEntries(
    Object.entries(resource.fields).flatMap(([name, field]) => {
      const values = valuesOf(name, field)
      return values ? [[name, values[turn]]] : []
    }),
  )

/** A calendar whose record somebody else changes in the moment before our update arrives, and what that has in its body. */
async function changedBeforeUs(resource: Resource, name: string) {
  const { ask, service } = testService()
  const { body: first } = await ask(`POST /${resource.name}`, { json: written(resource, 0) })
  const record = async () => (await ask(`GET /${resource.name}/${first.id}`)).body
  const sent: string[][] = []
  let theirs = first
  const calctl = worldOf({
    async transport(request) {
      if (request.method !== 'POST') return service(request)
      sent.push(Object.keys(JSON.parse(String(request.body))))
      const { [name]: _, ...others } = written(resource, 1)
      await ask(`POST /${resource.name}/${first.id}`, { json: others })
      theirs = await record()
      return service(request)
    },
  })
  const ours = { [name]: valuesOf(name, resource.fields[name] as Field)?.[2] }
  const outcome = await calctl([resource.name, 'update', String(first.id), '--data', JSON.stringify(ours)])
  return { outcome, sent, first, theirs, last: await record() }
}

for (const resource of resources)
  for (const name of Object.keys(written(resource, 0)))
    test(`a service that takes partial updates is sent the ${name} of ${resource.name} alone, and keeps the rest`, async () => {
      const { outcome, sent, first, theirs, last } = await changedBeforeUs(resource, name)
      expect(sent).toEqual([[name]])
      // The answer shows what somebody else did, and so does the command.
      expect(outcome.err).toContain('although it was not part of the request')
      const others = Object.keys(written(resource, 1)).filter(other => other !== name)
      expect(Object.keys(differences(resource, first, theirs))).toEqual(expect.arrayContaining(others))
      const changed = Object.keys(differences(resource, theirs, last))
      expect(changed).toContain(name)
      expect(withAffectedFields(resource, name)).toEqual(expect.arrayContaining(changed))
    })
