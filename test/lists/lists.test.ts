import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { town } from './town.ts'

const terminal = { terminal: 100, env: { NO_COLOR: '1' } }

test('a list gives the room to titles, and shows a status only where it is not publish', async () => {
  const { calctl } = await town(terminal)
  const { out } = await calctl('events list --from 2026-11-22 --to 2026-11-22')
  expect(out).toBe(`ID  Start date            Title                Venue             Categories  Status
5   Thu 2026-11-05 10:00  Exhibition           Teatre Principal
4   Fri 2026-11-20        Fair                                   Fairs
3   Sat 2026-11-21 22:30  Late session         Teatre Principal  Music
6   Sun 2026-11-22 18:00  日本語の音楽祭り 🎉                    Music
7   Sun 2026-11-22 20:00  Rehearsal                                          draft
`)
  expect((await calctl('events list --status publish')).out).not.toContain('Status')
})

test('an empty list of events says how many were before', async () => {
  const seen: string[] = []
  const calctl = calendar({ ...terminal, seen })
  expect((await calctl('events list')).err).toBe('no events found\n')
  for (const day of [1, 2])
    await calctl(`events create --title Old --start-date 2026-11-0${day} --end-date 2026-11-0${day} -q -o ids`)
  seen.length = 0
  expect((await calctl('events list')).err).toBe('no events found from today on; 2 before: add --all-dates\n')
  expect((await calctl('events list --all --search old')).err).toContain('; 2 before: add --all-dates\n')
  expect((await calctl('events list --search new')).err).toBe('no events found\n')
  expect(seen).toHaveLength(6)
  expect((await calctl('events list --starts-after 2026-12-01')).err).toBe('no events found\n')
  expect((await calctl('events list --on tomorrow')).err).toBe('no events found\n')
})

test('an empty list of terms says how many are hidden', async () => {
  const calctl = calendar(terminal)
  expect((await calctl('venues list')).err).toBe('no venues found\n')
  expect((await calctl('categories list')).err).toBe('no categories found\n')
  await calctl('categories create --name Jazz -q -o ids')
  expect((await calctl('categories list')).err).toBe(
    'no categories found; 1 empty category is hidden: add --no-hide-empty\n',
  )
  await calctl('categories create --name Folk -q -o ids')
  expect((await calctl('categories list')).err).toContain('2 empty categories are hidden')
  expect((await calctl('categories list --no-hide-empty --search rock')).err).toBe('no categories found\n')
})

test('programs get no such notice, and send no request for it', async () => {
  const seen: string[] = []
  const calctl = calendar({ seen })
  expect(await calctl('events list')).toEqual({ status: 0, out: '', err: '' })
  const atTerminal = calendar({ ...terminal, seen })
  expect(await atTerminal('events list --json')).toEqual({ status: 0, out: '[]\n', err: '' })
  expect(await atTerminal('tags list -q')).toMatchObject({ status: 0, err: '' })
  expect(seen).toHaveLength(3)
})
