import { forExample, missing, usage } from '../../base/failure.ts'
import { makeFolder } from '../../base/fs.ts'
import { readWall } from '../../base/time/typed-dates.ts'
import { momentIn, wallAt } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { listRuns, startOfRun } from '../../changes/run/runs-folder.ts'
import {
  changesBetween,
  folderOfStates,
  type KeptState,
  keepState,
  keptStates,
  newState,
  readCalendarState,
} from '../../sources/calendar-states.ts'
import { SourceMemory } from '../../sources/memory.ts'
import type { App } from '../app.ts'
import { runsFolder, statesFolder } from '../profiles/user-folders.ts'
import { isShownAsTable } from './shared/output-forms.ts'
import { changeShape } from './shared/output-shapes.ts'
import { siteZone } from './shared/read-criteria.ts'

export interface ChangesOptions {
  readonly since?: string
  readonly name?: string
}

/** calctl changes: compares the calendar with a state that was kept, and keeps a new one. */
export async function showChanges(app: App, { since, name }: ChangesOptions): Promise<void> {
  if (name !== undefined && !/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name))
    throw usage(phrase('a name of letters, digits, dots, dashes and underscores'), forExample('--name monday'))
  const client = await app.client()
  const calendar = `${client.calendar.id} ${client.language ?? ''}`
  const folder = folderOfStates(statesFolder(app.world), calendar)
  makeFolder(folder)
  const states = keptStates(folder)
  const [latest] = states
  const chosen = since === undefined ? latest : await stateBefore(app, states, since)
  const now = await readCalendarState(client, newState(folder, app.world.now(), name), calendar)
  const changesSince = ({ file }: KeptState) => changesBetween(SourceMemory.open(file, calendar), now)
  const sinceLatest = latest ? changesSince(latest) : []
  const found = chosen && chosen !== latest ? changesSince(chosen) : sinceLatest
  if (!latest || name !== undefined || sinceLatest.length > 0) await keepState(now, folder)
  if (!chosen)
    await app.notice(phrase('nothing to compare with yet: the state of the calendar is kept for the next time'))
  else await app.notice(phrase('compared with the state of {moment}', { moment: chosen.moment }))
  // A whole record is not for a cell.
  const isForPeople = isShownAsTable(app)
  await app.print(
    changeShape,
    found.map(change => ({ ...change, ...(isForPeople && change.field === null && { before: null, after: null }) })),
  )
}

/** The last state that was kept before a run or a time, or the one of this name. */
async function stateBefore(app: App, states: readonly KeptState[], since: string): Promise<KeptState | undefined> {
  if (states.length === 0) return undefined
  const named = states.find(({ name }) => name === since)
  if (named) return named
  const run = listRuns(runsFolder(app.world)).find(other => other.run === since)
  const moment = run ? new Date(startOfRun(run)).toISOString() : await momentOf(app, since)
  const state = states.find(other => other.moment <= moment)
  if (state) return state
  throw missing(
    phrase('no state was kept before {since}', { since }),
    phrase('the first one is of {moment}', { moment: states.at(-1)?.moment ?? '' }),
  )
}

async function momentOf(app: App, text: string): Promise<string> {
  const zone = await siteZone(app, await app.client())
  const read = readWall(text, wallAt(app.world.now().getTime(), zone))
  if (!read.ok) throw usage(read.message, read.hint)
  return new Date(momentIn(read.day.length > 10 ? read.day : `${read.day} 00:00:00`, zone)).toISOString()
}
