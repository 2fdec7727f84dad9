import { readLinkedNames, summaryLines, wordingOf } from '../../../changes/plan/describe.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { type PlannedChange, previewChanges } from '../../../changes/plan/planned-records.ts'
import type { Client } from '../../../client/client.ts'
import type { Transport } from '../../../contract/exchange.ts'
import { createPages } from '../../../page/pages.ts'
import { createGateway } from '../../../service/http/gateway.ts'
import { createHostCheck } from '../../../service/http/origins.ts'
import { listen } from '../../../service/http/server.ts'
import { errorResponse } from '../../../service/refusal.ts'
import type { App } from '../../app.ts'
import { openPage } from '../open.ts'
import { untilAborted } from '../serve/serve-calendar.ts'
import { reportInvalid } from '../shared/plan-output.ts'

/** Serves the page of a calendar with the changes of a plan, and opens it, until the process is asked to stop. */
export async function servePreview(app: App, client: Client, plan: Plan): Promise<void> {
  const { world } = app
  const stopping = world.stopping()
  await readLinkedNames(client, plan.steps, wordingOf(plan, client.knownName))
  const changes = previewChanges(plan, client.knownName)
  const timezone = (await client.timezone()) ?? world.timeZone()
  const server = await listen({ host: '127.0.0.1', port: 0 })
  try {
    const { namespace } = client
    const service = onlyReads(client.send, namespace)
    server.begin(
      createGateway({
        basePath: '',
        service,
        welcome: () => notServed,
        pages: createPages({
          service,
          baseUrl: server.origin,
          namespace,
          site: { name: client.calendar.label, language: client.language ?? 'ca', timezone },
          access: 'everybody',
          plan: changes,
          now: world.now,
        }),
        control: async () => notServed,
        isOwnHost: createHostCheck('127.0.0.1', server.port, []),
        cors: { origins: new Set(), quirks: false },
      }),
    )
    await reportInvalid(app, plan)
    for (const line of summaryLines(plan)) await app.notice(line)
    await openPage(app, `${server.origin}/${monthOf(changes)}`)
    await untilAborted(stopping)
  } finally {
    await server.stop()
  }
}

/** Answers reads of the events API as the user of the command; refuses everything else. */
const onlyReads =
  (send: Transport, namespace: string): Transport =>
  async ({ method, path, query = '' }) => {
    const isRead = (method === 'GET' || method === 'HEAD') && !query.includes('_method')
    return isRead && path.startsWith(`/${namespace}`) ? send({ method, path, query }) : notServed
  }

const notServed = errorResponse(403, 'calctl_preview', 'This is a preview of a plan: nothing can be written here.')

/** The month of the first event that the plan changes, as a query. */
function monthOf(changes: readonly PlannedChange[]): string {
  const starts = changes
    .filter(({ resource }) => resource === 'events')
    .map(({ before, after }) => String((after ?? before)?.start_date ?? ''))
  const [first] = starts.filter(start => start !== '').toSorted()
  return first === undefined ? '' : `?month=${first.slice(0, 7)}`
}
