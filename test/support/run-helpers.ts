import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Plan, Step } from '../../src/changes/plan/plan.ts'
import { trimRecord } from '../../src/changes/plan/record-state.ts'
import { type ExecuteOptions, executePlan } from '../../src/changes/run/execute.ts'
import { type JournaledRun, readJournal } from '../../src/changes/run/journal-reader.ts'
import { continueJournal, startJournal } from '../../src/changes/run/journal-writer.ts'
import { prepareResume, type ResumeClock } from '../../src/changes/run/resume.ts'
import { calendarAt } from '../../src/client/calendar.ts'
import type { Client } from '../../src/client/client.ts'
import { calendarApi, createClient } from '../../src/client/create-client.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Request } from '../../src/contract/exchange.ts'
import type { ResourceName } from '../../src/contract/field.ts'
import type { Answer } from '../../src/contract/resource.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'

/** The time in the tests of runs. */
export const now = () => Date.parse('2026-11-21T02:00:00Z')

/** A calendar in this process, its client, and the requests it received. */
export function runCalendar({ quirks = false } = {}) {
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks }),
    now: () => new Date(now()),
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const requests: string[] = []
  /** Can throw before a request arrives, and after it was answered. */
  const happen: { before?: (request: Request) => void; after?: (request: Request) => void } = {}
  const api = calendarApi({
    transport: async request => {
      requests.push(`${request.method} ${request.path.replace('/calendar/events/v1', '')}`)
      happen.before?.(request)
      const answer = await service(request)
      happen.after?.(request)
      return { ...answer, headers: { ...answer.headers, date: new Date(now()).toUTCString() } }
    },
    calendar: calendarAt('http://calendar.test', 'calendar/events/v1'),
    namespace: 'calendar/events/v1',
  })
  const make = (resource: ResourceName, values: Record<string, unknown>) => api.create(resourceNamed(resource), values)
  const get = (resource: ResourceName, id: number) => api.get(resourceNamed(resource), { id })
  return { client: createClient(api), requests, happen, make, get }
}

/** The required fields of an event. */
export const concert = {
  title: 'Concert',
  start_date: '2026-12-05 19:00:00',
  end_date: '2026-12-05 21:00:00',
}

/** A plan with these steps. */
export const planOf = (...steps: readonly Step[]): Plan => ({
  calctl: 1,
  calendar: { id: 'http://calendar.test/calendar/events/v1', label: 'http://calendar.test' },
  made: '2026-11-21T02:00:00Z',
  steps,
  same: 0,
  invalid: [],
})

/** A step on an existing record. */
export const stepOn = (
  action: Exclude<Step['action'], 'create'>,
  resource: ResourceName,
  before: Answer,
  values: Record<string, unknown> = {},
): Step => ({
  key: `${resource} ${before.id}`,
  action,
  resource,
  id: before.id,
  before: trimRecord(resourceNamed(resource), before),
  values,
})

/** A step that creates a record. */
export const creation = (resource: ResourceName, key: string, values: Record<string, unknown>): Step => ({
  key,
  action: 'create',
  resource,
  values,
})

/** A folder for journals, removed after the test. */
function runsFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-runs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Executes a plan with a journal, and reads the journal. */
export async function executed(plan: Plan, options: Omit<ExecuteOptions, 'now' | 'journal'>) {
  const journal = startJournal(runsFolder(), plan, { started: '2026-11-21T02:00:00Z', to: '' })
  const outcome = await executePlan(plan, { now, journal, ...options })
  await journal.close()
  return { ...outcome, past: readJournal(journal.file) }
}

/** Simulates a kill of the process: an error that no code handles. */
export class Killed extends Error {}

/** Executes a plan until it is killed, and reads the journal. */
export async function killed(plan: Plan, options: Omit<ExecuteOptions, 'now' | 'journal'>): Promise<JournaledRun> {
  const journal = startJournal(runsFolder(), plan, { started: '2026-11-21T02:00:00Z', to: '' })
  await expect(executePlan(plan, { now, journal, ...options })).rejects.toThrow(Killed)
  await journal.close()
  return readJournal(journal.file)
}

/** Resumes a run until its end, and reads its journal. */
export async function resumed(
  client: Client,
  past: JournaledRun,
  {
    signal,
    ...clock
  }: { signal?: AbortSignal } & Partial<Pick<ResumeClock, 'now' | 'up' | 'boot'>> & { upSince?: number } = {},
) {
  const waits: number[] = []
  const sleep = async (ms: number) => {
    waits.push(ms)
  }
  const left = await prepareResume(client, past, { now, sleep, ...clock, upSince: () => clock.upSince ?? 0 })
  const journal = continueJournal(past, now())
  const outcome = await executePlan(left.plan, { client, now, journal, signal, ...left })
  await journal.close()
  return { ...outcome, waits, past: readJournal(past.file) }
}
