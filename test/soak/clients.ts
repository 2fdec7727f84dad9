import type { Acknowledgement } from './acknowledged.ts'

/** The acknowledgements that eight clients received, by the IDs of their events. */
export interface Told {
  readonly acknowledgements: ReadonlyMap<number, Acknowledgement>
  readonly acknowledged: number
}

const headers = { 'content-type': 'application/json' }
const when = { start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' }
/** Long enough to fill the journal now and then, so that some kills happen while the file is rewritten. */
const padding = ' and so on'.repeat(200)

/** The status and body of a response; undefined if the server is gone. */
async function ask(method: string, url: string, body?: object) {
  try {
    const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const { id, description } = (await answer.json()) as { readonly id: number; readonly description: string }
    return { status: answer.status, id, description }
  } catch {
    return undefined
  }
}

/**
 * Eight clients create, update and delete events until the server is gone, which is killed after this many answers. Throws if it
 * refuses a request.
 */
export async function writeUntilGone(events: string, answers: number, kill: () => void): Promise<Told> {
  const acknowledgements = new Map<number, Acknowledgement>()
  let acknowledged = 0
  async function acknowledgedId(method: string, url: string, body?: object): Promise<number | undefined> {
    const answer = await ask(method, url, body)
    if (!answer) return undefined
    if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.status}`)
    if (++acknowledged >= answers) kill()
    return answer.id
  }
  async function write(): Promise<boolean> {
    const id = await acknowledgedId('POST', events, { title: 'Concert', description: `0${padding}`, ...when })
    if (id === undefined) return false
    acknowledgements.set(id, { version: 0 })
    for (const version of [1, 2]) {
      if (!(await acknowledgedId('PATCH', `${events}/${id}`, { description: `${version}${padding}` }))) return false
      acknowledgements.set(id, { version })
    }
    if (id % 3 !== 0) return true
    acknowledgements.set(id, 'deleting')
    if (!(await acknowledgedId('DELETE', `${events}/${id}`))) return false
    acknowledgements.set(id, 'deleted')
    return true
  }
  async function work(): Promise<void> {
    while (await write());
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return { acknowledgements, acknowledged }
}

/** The version of an event; undefined if it is missing or in the trash. */
export async function versionOf(events: string, id: number): Promise<number | undefined> {
  const answer = await ask('GET', `${events}/${id}`)
  if (!answer) throw new Error('the server is gone')
  return answer.status === 200 ? Number.parseInt(answer.description, 10) : undefined
}
