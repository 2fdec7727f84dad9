import { expect, test } from 'vitest'
import { worldOf } from '../support/world.ts'

const opened = async (line: string, fails = false) => {
  const pages: string[] = []
  const calctl = worldOf({
    stopping: AbortSignal.abort(),
    openPage: async url => {
      pages.push(url)
      if (fails) throw new Error('no browser')
    },
  })
  return { ...(await calctl(line)), pages }
}

test('the demo is served on a free port, and its month opened', async () => {
  const { status, pages } = await opened('open --demo --month desembre')
  expect([status, pages]).toEqual([0, [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?month=2026-12$/)]])
})

test('the page of a server is opened at its own address', async () => {
  const { status, pages, err } = await opened('open --base-url http://127.0.0.1:1/wp-json')
  expect([status, pages, err]).toEqual([0, ['http://127.0.0.1:1/'], 'opened http://127.0.0.1:1/\n'])
})

test('without a browser the address is said; what is no month is refused', async () => {
  const { err } = await opened('open --base-url http://127.0.0.1:1/wp-json', true)
  expect(err).toBe('no browser could be opened; the page is http://127.0.0.1:1/\n')
  expect((await opened('open --demo --month never')).status).toBe(2)
})
