import type { Request, Response } from '../../contract/exchange.ts'
import { Failure } from '../../failure.ts'
import { listOf } from '../../text/words.ts'
import { done, type Examination, type Finding, failed, failedAs, skipped } from './finding.ts'
import { failureOf, objectIn } from './probe.ts'

const json = { accept: 'application/json', 'content-type': 'application/json' }

/** What the draft has, and an update of its title alone may take away. */
const fields = { description: 'Made by calctl doctor.', website: 'https://calctl.example/', status: 'draft' }

/** Creates a draft, changes its title alone, looks what is left of it, and removes it. */
export async function checkUpdate(examination: Examination): Promise<Finding> {
  const { app, write, facts, probe } = examination
  if (!write) return skipped('to find out what an update changes, on a draft that is then removed, add --write')
  if (!facts.hasUser && !facts.allowed?.includes('POST')) return skipped('no user is set')
  // Refuses a protected profile.
  await app.writer()
  const { baseUrl, namespace } = facts
  const path = `/${namespace}/events`
  const [day = ''] = new Date(app.world.now().getTime() + 365 * 86_400_000).toISOString().split('T')
  const send = async (request: Request): Promise<Response> => probe.ask(baseUrl, { headers: json, ...request })
  const post = (to: string, values: object) => send({ method: 'POST', path: to, body: JSON.stringify(values) })
  const dates = { start_date: `${day} 10:00:00`, end_date: `${day} 11:00:00` }
  const created = await post(path, { title: 'calctl doctor', ...dates, ...fields }).catch((error: unknown) => {
    if (error instanceof Failure) return error
    throw error
  })
  if (created instanceof Failure) return notCreated(created)
  const { id } = objectIn(created) ?? {}
  if (typeof id !== 'number') return notCreated(failureOf(baseUrl, namespace, { method: 'POST', path }, created))
  let outcome: Finding
  try {
    outcome = judge(objectIn(await post(`${path}/${id}`, { title: 'calctl doctor, again' })))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    outcome = failedAs(error)
  }
  return (await remove(send, path, id)) ? outcome : leftBehind(id)
}

function judge(after: Readonly<Record<string, unknown>> | undefined): Finding {
  if (!after) return failed('the draft could not be changed', 'see the check of the user')
  const isKept = (name: string, value: string) => String(after[name]).includes(value)
  const lost = Object.entries(fields).flatMap(([name, value]) => (isKept(name, value) ? [] : name))
  return done(
    lost.length === 0
      ? 'changes what it sends and nothing else'
      : `resets what it does not send (${listOf(lost)}): calctl sends that along, or updates through wp/v2`,
  )
}

/** Moves the draft to the trash, and out of it where the site has `wp/v2`; whether it is gone. */
async function remove(send: (request: Request) => Promise<Response>, path: string, id: number): Promise<boolean> {
  try {
    const forGood = await send({ method: 'DELETE', path: `/wp/v2/tribe_events/${id}`, query: 'force=true' })
    if (forGood.status === 200) return true
    return (await send({ method: 'DELETE', path: `${path}/${id}` })).status === 200
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** What was not answered may have been done: a draft without an ID is found by its title. */
const notCreated = (failure: Failure): Finding =>
  failure.kind === 'unreachable'
    ? failedAs(
        failure,
        'look for a draft "calctl doctor" with: calctl events list --status draft --all-dates --search "calctl doctor"',
      )
    : failedAs(failure, 'see the check of the user')

const leftBehind = (id: number): Finding =>
  failed(`the draft event ${id} could not be removed`, `remove it with: calctl events delete ${id}`)
