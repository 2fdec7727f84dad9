import { expect, onTestFinished, test } from 'vitest'
import { createGateway } from '../../src/service/http/gateway.ts'
import { createHostCheck } from '../../src/service/http/origins.ts'
import { listen } from '../../src/service/http/server.ts'
import { createService } from '../../src/service/service.ts'
import { faultyDisk } from '../support/faulty-disk.ts'
import { tempCalendarFile } from '../support/temp-calendar-file.ts'

/** A server whose disk can be full. */
async function served() {
  const { open } = tempCalendarFile()
  const disk = faultyDisk()
  const store = await open({ disk, create: true })
  const server = await listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    await server.stop()
    await store.close()
  })
  const nothing = { status: 404, headers: {}, body: '' }
  server.begin(
    createGateway({
      basePath: '',
      service: createService({ store, now: () => new Date(), baseUrl: server.origin, namespace: 'calendar/events/v1' }),
      welcome: () => nothing,
      control: async () => nothing,
      isOwnHost: createHostCheck('127.0.0.1', server.port, []),
      cors: { origins: new Set(), quirks: false },
    }),
  )
  const tags = `${server.origin}/calendar/events/v1/tags`
  return {
    disk,
    async create(name: string) {
      const answer = await fetch(tags, { method: 'POST', body: new URLSearchParams({ name }) })
      return { status: answer.status, body: JSON.parse(await answer.text()) }
    },
    async names() {
      const answer = await fetch(`${tags}?hide_empty=false`)
      return JSON.parse(await answer.text()).tags.map(({ name }: { name: string }) => name)
    },
  }
}

test('on a full disk, writes answer 507 until there is room again, and reads go on', async () => {
  const { disk, create, names } = await served()
  expect((await create('Jazz')).status).toBe(201)

  disk.full = true
  const refused = await Promise.all([create('Blues'), create('Swing')])
  expect(refused.map(({ status }) => status)).toEqual([507, 507])
  expect(refused[0]?.body).toEqual({
    code: 'calctl_disk',
    message: 'The disk is full; nothing was changed. Reads still work; free some space to write again.',
    data: { status: 507 },
  })
  expect(await names()).toEqual(['Jazz'])

  disk.full = false
  expect(await create('Blues')).toMatchObject({ status: 201, body: { id: 2, slug: 'blues' } })
  expect(await names()).toEqual(['Blues', 'Jazz'])
})
