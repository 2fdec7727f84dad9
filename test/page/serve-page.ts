import { onTestFinished } from 'vitest'
import { startServe } from '../support/start-serve.ts'

/** A server for a test, with its pages, and a way to create records. */
const authorization = `Basic ${Buffer.from('admin:secret').toString('base64')}`

export async function serve(options: string) {
  const server = await startServe(options.includes('--port') ? options : `${options} --port 0`)
  if (!('stop' in server)) throw new Error(server.err)
  onTestFinished(async () => void (await server.stop()))
  const { origin } = new URL(server.url)
  const page = async (path: string) => {
    const answer = await fetch(origin + path, { headers: { accept: 'text/html', connection: 'close' } })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const create = async (resource: string, values: object) => {
    const answer = await fetch(`${server.url}/calendar/events/v1/${resource}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close', authorization },
      body: JSON.stringify(values),
    })
    return (await answer.json()) as { id: number; url: string; slug: string }
  }
  const protect = async (id: number, password: string) => {
    const answer = await fetch(`${server.url}/wp/v2/tribe_events/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close', authorization },
      body: JSON.stringify({ password }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  return { ...server, origin, page, create, protect }
}
