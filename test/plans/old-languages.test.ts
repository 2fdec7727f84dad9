/** Plans and journals of the version that called the language of a plan and its steps `language`, not `lang_code`. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { sealedJournal, unsealedLines } from '../support/sealed-journal.ts'

const oldFile = (name: string) => join(import.meta.dirname, '../support/old-files', name)

/** A calendar with a concert in Catalan, and its venue, of which there is a Spanish version (3). */
async function town() {
  const calendar = calendarWithFiles()
  const times = { start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' }
  const records = [
    { resource: 'venues', lang_code: 'ca', venue: 'Teatre', slug: 'teatre' },
    { resource: 'events', lang_code: 'ca', title: 'Concert', slug: 'concert', venue: 'Teatre', ...times },
    { resource: 'venues', lang_code: 'es', venue: 'Teatro', slug: 'teatre' },
    { resource: 'organizers', lang_code: 'ca', organizer: 'Ateneu', slug: 'ateneu' },
  ]
  const file = calendar.file('town.ndjson', records.map(one => JSON.stringify(one)).join('\n'))
  expect(await calendar.calctl(['apply', '--yes', file])).toMatchObject({ status: 0 })
  const shown = async (line: string) => (await calendar.calctl(`${line} -q`)).out
  return { ...calendar, shown }
}

const copy = 'languages copy events --to es'
const spanish = 'events list --lang es --all-dates --status publish,draft --fields slug,lang_code,venue.id -o csv'

/** The town after the copy, with the journal that the old version wrote of it, which may be cut off. */
async function townAfterCopy(cut = (lines: readonly string[]) => lines) {
  const site = await town()
  expect(await site.calctl(`${copy} --yes`)).toMatchObject({ status: 0 })
  const runs = join(site.folder, 'state/calctl/runs')
  rmSync(runs, { recursive: true })
  mkdirSync(runs)
  const lines = cut(unsealedLines(readFileSync(oldFile('copy-run.ndjson'), 'utf8')))
  expect(lines.join('\n')).toContain('"language":"es"')
  writeFileSync(join(runs, '20261121-020000.001-7hk.ndjson'), sealedJournal(lines))
  return site
}

test('an old plan for translations is applied', async () => {
  const { calctl, shown } = await town()
  expect(await calctl(['apply', oldFile('copy-plan.json'), '--yes'])).toMatchObject({ status: 0 })
  expect(await shown(spanish)).toBe('slug,lang_code,venue.id\nconcert,es,3\n')
  expect(await shown('languages status events --fields es -o csv')).toContain('draft')
})

test('an old plan that somebody laid out differently is applied', async () => {
  const { calctl, shown, file } = await town()
  const plan = JSON.parse(readFileSync(oldFile('copy-plan.json'), 'utf8'))
  expect(await calctl(['apply', file('plan.json', JSON.stringify(plan, null, 2)), '--yes'])).toMatchObject({
    status: 0,
  })
  expect(await shown(spanish)).toBe('slug,lang_code,venue.id\nconcert,es,3\n')
})

test('an old plan in a language is for that language only', async () => {
  const { calctl, shown } = await town()
  const plan = oldFile('spanish-plan.json')
  expect(await calctl(['apply', plan, '--yes'])).toMatchObject({
    status: 7,
    err: expect.stringContaining('the plan is for language es'),
  })
  expect(await calctl(['apply', plan, '--yes', '--lang', 'es'])).toMatchObject({ status: 0 })
  expect(await shown('venues get 3 --lang es --fields city -o csv')).toBe('city\nGirona\n')
})

test('an old run in another language is undone', async () => {
  const { calctl, shown } = await townAfterCopy()
  expect(await calctl('undo --yes')).toMatchObject({ status: 0, err: expect.not.stringContaining('kept') })
  expect(await shown(spanish)).toBe('slug,lang_code,venue.id\n')
})

test('an old run in another language that was cut off is resumed in that language', async () => {
  const { calctl, shown } = await townAfterCopy(lines => lines.filter(line => !/^\{"(sent|done|ended)"/.test(line)))
  await calctl('events delete 5 --lang es --yes')
  expect(await calctl('runs resume 7hk')).toMatchObject({ status: 0 })
  expect(await shown(spanish)).toBe('slug,lang_code,venue.id\nconcert,es,3\n')
})
