import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

/** Texts in which nothing can be seen: a record with such a name would be found by no name, and made anew each time. */
const blanks = {
  'a space': ' ',
  'a no-break space': '\u00a0',
  'a zero-width space': '\u200b',
  'a byte order mark': '\ufeff',
  'a zero-width joiner between spaces': ' \u200d ',
  'a soft hyphen': '\u00ad',
  'a variation selector': '\ufe0f',
  'a combining grapheme joiner': '\u034f',
  'a combining accent': '\u0301',
  'a Hangul filler': '\u3164',
  'an entity of a space': '&nbsp;&#8203;',
}

const names = { events: 'title', venues: 'venue', organizers: 'organizer', categories: 'name', tags: 'name' }

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-blank-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

for (const quirks of [false, true])
  describe(quirks ? 'with quirks' : 'as documented', () => {
    test.each(Object.entries(blanks))('a name of %s is refused while the plan is made', async (_, blank) => {
      for (const [resource, name] of Object.entries(names)) {
        const dates = resource === 'events' && { start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00' }
        const folder = folderWith({ 'new.json': JSON.stringify([{ [name]: blank, ...dates }]) })
        const calctl = calendar({ cwd: folder, env: { XDG_STATE_HOME: folder }, quirks })
        const { status, out, err } = await calctl(`apply new.json --resource ${resource} --yes`)
        expect([status, out + err], resource).toEqual([2, expect.stringContaining('text that is not blank')])
        expect((await calctl(`${resource} list ${dates ? '--all-dates' : ''} -o count`)).out).toBe('0\n')
      }
    })
  })

test.each(Object.entries(blanks))('an option takes no name of %s', async (_, blank) => {
  const calctl = calendar()
  const { status, err } = await calctl(['venues', 'create', '--venue', blank])
  expect([status, err]).toEqual([2, expect.stringContaining('--venue: expected text that is not blank')])
})

test.each(['!', '—', '🎵', '1', 'ꙮ', '<b>x</b>', '1 < 2', '<3', '&amp;', 'a\u200bb', '👨‍👩‍👧'])(
  '%j is a name',
  async name => {
    const calctl = calendar()
    expect(await calctl(['venues', 'create', '--venue', name])).toMatchObject({ status: 0 })
  },
)
