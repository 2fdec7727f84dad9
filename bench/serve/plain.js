// What Node itself can do: answers every request with the same bytes from memory. argv: a JSON file with status, headers, body.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { status, headers, body } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const bytes = Buffer.from(body)
const server = createServer((_, response) => {
  response.writeHead(status, { ...headers, 'content-length': bytes.length })
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
process.once('SIGTERM', () => server.close(() => process.exit()).closeAllConnections())
