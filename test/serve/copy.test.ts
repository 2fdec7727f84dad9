import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { startServe } from '../support/start-serve.ts'
import { worldOf } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-copy-'))
afterAll(() => rmSync(folder, { recursive: true }))
const env = { XDG_CONFIG_HOME: folder }

const started = async (line: string) => {
  const server = await startServe(line, { cwd: folder, env })
  if (!('url' in server)) throw new Error(server.err)
  return server
}

test('serve --from serves a copy of the calendar of a profile, in every language', async () => {
  const town = await started('--demo --port 0')
  const calctl = calendar({ env })
  await calctl(`profiles add town --base-url ${town.url}`)
  const copy = await started('--from town --file copy.json --port 0')
  for (const language of ['ca', 'en', 'es']) {
    const titles = (url: string) =>
      calctl(
        `events list --base-url ${url} --lang ${language} --all-dates --all --fields slug,title,venue.venue -o csv`,
      )
    expect((await titles(copy.url)).out).toBe((await titles(town.url)).out)
  }
  expect(copy.err()).toContain(`serving a copy of ${town.url}\n`)
  await copy.stop()
  await town.stop()
  expect(await startServe('--from town --file copy.json --port 0', { cwd: folder, env })).toMatchObject({
    status: 2,
    err: expect.stringContaining('error: copy.json already exists, and --from needs a new file\n'),
  })
})

test('a failed copy leaves no file behind and can be repeated', async () => {
  const calctl = calendar({ env })
  await calctl('profiles add gone --base-url http://127.0.0.1:9')
  const failed = await startServe('--from gone --retries 0 --file gone.json --port 0', { cwd: folder, env })
  expect(failed).toMatchObject({ status: 5 })
  expect(readdirSync(folder).filter(name => name.startsWith('gone'))).toEqual([])
})

test.each(['when it is asked', 'before it is asked'])(
  'Ctrl-C ends a copy of a site that does not answer: %s',
  async at => {
    const stopping = new AbortController()
    if (at === 'before it is asked') stopping.abort()
    const site = createServer(() => stopping.abort()).listen(0, '127.0.0.1')
    onTestFinished(() => site.closeAllConnections())
    await once(site, 'listening')
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    await calendar({ env })(`profiles add silent --base-url ${url}`)
    const calctl = worldOf({ env, cwd: folder, stopping: stopping.signal })
    expect(await calctl('serve --from silent --file silent.json --port 0 --timeout 3s')).toMatchObject({
      status: 130,
      err: expect.stringMatching(/^error: the connection to .* was closed\n$/),
    })
    expect(readdirSync(folder).filter(name => name.startsWith('silent'))).toEqual([])
  },
)
