import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)

const home = mkdtempSync(join(tmpdir(), 'calctl-readme-'))
writeFileSync(join(home, 'calctl'), `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/calctl.js')}" "$@"\n`)
chmodSync(join(home, 'calctl'), 0o755)
afterAll(() => rmSync(home, { recursive: true }))

/** A newcomer's shell: the README's blocks run in it one after another, and what one leaves the next finds. */
const shell = (script: string) =>
  promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: home,
    env: { PATH: `${home}:${process.env.PATH}`, HOME: home },
    timeout: 30_000,
  })

test('the examples of the README run, in their order', async () => {
  expect(blocks.length).toBeGreaterThan(0)
  for (const block of blocks) await expect(shell(block), block).resolves.toBeDefined()
}, 60_000)
