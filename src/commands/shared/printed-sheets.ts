import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import { eventsByDay } from '../../days/day-events.ts'
import { Failure } from '../../failure.ts'
import { isPublicEvent } from '../../files/export/leaflet.ts'
import { reason, writeAtomically } from '../../fs.ts'
import { counted, nounFor } from '../../text/words.ts'
import type { DatedEvents } from './dated-events.ts'

/** Writes a month as a sheet to print. */
export async function writeMonthSheet(app: App, found: DatedEvents, file: string): Promise<void> {
  const { monthSheet } = await import('../../files/print/month-sheet.ts')
  const { span, words } = found
  const title = words.month(span.first.slice(0, 7))
  await writeSheet(app, file, monthSheet(title, await publicEvents(app, found), span, words))
}

/** Writes an agenda as sheets to print. */
export async function writeAgendaSheet(app: App, found: DatedEvents, file: string): Promise<void> {
  const { agendaSheet } = await import('../../files/print/agenda-sheet.ts')
  const { span, words, today } = found
  const days = eventsByDay(await publicEvents(app, found), span)
  await writeSheet(app, file, agendaSheet(words.range(span.first, span.last), days, today, words))
}

/** What everybody may see, unless a status was asked for: sheets are put up where everybody reads them. */
async function publicEvents(app: App, { events, records, hasStatus }: DatedEvents): Promise<DatedEvents['events']> {
  if (hasStatus) return events
  const shown = new Set(records.filter(isPublicEvent).map(({ id }) => id))
  const left = events.filter(({ id }) => shown.has(id))
  const omitted = events.length - left.length
  if (omitted > 0)
    await app.notice(
      `left out ${counted(omitted, 'event')} that ${nounFor(omitted, 'is', 'are')} not public; choose others with: --status`,
    )
  return left
}

async function writeSheet({ world, notice }: App, file: string, html: string): Promise<void> {
  if (file === '-') return world.stdout.write(html)
  try {
    await writeAtomically(resolve(world.cwd, file), html)
  } catch (error) {
    throw new Failure('settings', `cannot write ${file}: ${reason(error as NodeJS.ErrnoException)}`, {
      hint: 'write to another file or disk',
    })
  }
  await notice(`wrote ${file}; open it in a browser to print it`)
}
