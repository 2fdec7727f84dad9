import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import { eventsByDay } from '../../days/day-events.ts'
import { Failure } from '../../failure.ts'
import { reason, writeAtomically } from '../../fs.ts'
import type { DatedEvents } from './dated-events.ts'

/** Writes a month as a sheet to print. */
export async function writeMonthSheet(app: App, found: DatedEvents, file: string): Promise<void> {
  const { monthSheet } = await import('../../files/print/month-sheet.ts')
  const { span, words } = found
  const title = words.month(span.first.slice(0, 7))
  await writeSheet(app, file, monthSheet(title, found.events, span, words))
}

/** Writes an agenda as sheets to print. */
export async function writeAgendaSheet(app: App, found: DatedEvents, file: string): Promise<void> {
  const { agendaSheet } = await import('../../files/print/agenda-sheet.ts')
  const { span, words, today } = found
  const days = eventsByDay(found.events, span)
  await writeSheet(app, file, agendaSheet(words.range(span.first, span.last), days, today, words))
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
