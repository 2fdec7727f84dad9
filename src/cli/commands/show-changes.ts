import { forExample, missing, usage } from '../../base/failure.ts'
import { makeFolder } from '../../base/fs.ts'
import { grouped } from '../../base/groups.ts'
import { dayLength } from '../../base/time/dates.ts'
import { readWall } from '../../base/time/typed-dates.ts'
import { momentIn, wallAt } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Step } from '../../changes/plan/plan.ts'
import { listRuns, startOfRun } from '../../changes/run/runs-folder.ts'
import type { Values } from '../../client/client.ts'
import { shortDate } from '../../files/print/record-names.ts'
import {
  type CalendarChange,
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
  for (const sentence of await saidBeside(app, { chosen, found, earlier: since === undefined ? states[1] : undefined }))
    await app.notice(sentence)
  if (!app.world.stdout.isTTY || app.output !== undefined || app.globals.fields)
    return app.print(
      changeShape,
      found.map(change => ({ ...change })),
    )
  const { showSteps } = await import('./shared/plan-output.ts')
  await showSteps(app, { steps: [...stepsOf(found, now)], made: app.world.now().toISOString() })
}

interface Compared {
  /** The state with which the calendar is compared; absent if none is kept. */
  readonly chosen: KeptState | undefined
  readonly found: readonly CalendarChange[]
  /** The state before that one. */
  readonly earlier: KeptState | undefined
}

/** Since when the changes are, which may be one's own, and how to see earlier ones. */
async function saidBeside(app: App, { chosen, found, earlier }: Compared): Promise<string[]> {
  if (!chosen)
    return [
      `${phrase('nothing to compare with yet: the state of the calendar is kept for the next time')}; ${savedLately(app.world.now())}`,
    ]
  const moment = await shownMoment(app, chosen)
  if (found.length > 0) {
    const own = listRuns(runsFolder(app.world)).filter(run => startOfRun(run) >= Date.parse(chosen.moment))
    const runs = own.map(({ run }) => run).join(', ')
    const compared = phrase('compared with the state of {moment}', { moment })
    return [compared, ...(runs === '' ? [] : [phrase('among them may be what you changed: {runs}', { runs })])]
  }
  const nothing = phrase('nothing has changed since {moment}', { moment })
  if (!earlier) return [nothing]
  const wall = wallAt(Date.parse(earlier.moment), await siteZone(app, await app.client()))
  return [nothing, phrase('earlier changes: {command}', { command: `calctl changes --since "${wall.slice(0, 16)}"` })]
}

/** The changes as steps, so that people see them as the steps of a plan: one for each record. */
function* stepsOf(found: readonly CalendarChange[], now: SourceMemory): Generator<Step> {
  for (const [key, changes] of grouped(found, ({ resource, id }) => `${resource} ${id}`)) {
    const [{ state, resource, id, before }] = changes as [CalendarChange]
    const fields = changes.filter(({ field }) => field !== null)
    const of = (side: 'before' | 'after') => Object.fromEntries(fields.map(change => [change.field, change[side]]))
    const record = { ...(now.get(resource, String(id))?.said ?? (before as Values)), ...of('before'), id }
    const action = ({ new: 'create', changed: 'update', gone: 'delete' } as const)[state]
    yield { key, resource, action, id, before: record, values: of('after') } as Step
  }
}

/** The last state that was kept before a run or a time, or the one of this name. */
async function stateBefore(app: App, states: readonly KeptState[], since: string): Promise<KeptState | undefined> {
  if (states.length === 0) return undefined
  const named = states.find(({ name }) => name === since)
  if (named) return named
  const run = listRuns(runsFolder(app.world)).find(other => other.run === since)
  const moment = run ? new Date(startOfRun(run)).toISOString() : await momentOf(app, since)
  // To the minute, as it is shown.
  const state = states.find(other => other.moment.slice(0, 16) <= moment.slice(0, 16))
  if (state) return state
  throw missing(
    phrase('no state was kept before {moment}', { moment: await shownMoment(app, { moment }) }),
    `${phrase('the first one is of {moment}', { moment: await shownMoment(app, states.at(-1) as KeptState) })}; ${savedLately(new Date(moment))}`,
  )
}

/** How to list what was saved since a day before, which needs no state. */
const savedLately = (moment: Date): string => {
  const day = new Date(moment.getTime() - dayLength).toISOString().slice(0, 10)
  return phrase('the events saved since: {command}', {
    command: `calctl events list --all-dates --modified-after ${day}`,
  })
}

/** When a state was kept, by the clock of the calendar. */
async function shownMoment(app: App, { moment }: Pick<KeptState, 'moment'>): Promise<string> {
  const zone = await siteZone(app, await app.client())
  return shortDate(wallAt(Date.parse(moment), zone), undefined)
}

async function momentOf(app: App, text: string): Promise<string> {
  const zone = await siteZone(app, await app.client())
  const read = readWall(text, wallAt(app.world.now().getTime(), zone))
  if (!read.ok) throw usage(read.message, read.hint)
  return new Date(momentIn(read.day.length > 10 ? read.day : `${read.day} 00:00:00`, zone)).toISOString()
}
