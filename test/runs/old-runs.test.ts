/** Journals of an earlier version: of each command that writes, in a calendar file and at a site, and two that were cut off. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { productionSite } from '../support/production-site.ts'
import { sealedJournal, unsealedLines } from '../support/sealed-journal.ts'

const rows = [
  'title,start_date,end_date,venue,organizer,tags,categories,cost,description',
  'Jazz,2026-12-05 19:00,2026-12-05 21:00,Sala,"Colla, Orfeó","Open air, Swing",Música,20 €,"<!-- wp:paragraph --><p>A long night</p><!-- /wp:paragraph -->"',
  'Opera,2026-12-06 19:00,2026-12-06 21:00,Sala Gran,Colla,Swing,Música,0,Rock & roll',
  'Teatre,2026-12-07 19:00,2026-12-07 21:00,Sala Gran,,Swing,,,',
  'Cinema,2026-12-08 19:00,2026-12-08 21:00,Sala,,,,"12,50",',
]

/** What the journals are of. */
const commands = [
  'apply SHEET --create-missing --yes --jobs 1',
  'events update 5 --title "Jazz & Soul" --cost 15 --description "New text" --tags Swing',
  'events update 6 7 --shift 1d --venue Nova --create-missing --yes',
  'events delete 8 --yes',
  'venues merge 1 4 --yes',
  'undo --yes',
  'redo --yes',
  'events restore 8 --status publish',
  'events update 7 --status draft --sticky',
  'tags delete 1 --yes',
]

/** A calendar after the first commands. In place of their journals it has those that `journalOf` gives for the old ones. */
async function oldCalendar(
  place: keyof typeof folders,
  done: number,
  { lines = rows, journalOf = sealed }: { lines?: readonly string[]; journalOf?: typeof sealed } = {},
) {
  const site = place === 'site' ? await productionSite() : { ...calendarWithFiles(), baseUrl: '' }
  const sheet = site.file('town.csv', `${lines.join('\n')}\n`)
  for (const command of commands.slice(0, done)) {
    // That version wrote a bare price without the currency of its event.
    if (command.includes('--cost 15')) await site.calctl('events update 5 --clear cost')
    expect(await site.calctl(command.replace('SHEET', sheet)), command).toMatchObject({ status: 0 })
  }
  const runs = join(site.folder, 'state/calctl/runs')
  rmSync(runs, { recursive: true })
  mkdirSync(runs)
  for (const name of readdirSync(oldFile(folders[place])).toSorted().slice(0, done)) {
    // Sheets of that version wrote a price as it stood in the cell.
    const journal = readFileSync(join(oldFile(folders[place]), name), 'utf8').replaceAll('12,50', '12.50')
    writeFileSync(join(runs, name), journalOf(unsealedLines(journal.replaceAll(oldUrl, site.baseUrl))))
  }
  const events = async () =>
    (await site.calctl(`events list --all-dates --status publish,draft,trash --fields ${shown} -o csv`)).out
      .split('\n')
      .slice(1, -1)
  return { ...site, events }
}

/** What sheets make of the same price now. */
const asNow = (text: string): string => text.replaceAll(/\\"(\$?)12,50\\"/g, '$112.50')

/** What an undo says of a run that does not tell when its records were saved. */
const earlierVersion = /run \w+ is from an earlier version: its records are recognized by title, slug and start\n/g

const folders = { file: 'runs-in-file', site: 'runs-at-site' } as const
const oldFile = (name: string) => join(import.meta.dirname, '../support/old-files', name)
const oldUrl = 'http://127.0.0.1:45947/wp-json'
const shown = 'id,title,start_date,cost,venue.venue,status,sticky,tags.name'
const sealed = (lines: readonly string[]) => sealedJournal(lines)

/** A journal up to the line with which a step was sent, and a part of the next line. */
const cutAfter =
  (step: string): typeof sealed =>
  lines => {
    const sent = lines.findIndex(line => line.startsWith(`{"sent":${JSON.stringify(step)}`))
    return sent === -1 ? sealed(lines) : sealed(lines.slice(0, sent + 1)) + String(lines[sent + 1]).slice(0, 20)
  }

describe.each(['file', 'site'] as const)('%s', place => {
  test('the runs of an earlier version are undone, one after another', async () => {
    const { calctl, events } = await oldCalendar(place, commands.length)
    const undone: { status: number; err: string; events: string[] }[] = []
    for (let status = 0; status !== 4 && undone.length < 20; ) {
      const { err, ...outcome } = await calctl('undo --yes')
      status = outcome.status
      undone.push({ status, err, events: await events() })
    }
    const said = undone.flatMap(({ err }) => err.match(earlierVersion) ?? [])
    expect(said.length).toBeGreaterThan(5)
    for (const one of undone) one.err = one.err.replace(earlierVersion, '')
    expect(undone).toEqual(JSON.parse(asNow(readFileSync(oldFile(`${folders[place]}.json`), 'utf8'))))
  })

  test('a run of an earlier version that was cut off while it created is resumed, and undone', async () => {
    const { calctl, events } = await oldCalendar(place, 1, {
      lines: rows.slice(0, 3),
      journalOf: cutAfter('events Teatre 2026-12-07 19:00:00'),
    })
    expect(await events()).toHaveLength(2)
    const { status, err } = await calctl('runs resume q3u')
    expect([status, err]).toEqual([0, expect.stringContaining('2 of 11 steps left')])
    expect(await events()).toHaveLength(4)
    expect(await calctl('undo --yes')).toMatchObject({ status: 0, err: expect.not.stringContaining('kept') })
    expect((await calctl('events list --all-dates -o count')).out).toBe('0\n')
    expect((await calctl('venues list -o count')).out).toBe('0\n')
  })

  test('a run of an earlier version that was cut off while it updated is resumed, and undone', async () => {
    const { calctl, events } = await oldCalendar(place, 3, { journalOf: cutAfter('events 7') })
    const moved = await events()
    expect(await calctl('runs resume y4n')).toMatchObject({ status: 0 })
    expect(await events()).toEqual(moved)
    expect(await calctl('undo --yes')).toMatchObject({ status: 0, err: expect.not.stringContaining('kept') })
    const starts = (await events()).map(line => line.split(',')[2])
    expect(starts).toEqual(['2026-12-05', '2026-12-06', '2026-12-07', '2026-12-08'].map(day => `${day} 19:00:00`))
    expect((await calctl('venues list --fields venue -o csv')).out).toBe('venue\nSala Gran\nSala\n')
  })
})
