import { get } from 'node:http'
import { Failure } from '../../failure.ts'
import { inUrl, reachable } from '../../service/http/hosts.ts'

/** The failure for an address that a server cannot listen on; other errors are returned unchanged. */
export async function listenFailure(error: unknown, host: string, port: number): Promise<unknown> {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE': {
      const server = await serverAt(host, port)
      return new Failure('settings', `port ${port} is in use${server ? ` by ${server}` : ''}`, {
        hint: `use another port with --port ${port + 1}, or any free port with --port 0`,
      })
    }
    case 'EACCES':
      return new Failure('settings', `no permission to listen on port ${port}`, {
        hint: 'use a port above 1023, for example --port 8787',
      })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new Failure('settings', `${host} is not an address of this machine`, {
        hint: 'leave out --host to serve this machine only, or pass one of its addresses',
      })
    default:
      return error
  }
}

/** The name and process ID of another calctl that listens there; undefined for any other server. */
const serverAt = (host: string, port: number): Promise<string | undefined> =>
  new Promise(resolve => {
    const request = get(`http://${inUrl(reachable(host))}:${port}/`, { timeout: 1000 }, response => {
      response.resume()
      const server = String(response.headers.server)
      resolve(server.startsWith('calctl/') ? server : undefined)
    })
    request.on('timeout', () => request.destroy()).on('error', () => resolve(undefined))
  })
