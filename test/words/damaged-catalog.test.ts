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

/** The help, with a Catalan catalog that has this text, or is not there. */
function helpWith(catalog: string | undefined) {
  const file = join(folder, 'dist/words/ca.json')
  if (catalog === undefined) rmSync(file)
  else writeFileSync(file, catalog)
  const env = { PATH: process.env.PATH, HOME: folder, CALCTL_UI: 'ca' }
  return spawnSync(process.execPath, [join(folder, 'bin/calctl.js'), 'help'], { env, encoding: 'utf8' })
}

test.each([undefined, '', '{', 'null', '[]'])(
  'a damaged catalog (%s) is said once, and the help is English',
  catalog => {
    const { status, stdout, stderr } = helpWith(catalog)
    expect([status, stderr]).toEqual([0, 'cannot read the messages in "ca": reinstall calctl\n'])
    expect(stdout).toMatch(/^Administer an events calendar/)
  },
)

test('a sentence whose translation is no text is English', () => {
  const { status, stdout, stderr } = helpWith('{"Administer an events calendar over its REST API":5}')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Administer an events calendar/)
})
