import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { skipped } from '../support/skipped.ts'
import { town } from './town.ts'

test('a sheet is whole HTML that loads nothing, in the language of the content', async () => {
  const { calctl } = await town({ language: 'es' })
  for (const command of ['month', 'agenda']) {
    const { status, out } = await calctl(`${command} --html -`)
    expect(status).toBe(0)
    expect(out).toMatch(/^<!doctype html>\n<html lang="es">/)
    expect(out).not.toMatch(/<script|<link|<img|src=|url\(|@import/)
    expect(out).toContain('size: A4')
    expect(out.match(/<(div|ul|li|section|table|tr|td)\b/g)?.length).toBe(
      out.match(/<\/(div|ul|li|section|table|tr|td)>/g)?.length,
    )
  }
  expect((await calctl('month --html -')).out).toContain('<h1>Noviembre de 2026</h1>')
  expect((await calctl('agenda --html -')).out).toContain('<h2>Sábado, 21 de noviembre</h2>')
})

test('what a site says is escaped', async () => {
  const { calctl } = await town()
  const title = '<script>alert(1)</script> "Jazz" & \'Blues\''
  await calctl(['events', 'create', '--title', title, '--start-date', '2026-11-25', '--end-date', '2026-11-25'])
  for (const command of ['month', 'agenda']) {
    const { out } = await calctl(`${command} --html -`)
    expect(out).not.toContain('<script')
    expect(out).not.toContain('"Jazz"')
  }
})

test('a sheet has what everybody may see, and more only if a status asks for it', async () => {
  const { calctl } = await town()
  const shown = await calctl('agenda --html -')
  expect(shown.out).not.toContain('Rehearsal')
  expect(shown.err).toBe(
    'left out 1 event that is a draft, private, hidden or protected; to write it too, add --status publish,draft,pending,private\n',
  )
  const drafts = await calctl('month --status draft --html -')
  expect(drafts.out).toContain('Rehearsal (draft)')
  expect(drafts.err).toBe('')
})

test('a sheet is written to a file, again over itself, and never over another file', async () => {
  const { calctl } = await town()
  const file = join(tmpdir(), 'november.html')
  for (let time = 0; time < 2; time++)
    expect(await calctl(`month --status publish --html ${file}`)).toEqual({
      status: 0,
      out: '',
      err: `wrote ${file}; open it in a browser to print it\n`,
    })
  expect(readFileSync(file, 'utf8')).toContain('<h1>November 2026</h1>')
  writeFileSync(file, '<!doctype html><p>Mine</p>')
  expect(await calctl(`month --html ${file}`)).toMatchObject({ status: 2, out: '' })
  expect(readFileSync(file, 'utf8')).toBe('<!doctype html><p>Mine</p>')
  const nowhere = join(tmpdir(), 'none', 'sheet.html')
  expect(await calctl(`month --html ${nowhere}`)).toMatchObject({ status: 2, out: '' })
  expect(existsSync(nowhere)).toBe(false)
})

test('a sheet is no other form of output', async () => {
  const { calctl, seen } = await town()
  expect(await calctl('month --html - --json')).toMatchObject({ status: 2 })
  expect(await calctl('agenda --html - --fields title')).toMatchObject({ status: 2 })
  expect(seen).toEqual([])
})

test('categories on a sheet have colours of their own, whatever their IDs, as long as there are enough', async () => {
  const calctl = calendar()
  const colours = new Set<string | undefined>()
  for (let id = 1; id <= 25; id++) await calctl(`categories create --name C${id}`)
  // Any count of colours has two of these on one place.
  for (const id of [1, 9, 11, 13, 17, 21, 25])
    await calctl(
      `events create --title E${id} --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00" --categories ${id}`,
    )
  const { out } = await calctl('month 2026-12 --html -')
  const legend = [...out.matchAll(/<li style="--color: (#\w+); --shape: '.'">C\d+</g)].map(([, color]) => color)
  for (const color of legend) colours.add(color)
  expect(legend).toHaveLength(7)
  expect(colours.size).toBe(7)
})

const hasBrowser = spawnSync('which', ['chromium']).status === 0

/** How many pages a browser prints. */
function printedPages(html: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'print-'))
  writeFileSync(join(folder, 'sheet.html'), html)
  const pdf = join(folder, 'sheet.pdf')
  const options = ['--headless', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer', `--print-to-pdf=${pdf}`]
  spawnSync('chromium', [...options, join(folder, 'sheet.html')], { env: { ...process.env, HOME: folder } })
  return readFileSync(pdf, 'latin1').match(/\/Type \/Page\b/g)?.length ?? 0
}

test.skipIf(!hasBrowser)(
  `a month with some events each day is one page in a browser${skipped(!hasBrowser, 'chromium is not installed')}`,
  { timeout: 120_000 },
  async () => {
    const calctl = calendar()
    const create = (day: number, title: string) =>
      calctl(
        `events create --title "${title}" --start-date "2026-12-${day} 19:00" --end-date "2026-12-${day} 21:00" --venue 1`,
      )
    await calctl('venues create --venue "La Farinera, centre cultural"')
    for (let day = 10; day <= 31; day++) await create(day, 'Presentació del llibre «Memòria d’un riu»')
    for (const day of [12, 19, 26])
      for (const title of ['Taller de ceràmica: el primer bol', 'Contes de Tòquio']) await create(day, title)
    expect(printedPages((await calctl('month 2026-12 --html -')).out)).toBe(1)
  },
)

test.each([
  ['ca', 'Novembre de 2026', '21–30 de novembre de 2026'],
  ['en', 'November 2026', '21–30 November 2026'],
  ['es', 'Noviembre de 2026', '21–30 de noviembre de 2026'],
] as const)('a programme of a whole month has its name as the title: %s', async (language, month, days) => {
  const { calctl } = await town({ language })
  expect((await calctl('agenda --month 2026-11 --html -')).out).toContain(`<h1>${month}</h1>`)
  expect((await calctl('agenda --from 2026-11-21 --to 2026-11-30 --html -')).out).toContain(`<h1>${days}</h1>`)
})

test.each(['ca', 'en', 'es'])(
  'a whole day in another time zone has no zone in a list, and an hour has: %s',
  async ui => {
    const calctl = calendar({ terminal: 120, env: { CALCTL_UI: ui, NO_COLOR: '1', TZ: 'Europe/Madrid' } })
    await calctl('events create --title Nadal --start-date 2026-12-25 --all-day --timezone America/New_York --yes')
    await calctl(
      'events create --title Jazz --start-date "2026-12-26 19:00" --end-date "2026-12-26 20:00" --timezone America/New_York --yes',
    )
    const { out } = await calctl('events list')
    expect(out).toMatch(/19:00 EST/)
    expect(out.match(/EST/g)).toHaveLength(1)
  },
)
