import { expect, onTestFinished, test } from 'vitest'
import { openPlanPage } from '../../src/assistants/plan-page.ts'
import { calendarAt } from '../../src/client/calendar.ts'
import { calendarApi, createClient } from '../../src/client/create-client.ts'
import { planOf } from '../support/run-helpers.ts'
import { testService } from '../support/test-service.ts'
import { testTime } from '../support/world.ts'
import { enteredBy } from './preview-of.ts'

test.each([
  ['its name', { name: 'Vila &amp; Riu' }, 'Vila &amp; Riu'],
  ['its address, if it says no name', { name: '' }, 'http://calendar.test'],
  ['its address, if it answers something else', [], 'http://calendar.test'],
])('the page of a plan is headed by what the site calls itself: %s', async (_, index, heading) => {
  const { service } = testService()
  const namespace = 'calendar/events/v1'
  const body = JSON.stringify(index)
  const api = calendarApi({
    transport: async request =>
      request.path === '/' ? { status: 200, headers: { 'content-type': 'application/json' }, body } : service(request),
    calendar: calendarAt('http://calendar.test', namespace),
    namespace,
  })
  const page = await openPlanPage({
    client: createClient(api),
    plan: planOf(),
    timezone: 'Europe/Madrid',
    now: () => testTime,
  })
  onTestFinished(page.close)
  const { cookie, home } = await enteredBy(page.address)
  const html = await (await fetch(`${home}/`, { headers: { cookie, connection: 'close' } })).text()
  expect(html).toContain(`<title>${heading}</title>`)
  const refused = await fetch(page.address, { headers: { connection: 'close' } })
  expect([refused.status, await refused.text()]).toEqual([
    403,
    expect.stringMatching(/run the command again|ask again/),
  ])
})
