import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import { speak } from '../../src/base/words/phrase.ts'

// Each test file has a temporary folder of its own, which is removed at its end. It is in memory where the system has
// such a place: on a disk, half the time of the tests that write files is spent waiting for it.
const { TMPDIR } = process.env
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'calctl-test-'))
// Some tests read their files as another user.
chmodSync(folder, 0o755)
process.env.TMPDIR = folder

// The last command line of a test may have chosen another language of the interface.
afterEach(() => speak('en'))

afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  rmSync(folder, { recursive: true, force: true })
})
