import type { App } from '../../app.ts'
import type { JournaledRun } from '../../runs/journal-reader.ts'
import { wallAt } from '../../time/zone.ts'

/** What a run was, as people remember it: `20261121-181502 (events update, 2026-11-21 19:15, 41 steps)`. */
export function called({ world }: App, past: JournaledRun): string {
  const { run, header } = past
  const when = wallAt(Date.parse(header.started), world.timeZone()).slice(0, 16)
  const steps = header.steps === 1 ? '1 step' : `${header.steps} steps`
  return `${run} (${[commandOf(past), when, steps].filter(part => part).join(', ')})`
}

/** The command that a run carried out; an undo with the run that it took back. */
export const commandOf = ({ header: { command, undoes } }: JournaledRun): string | undefined =>
  command && undoes ? `${command} ${undoes}` : command
