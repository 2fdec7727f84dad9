// The limits that Node itself sets: answers reads with pages from memory in turn, and every write once it is in a journal.
// argv: a JSON file with status, headers and bodies of the answers to reads; the journal; `bytes`, or `stringify` to make each page anew.
import { fdatasync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { line } from './journal.js'

const { status, headers, bodies } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const pages =
  process.argv[4] === 'stringify' ? bodies.map(body => JSON.parse(body)) : bodies.map(body => Buffer.from(body))
const journal = openSync(process.argv[3], 'a')
const created = Buffer.alloc(2000, 'x')
let reads = 0
const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    const page = pages[reads++ % pages.length]
    return send(response, status, Buffer.isBuffer(page) ? page : Buffer.from(JSON.stringify(page)))
  }
  for await (const _ of request);
  writeSync(journal, line)
  fdatasync(journal, () => send(response, 201, created))
})
function send(response, code, content) {
  response.writeHead(code, { ...headers, 'content-length': content.length })
  response.end(content)
}
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
process.once('SIGTERM', () => server.close(() => process.exit()).closeAllConnections())
