import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Request, Transport } from '../../src/contract/exchange.ts'
import { testService } from '../support/test-service.ts'
import { testTime, worldOf } from '../support/world.ts'

const march = { start_date: '2027-03-04 19:00:00', end_date: '2027-03-04 21:00:00' }

/** A running `calctl preview` of a site that obeys a query as WordPress does. */
export interface Preview {
  /** What the browser was told to open. */
  readonly opened: string
  readonly origin: string
  readonly port: number
  /** The requests that reached the site while the page was served. */
  readonly reached: Request[]
  /** The texts of the command on stderr. */
  stop(): Promise<string>
}

/** Starts the preview of a plan that moves an event; `openPage` may refuse, as where there is no browser. */
export async function previewOf({
  openPage = async (_: string) => {},
  site = (one: Transport) => one,
  line = 'preview plan.json',
  rows = [] as object[],
  now = () => testTime,
} = {}) {
  const { ask, service } = testService()
  const ids: number[] = []
  for (const [title, status] of [
    ['Ball', 'publish'],
    ['Teatre', 'publish'],
    ['Secret', 'draft'],
  ])
    ids.push((await ask('POST /events', { json: { ...march, title, status } })).body.id)
  const reached: Request[] = []
  const wordpress = site(obeysQuery(service))
  const transport: Transport = async request => {
    reached.push(request)
    return wordpress(request)
  }
  const cwd = mkdtempSync(join(tmpdir(), 'preview-'))
  const moved = { resource: 'events', id: ids[0], start_date: '2027-03-09', end_date: '2027-03-09' }
  writeFileSync(join(cwd, 'rows.json'), JSON.stringify([moved, ...rows]))
  const stopping = new AbortController()
  let show = (_: string) => {}
  const opened = new Promise<string>(resolve => {
    show = resolve
  })
  const calctl = worldOf({
    cwd,
    env: { XDG_STATE_HOME: join(cwd, 'state') },
    transport,
    stopping: stopping.signal,
    now,
    openPage: async address => {
      show(address)
      await openPage(address)
    },
  })
  const { status, err } = await calctl('diff rows.json --create-missing --save plan.json')
  if (status !== 0) throw new Error(err)
  const running = calctl(line)
  const stop = async () => {
    stopping.abort()
    return (await running).err
  }
  onTestFinished(async () => void (await stop()))
  const address = await Promise.race([opened, running.then(({ err: text }) => Promise.reject(new Error(text)))])
  reached.length = 0
  const { origin, port } = new URL(entranceIn(address))
  const preview: Preview = { opened: address, origin, port: Number(port), reached, stop }
  return { ...preview, ids, ask, calctl, running }
}

/** The address to which the file leads that the browser was told to open. */
export const entranceIn = (file: string): string => addressIn(readFileSync(file, 'utf8'))

const addressIn = (html: string): string => /url=([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** A browser that went through the entrance: its cookie, and the address and query of the page. */
export const entered = (file: string) => enteredBy(entranceIn(file))

export async function enteredBy(entrance: string) {
  const answer = await fetch(entrance, { headers: { connection: 'close' } })
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  const { origin, pathname, search } = new URL(addressIn(await answer.text()), entrance)
  return { cookie, home: origin + pathname.replace(/\/$/, ''), search }
}

/**
 * What WordPress does with the query of a GET, as recorded: PHP decodes the names, drops spaces before them and makes `_` of dots and
 * spaces; `_method` decides what is done, `rest_route` where, and `_jsonp` makes the answer a script.
 */
function obeysQuery(service: Transport): Transport {
  return async request => {
    const asked = [...new URLSearchParams(request.query)].map(([name, value]) => [phpName(name), value] as const)
    const { _method, _jsonp, rest_route, ...others } = Object.fromEntries(asked) as Record<string, string | undefined>
    const override = _method ?? request.headers?.['x-http-method-override']
    const method = override?.toUpperCase() ?? request.method
    const query = new URLSearchParams(others as Record<string, string>).toString()
    const answer = await service({ ...request, method, path: rest_route ?? request.path, query })
    if (_jsonp === undefined) return answer
    return { ...answer, headers: { 'content-type': 'application/javascript' }, body: `/**/${_jsonp}(${answer.body})` }
  }
}

const phpName = (name: string): string => name.replace(/^ +/, '').replace(/[ .]/g, '_')
