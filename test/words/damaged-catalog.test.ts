import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'calctl-catalog-'))
for (const name of ['bin', 'dist', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
afterAll(() => rmSync(folder, { recursive: true }))

const damaged = 'cannot read the messages in "ca": reinstall calctl\n'

test.each([
  [undefined, damaged],
  ['', damaged],
  ['{', damaged],
  ['null', damaged],
  ['[]', damaged],
  ['{"Administer an events calendar over its REST API":5}', ''],
])('a catalog that is damaged (%s) is said once, and the command speaks English', (text, message) => {
  const file = join(folder, 'dist/words/ca.json')
  if (text === undefined) rmSync(file)
  else writeFileSync(file, text)
  const env = { PATH: process.env.PATH, HOME: folder, CALCTL_UI: 'ca' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bin/calctl.js'), 'help'], {
    env,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, message])
  expect(stdout).toMatch(/^Administer an events calendar/)
})
