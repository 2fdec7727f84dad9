import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { bundle } from '../soak/bundle.ts'
import { skipped } from '../support/skipped.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-pipe-'))
let script = ''
beforeAll(async () => {
  script = await bundle('calctl')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The files that a process has open, on Linux. */
function openFiles(pid = 0): string[] {
  const files = `/proc/${pid}/fd`
  return readdirSync(files).map(name => readlinkOrNone(join(files, name)))
}

function readlinkOrNone(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

const isElsewhere = process.platform !== 'linux'

test.skipIf(isElsewhere)(
  `a command that waits for a pipe to which nobody writes ends at SIGTERM${skipped(isElsewhere, 'only on Linux')}`,
  async () => {
    const pipe = join(folder, 'feed.ics')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: folder }
    const args = [script, 'apply', pipe, '--yes', '--base-url', 'file:town.json']
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await expect.poll(() => openFiles(child.pid)).toContain(pipe)
    child.kill('SIGTERM')
    expect(await ended).toEqual([130, null])
  },
)
