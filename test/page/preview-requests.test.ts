import { type IncomingMessage, request as send } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileRequests, lists, parameters } from './hostile-requests.ts'
import { entered, type Preview, previewOf } from './preview-of.ts'

const runs = process.env.SOAK_ROUNDS === undefined ? 200 : 2000

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
}

/** Sends a request as it is, which `fetch` would tidy up. */
async function ask({ port }: Pick<Preview, 'port'>, { method, path, headers }: Sent) {
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { port, host: '127.0.0.1', method, path, headers: { connection: 'close', ...headers } }
    send(options, resolve).on('error', reject).end()
  })
  const chunks: Uint8Array[] = []
  for await (const chunk of message) chunks.push(chunk)
  return { status: message.statusCode, headers: message.headers, body: Buffer.concat(chunks).toString() }
}

test('whatever a browser asks for, only known reads with known parameters reach the site; without the cookie nothing is told', async () => {
  const preview = await previewOf()
  const { cookie, home } = await entered(preview.opened)
  const refusal = await ask(preview, { method: 'GET', path: '/', headers: {} })
  expect(refusal.status).toBe(403)
  // One request is known to reach the site, so that the law is never empty.
  preview.reached.length = 0
  const known = `${new URL(home).pathname}/calendar/events/v1/venues`
  await ask(preview, { method: 'GET', path: known, headers: { cookie } })
  let reads = preview.reached.length
  await fc.assert(
    fc.asyncProperty(hostileRequests, async ({ method, target, path, query, isInside, hasCookie, headers: sent }) => {
      preview.reached.length = 0
      const place = target.replace('PORT', String(preview.port)) + (isInside ? new URL(home).pathname : '') + path
      const answer = await ask(preview, {
        method,
        path: query === '' ? place : `${place}?${query}`,
        headers: { ...sent, ...(hasCookie && { cookie }) } as Record<string, string>,
      })
      for (const {
        method: sentMethod,
        path: sentPath,
        query: sentQuery,
        body,
        headers: sentHeaders = {},
      } of preview.reached) {
        reads++
        expect(hasCookie && isInside).toBe(true)
        expect(['GET', 'HEAD']).toContain(method)
        expect(sentMethod).toBe('GET')
        expect(lists.map(name => `/calendar/events/v1/${name}`)).toContain(sentPath)
        for (const part of (sentQuery ?? '').split('&').filter(Boolean))
          expect(parameters).toContain(part.split('=')[0])
        expect(body).toBeUndefined()
        expect(Object.keys(sentHeaders).filter(name => name !== 'accept')).toEqual([])
      }
      if (hasCookie && isInside) return
      expect([answer.status, answer.body]).toEqual([403, method === 'HEAD' ? '' : refusal.body])
      expect({ ...answer.headers, date: '' }).toEqual({ ...refusal.headers, date: '' })
    }),
    { numRuns: runs },
  )
  expect(reads).toBeGreaterThan(0)
})
