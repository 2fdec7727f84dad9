import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { worldOf } from '../support/world.ts'
import { serve } from './serve-page.ts'

const opened = async (line: string, fails = false) => {
  const pages: string[] = []
  const calctl = worldOf({
    ...(line.includes('--demo') && { stopping: AbortSignal.abort() }),
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
  const { origin } = await serve('--memory --base-path /wp-json')
  const { status, pages, err } = await opened(`open --base-url ${origin}/wp-json`)
  expect([status, pages, err]).toEqual([0, [`${origin}/`], `opened ${origin}/\n`])
})

test('a server that does not answer has no page', async () => {
  const { status, pages, err } = await opened('open --base-url http://127.0.0.1:1/wp-json')
  expect([status, pages]).toEqual([5, []])
  expect(err).toContain(
    'error: connection refused by http://127.0.0.1:1\nhint: check that the server is running, and the port\n',
  )
})

test('a calendar file that is served already is opened where it is served', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'open-')), 'town.json')
  const { origin } = await serve(`--file ${file}`)
  const { status, pages } = await opened(`open --base-url file:${file}`)
  expect([status, pages]).toEqual([0, [`${origin}/`]])
})

test('without a browser the address is said; what is no month is refused', async () => {
  const { origin } = await serve('--memory')
  const { err } = await opened(`open --base-url ${origin}`, true)
  expect(err).toBe(`no browser could be opened; the page is ${origin}/\n`)
  expect((await opened('open --demo --month never')).status).toBe(2)
})
