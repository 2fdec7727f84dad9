import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { worldOf } from '../support/world.ts'

const lines = (text: string) => text.trimEnd().split('\n')

test('calctl alone says what to type first', async () => {
  const { status, out, err } = await worldOf({})('')
  expect([status, err]).toEqual([0, ''])
  expect(lines(out).length).toBeLessThanOrEqual(12)
  expect(out).toContain('calctl login example.org ')
})

test('calctl alone shows the events of today, and how many more there are, in twelve lines', async () => {
  const calctl = calendar({ env: { LANG: 'en_US.UTF-8' } })
  const now = { start_date: '2026-11-21 19:00', end_date: '2026-11-21 21:00' }
  await calctl('venues create --venue "Sala Gran"')
  await calctl(`events create --title Concert --start-date "${now.start_date}" --end-date "${now.end_date}" --venue 1`)
  const one = await calctl('--demo')
  expect(one.out).toContain('\nToday:\n  19:00–21:00  Concert  Sala Gran\n')
  for (const title of ['Ball', 'Fira', 'Teatre'])
    await calctl(`events create --title ${title} --start-date "${now.start_date}" --end-date "${now.end_date}"`)
  const { out } = await calctl('--demo')
  expect(lines(out)).toHaveLength(12)
  expect(out).toMatch(/\n {2}2 more: calctl agenda --today\n$/)
})

test('calctl alone sends nothing to a site', async () => {
  const seen: string[] = []
  const { status, out } = await calendar({ seen })('--base-url https://example.org/wp-json')
  expect([status, seen]).toEqual([0, []])
  expect(out).toContain('calctl agenda ')
})

test.each([40, 60, 80])('what calctl alone says is whole in %d columns', async terminal => {
  const { out } = await worldOf({ terminal, env: { LANG: 'ca_ES.UTF-8' } })('')
  expect(out).not.toContain('…')
  expect(lines(out).every(line => line.length <= terminal)).toBe(true)
  expect(out.replace(/\s+/g, ' ')).toContain('un calendari d’aquest ordinador')
})

const note = 'Català: calctl --ui ca · Castellano: calctl --ui es'

test.each(['', 'help', '--help'])(
  'without a locale, calctl %s says how to have it in Catalan and Spanish',
  async line => {
    expect(lines((await worldOf({})(line)).out)[0]).toBe(note)
    expect(lines((await worldOf({ env: { LANG: 'C.UTF-8' } })(line)).out)[0]).toBe(note)
    const known: Record<string, string>[] = [{ LANG: 'en_GB.UTF-8' }, { CALCTL_UI: 'en' }, { LANG: 'es_ES' }]
    for (const env of known) expect((await worldOf({ env })(line)).out).not.toContain('--ui')
  },
)

test('calctl --ui ca says how to keep the language, until it is kept', async () => {
  const calctl = calendar({ env: { HOME: mkdtempSync(join(tmpdir(), 'calctl-greeting-')) } })
  const { out } = await calctl('--ui ca')
  expect(lines(out)[0]).toBe('Per conservar aquesta llengua: calctl profiles edit local --ui ca')
  await calctl('profiles edit local --ui ca')
  expect((await calctl('--ui ca')).out).not.toContain('profiles edit')
  expect((await calctl('')).out).toMatch(/^Administra /)
})
