import { ignoreErrors, ignoreFailure } from '../base/attempt.ts'
import { Failure } from '../base/failure.ts'
import { decodeEntities } from '../base/text/escaping.ts'
import { isObject } from '../base/text/json.ts'
import { parseStrictJson } from '../base/text/strict-json.ts'
import { wordingOf } from '../changes/plan/describe.ts'
import type { Plan } from '../changes/plan/plan.ts'
import { type PlannedChange, previewChanges } from '../changes/plan/planned-records.ts'
import { readLinkedNames } from '../changes/plan/step-lines.ts'
import type { Client } from '../client/client.ts'
import type { Response } from '../contract/exchange.ts'
import { createPages } from '../page/pages.ts'
import { errorResponse } from '../service/refusal.ts'
import { calendarRead } from './calendar-reads.ts'
import { type Answerer, openEntrance } from './entrance.ts'

export interface PlanPage {
  readonly client: Client
  readonly plan: Plan
  /** What is said of the plan besides its notes. */
  readonly remark?: string | undefined
  /** Used if the calendar does not say its own. */
  readonly timezone: string
  now(): Date
  /** Answers what changes something; without it, the page only shows the plan. */
  decide?: (path: string, request: Parameters<Answerer>[0]) => Promise<Response | undefined>
}

/** Serves the page of a calendar with the changes of a plan, for one browser. */
export async function openPlanPage({ client, plan, remark, timezone: usual, now, decide }: PlanPage) {
  await readLinkedNames(client, plan.steps, wordingOf(plan, client.knownName))
  const changes = previewChanges(plan, client.knownName)
  const timezone = (await client.timezone()) ?? usual
  const entrance = await openEntrance(`/${monthOf(changes)}`)
  const pages = createPages({
    service: async ({ path, query = '' }) => (await readFrom(client, path, query)) ?? notServed,
    baseUrl: entrance.home,
    namespace: client.namespace,
    site: { name: await siteName(client), language: client.language ?? 'ca', timezone },
    access: 'everybody',
    plan: {
      changes,
      asks: decide !== undefined,
      notes: [...(plan.notes ?? []), ...(remark === undefined ? [] : [remark])],
    },
    now,
  })
  entrance.begin(async request => {
    const { method, path, query } = request
    const decided = await decide?.(path, request)
    if (decided) return decided
    if (method !== 'GET' && method !== 'HEAD') return notWritten
    const isPage = path === '/' || path.startsWith('/__page/')
    const answer = isPage ? await pages(path, '') : await readFrom(client, path, query)
    return answer ?? notServed
  })
  return entrance
}

/** What a site calls itself, in the index of its API; another calendar is named by its file or address. */
async function siteName(client: Client): Promise<string> {
  const { baseUrl, label } = client.calendar
  const request = { method: 'GET', path: '/', query: '_fields=name' }
  const answer = baseUrl === undefined ? undefined : await client.send(request).catch(ignoreFailure)
  const index = ignoreErrors(() => parseStrictJson(String(answer?.body)))
  return isObject(index) && typeof index.name === 'string' && index.name !== '' ? decodeEntities(index.name) : label
}

/** Reads a list from the calendar as the user of the command, in our own words: nothing that the browser sent reaches the site as it is. */
async function readFrom(client: Client, path: string, query: string): Promise<Response | undefined> {
  const { namespace } = client
  const read = path.startsWith(`/${namespace}/`)
    ? calendarRead(namespace, path.slice(namespace.length + 1), query)
    : undefined
  if (read === undefined) return undefined
  if (read === 'invalid') return errorResponse(400, 'calctl_preview', 'The page has no such parameter or value.')
  try {
    const { status, body } = await client.send(read)
    if (status === 200) return { status, headers: { 'content-type': 'application/json; charset=UTF-8' }, body }
    return errorResponse(status < 400 ? 502 : status, 'calctl_preview', 'The site refused to read this.')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return errorResponse(502, 'calctl_preview', 'The site could not be read.')
  }
}

const notServed = errorResponse(404, 'calctl_preview', 'The preview of a plan has no such page.')

const notWritten = errorResponse(405, 'calctl_preview', 'This is a preview of a plan: nothing can be written here.', {
  allow: 'GET, HEAD',
})

/** The month of the first event that the plan changes, as a query. */
function monthOf(changes: readonly PlannedChange[]): string {
  const starts = changes
    .filter(({ resource }) => resource === 'events')
    .map(({ before, after }) => String((after ?? before)?.start_date ?? ''))
  const [first] = starts.filter(start => start !== '').toSorted()
  return first === undefined ? '' : `?month=${first.slice(0, 7)}`
}
