import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { calendar } from './calendar.ts'
import { startServe } from './start-serve.ts'

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
