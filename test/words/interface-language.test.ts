import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

const spoken = async (env: Record<string, string>, words = '') => {
  const { err } = await calendar({ env })(`events get 7 ${words}`)
  return err.includes('pista:') ? 'translated' : 'English'
}

test.each([
  [{ LANG: 'ca_ES.UTF-8' }, 'translated'],
  [{ LANG: 'es_MX' }, 'translated'],
  [{ LANG: 'ca_ES@valencia' }, 'translated'],
  [{ LANG: 'ca_ES.UTF-8', LC_MESSAGES: 'en_US.UTF-8' }, 'English'],
  [{ LANG: 'ca_ES.UTF-8', LC_ALL: 'C' }, 'English'],
  [{ LANG: 'POSIX' }, 'English'],
  [{ LANG: 'cat' }, 'English'],
  [{ LANG: 'fr_FR.UTF-8' }, 'English'],
  [{ LANG: 'ca_ES.UTF-8', CALCTL_UI: 'en' }, 'English'],
  [{ LANG: 'en_US.UTF-8', CALCTL_UI: 'ca' }, 'translated'],
])('with %j messages are %s', async (env, expected) => {
  expect(await spoken(env)).toBe(expected)
})

test('--ui wins over the environment', async () => {
  expect(await spoken({ CALCTL_UI: 'ca' }, '--ui en')).toBe('English')
  expect(await spoken({ LANG: 'C' }, '--ui=es')).toBe('translated')
})

test('a profile has a language for its messages', async () => {
  const calctl = calendar({ env: { LANG: 'C', XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'config-')) } })
  await calctl('profiles edit local --ui ca')
  expect((await calctl('events get 7')).err).toContain('pista:')
  expect((await calctl('events get 7 --ui en')).err).toContain('hint:')
})

test('messages for programs are English unless --ui is given', async () => {
  const calctl = calendar({ env: { LANG: 'ca_ES.UTF-8' } })
  const { err } = await calctl('events get 7 --json')
  expect(JSON.parse(err).error.hint).toMatch(/^list events/)
})

test('an unknown language is a usage error', async () => {
  const { status, err } = await calendar()('events list --ui fr')
  expect([status, err]).toEqual([2, 'error: --ui: expected one of ca, en, es, got "fr"\nhint: for example: --ui ca\n'])
})

test('help has its usage line, its headings and its placeholders in the language of the interface', async () => {
  const { out } = await calendar({ env: { CALCTL_UI: 'ca' } })('profiles add --help')
  expect(out).toMatch(/^Afegeix un perfil\n\nÚs: calctl profiles add <nom> \[opcions\]\n\nExemples:\n/)
  expect(out).toMatch(/^ {2}--base-url-for <llengua=url> +URL base per a una llengua/m)
})

test('a topic is in the language of the interface, and says so where it is not', async () => {
  const calctl = calendar({ env: { CALCTL_UI: 'ca' } })
  expect((await calctl('help dates')).out).toMatch(/^DATES I HORES\n/)
  expect((await calctl('help environment')).out).toMatch(/^VARIABLES D’ENTORN\n/)
  expect((await calctl('help serve')).out).toContain('\nAquesta pàgina només és en anglès.\n')
  expect((await calendar()('help serve')).out).not.toContain('in English only')
})
