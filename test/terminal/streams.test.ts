import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bundle } from '../soak/bundle.ts'
import { skipped } from '../support/skipped.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-streams-'))
afterAll(() => rmSync(folder, { recursive: true }))

let script = ''
beforeAll(async () => {
  script = await bundle('calctl')
})

/** The outcome of a shell command in which `calctl` runs as its own process. */
async function shell(line: string): Promise<{ status: number; out: string; err: string }> {
  const calctl = `calctl() { "${process.execPath}" "${script}" "$@"; }; set -o pipefail; ${line}`
  const env = { PATH: process.env.PATH, HOME: folder }
  const diskFull = await promisify(execFile)('bash', ['-c', calctl], { env }).catch(error => error)
  return { status: diskFull.code ?? 0, out: diskFull.stdout, err: diskFull.stderr }
}

test('a reader that closes stdout early is not an error', async () => {
  expect(await shell('calctl events list --demo --all -o ids | head -n 1')).toMatchObject({ status: 0, err: '' })
})

test('diff --exit-code ends with its status even if only one line is read', async () => {
  const differ = (rows: number) =>
    shell(
      `{ echo title,start_date,end_date; for n in $(seq ${rows}); do echo "Fira $n,2027-05-01,2027-05-02"; done; } | calctl diff - --exit-code --demo --format csv | (exec <&-; true)`,
    )
  expect(await differ(1500)).toMatchObject({ status: 1 })
  expect(await differ(0)).toMatchObject({ status: 0 })
})

test('a closed stderr is not an error either', async () => {
  expect(await shell('calctl tags list --demo --base-url file:x 2> >(true)')).toMatchObject({ status: 2 })
})

test('a character that arrives in two chunks is decoded whole', async () => {
  const pieces = `{ printf '{"name":"Caf\\303'; sleep 0.3; printf '\\251"}'; }`
  const { out } = await shell(`${pieces} | calctl tags create --demo --data - --dry-run --json`)
  expect(JSON.parse(out)).toMatchObject({ steps: [{ values: { name: 'Café' } }] })
})

const isNeverFull = !existsSync('/dev/full')

describe.skipIf(isNeverFull)(`a full disk${skipped(isNeverFull, 'no /dev/full')}`, () => {
  const diskFull = 'error: cannot write the output: the disk is full\nhint: free some space, or write to another disk\n'

  test.each(['events list --demo', 'doc --demo', '--help'])('is reported for stdout: %s', async line => {
    expect(await shell(`calctl ${line} > /dev/full`)).toEqual({ status: 3, out: '', err: diskFull })
  })

  test('is ignored for stderr', async () => {
    expect(await shell('calctl events list --demo -o ids 2> /dev/full | wc -l')).toMatchObject({
      status: 0,
      out: '30\n',
    })
    expect(await shell('calctl events list --demo > /dev/full 2>&1')).toMatchObject({ status: 3 })
  })
})

test('a command that waits many times says nothing of listeners', async () => {
  const site = createServer((_, response) => response.writeHead(503, { 'retry-after': '0' }).end())
  await new Promise<void>(done => site.listen(0, '127.0.0.1', done))
  onTestFinished(() => void site.close())
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const line = ['tags', 'list', '--retries', '12', '--namespace', 'tribe/events/v1', '--base-url', url]
  const child = spawn(process.execPath, [script, ...line], { stdio: ['ignore', 'ignore', 'pipe'] })
  let err = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text
  })
  await once(child, 'close')
  expect(err.match(/retrying/g)).toHaveLength(12)
  expect(err).not.toContain('Warning')
})
