import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { bundle } from '../soak/bundle.ts'
import { built } from '../support/built.ts'
import { siteBehindProxy } from '../support/site-behind-proxy.ts'
import { words, worldOf } from '../support/world.ts'
import { decide } from './conversation.ts'

let script = ''
beforeAll(async () => {
  script = await bundle('calctl')
  if (built !== undefined) return
  // The bundle of the sources is outside of the package, whose documents the command needs.
  const folder = mkdtempSync(join(tmpdir(), 'calctl-package-'))
  for (const name of ['docs', 'skills']) symlinkSync(resolve(name), join(folder, name))
  copyFileSync(script, join(folder, 'calctl.mjs'))
  script = join(folder, 'calctl.mjs')
})

/** A process that converses, to which a client speaks whose stdin and stdout can break. There is no browser. */
async function talking(line: string) {
  const home = mkdtempSync(join(tmpdir(), 'calctl-broken-'))
  const env = { PATH: home, HOME: home, XDG_STATE_HOME: home, LANG: 'en' }
  const child = spawn(process.execPath, [script, ...words(line)], { env, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.on('error', () => {})
  let err = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text
  })
  const ended = once(child, 'exit').then(([status]) => ({ status: status as number, err }))
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]()
  const send = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = async (method: string, params: object) => {
    send({ id: 1, method, params })
    const { value } = await answers.next()
    if (value === undefined) throw new Error(err)
    return JSON.parse(value).result
  }
  const call = async (name: string, args: object) => {
    const { isError, content } = await ask('tools/call', { name, arguments: args })
    if (isError) throw new Error(content[0].text)
    return JSON.parse(content[0].text)
  }
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'a client', version: '1' },
  })
  send({ method: 'notifications/initialized' })
  return { call, child, ended, err: () => err, home, send }
}

test('a run that was approved is carried out, though the client stops reading', async () => {
  let writes = 0
  const { baseUrl } = await siteBehindProxy({
    before({ method }) {
      if (method !== 'POST' || ++writes !== 3) return
      talk.child.stdout.destroy()
      talk.send({ id: 2, method: 'tools/call', params: { name: 'look', arguments: { what: 'venues' } } })
    },
  })
  const talk = await talking(`mcp --base-url ${baseUrl}`)
  const records = Array.from({ length: 30 }, (_, n) => ({
    title: `Concert ${n}`,
    start_date: '2026-12-05 19:00',
    end_date: '2026-12-05 21:00',
  }))
  const { plan } = await talk.call('plan', { action: 'create', records })
  await talk.call('apply_plan', { plan })
  const [address = ''] = /http:\/\/127\S+/.exec(talk.err()) ?? []
  expect(await decide(address)).toMatchObject({ isWhole: true, said: expect.stringContaining('30 done') })
  expect(await talk.ended).toMatchObject({
    status: 0,
    err: expect.stringContaining('the client reads no more: the conversation ends'),
  })
  expect(talk.err()).not.toContain('malformed')
  const calctl = worldOf({ env: { XDG_STATE_HOME: talk.home } })
  expect((await calctl(`events list --all-dates --base-url ${baseUrl} -o count`)).out).toBe('30\n')
})

test('a message that is too long ends the conversation, says so, and is a failure', async () => {
  const { ended, send } = await talking('mcp --demo')
  send({ id: 2, method: 'tools/call', params: { name: 'look', arguments: { what: 'x'.repeat(11_000_000) } } })
  expect(await ended).toEqual({
    status: 2,
    err: 'error: a message of the client is longer than 10 MB: the conversation cannot go on\n',
  })
})
