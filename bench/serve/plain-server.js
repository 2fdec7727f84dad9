// Starts `plain.js` with pages that a server has answered.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A plain node:http server: `bytes` sends the answers of these URLs from memory, `stringify` makes their JSON anew for each request. */
export async function startPlain(folder, urls, kind = 'bytes') {
  const answers = []
  for (const url of urls) {
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
    answers.push({ status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() })
  }
  const [{ status, headers }] = answers
  for (const name of ['connection', 'date', 'keep-alive', 'content-length']) delete headers[name]
  const file = join(folder, `plain-${kind}.json`)
  await writeFile(file, JSON.stringify({ status, headers, bodies: answers.map(({ body }) => body) }))
  const program = join(import.meta.dirname, 'plain.js')
  const child = spawn(process.execPath, [program, file, join(folder, `plain-${kind}.journal`), kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return {
    child,
    url: String(line).trim(),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
