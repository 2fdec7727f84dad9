import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lacksWordPress, rememberNoWordPress } from '../../src/cli/profiles/site-notes.ts'
import type { World } from '../../src/cli/world.ts'
import { worldOf } from '../support/world.ts'

/** Command lines with a folder for profiles, which is removed after the test. */
function withProfiles() {
  const home = mkdtempSync(join(tmpdir(), 'calctl-profiles-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return { home, calctl: worldOf({ env: { HOME: home } }) }
}

const names = Array.from({ length: 20 }, (_, index) => `site${index}`)
const add = (name: string) => `profiles add ${name} --base-url https://${name}.example/wp-json`

test('twenty profiles that are added at once are all kept', async () => {
  const { home, calctl } = withProfiles()
  const added = await Promise.all(names.map(name => calctl(add(name))))
  expect(added.filter(({ status }) => status !== 0)).toEqual([])
  const { out } = await calctl('profiles list --fields name -o ids')
  expect(out.split('\n').filter(Boolean).toSorted()).toEqual(['local', ...names].toSorted())
  expect(readdirSync(join(home, '.config/calctl'))).toEqual(['config.json'])
})

test('profiles that are changed and removed at once keep what each command did', async () => {
  const { calctl } = withProfiles()
  for (const name of names.slice(0, 3)) await calctl(add(name))
  const lines = ['profiles edit site0 --lang en', 'profiles remove site1', 'profiles use site2', add('site3')]
  for (const { status } of await Promise.all(lines.map(line => calctl(line)))) expect(status).toBe(0)
  const { out } = await calctl('profiles list --fields name,lang --json')
  expect(JSON.parse(out)).toMatchObject([
    { name: 'local' },
    { name: 'site0', lang: 'en' },
    { name: 'site2' },
    { name: 'site3' },
  ])
})

test('of two profiles of one name, the second is refused and keeps the password of the first', async () => {
  const { calctl } = withProfiles()
  const both = await Promise.all([
    calctl(`${add('town')} --user ada --password-stdin`, 'one\n'),
    calctl(`${add('town')} --user bo --password-stdin`, 'two\n'),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([0, 2])
})

test('what is found out about twenty sites at once is all remembered', async () => {
  const { home } = withProfiles()
  const parts: Partial<World> = {
    env: { HOME: home },
    platform: 'linux',
    now: () => new Date('2026-11-21T02:00:00Z'),
  }
  const world = parts as World
  await Promise.all(names.map(name => rememberNoWordPress(world, name)))
  expect(names.filter(name => !lacksWordPress(world, name))).toEqual([])
})
