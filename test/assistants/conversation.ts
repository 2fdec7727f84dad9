import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client, type ClientOptions, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Transport as Sending } from '../../src/contract/exchange.ts'
import { enteredBy, entranceIn } from '../page/preview-of.ts'
import { testService } from '../support/test-service.ts'
import { testTime, worldOf } from '../support/world.ts'

/** The revisions of the protocol, by how a client opens. */
export const revisions = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const

interface Setting {
  readonly revision?: keyof typeof revisions
  /** What the client does with the address of a page; without it, it cannot open pages. */
  readonly opens?: (address: string) => Promise<'accept' | 'decline' | 'cancel'>
  /** Whether there is a browser on the machine. */
  readonly hasBrowser?: boolean
  readonly now?: () => Date
}

/** The text of an answer, as data. */
export interface Told extends Readonly<Record<string, unknown>> {
  readonly isError: boolean
  readonly text: string
}

/** A calendar with three events, and a conversation about it with the official client. */
export async function conversation({
  revision = '2026-07-28',
  opens,
  hasBrowser = true,
  now = () => testTime,
}: Setting = {}) {
  const { ask, service } = testService()
  const ids: number[] = []
  for (const title of ['Ball', 'Teatre', 'Cursa'])
    ids.push((await ask('POST /events', { json: { ...march, title, status: 'publish' } })).body.id)
  const writes: string[] = []
  const transport: Sending = async request => {
    if (request.method !== 'GET') writes.push(`${request.method} ${request.path}`)
    return service(request)
  }
  const opened: string[] = []
  const openPage = async (file: string) => {
    if (!hasBrowser) throw new Error('no browser')
    opened.push(entranceIn(file))
  }
  // What is printed for a person, who reads the log of the client.
  const notice = (text: string) => {
    const [address] = /http:\/\/127\S+/.exec(text) ?? []
    if (address && !hasBrowser) opened.push(address)
  }
  const pipe = createPipe()
  const state = mkdtempSync(join(tmpdir(), 'state-'))
  const plansFolder = join(state, 'calctl/plans')
  mkdirSync(plansFolder, { recursive: true })
  const setup = { transport, openPage, now, env: { XDG_STATE_HOME: state, NO_COLOR: '1' } }
  const running = worldOf({ ...setup, partner: { ...pipe.partner, notice } })('mcp')
  /** Command lines in a terminal of the same user, which end when they begin to wait. */
  const beside = (keys: readonly string[]) => {
    const stopping = new AbortController()
    return worldOf({ ...setup, terminal: 100, keys, stopping: stopping.signal, sleep: async () => stopping.abort() })
  }
  const client = new Client({ name: 'a client', version: '1' }, { ...optionsFor(revision, opens !== undefined) })
  if (opens)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const address = 'url' in params ? String(params.url) : ''
      opened.push(address)
      return { action: await opens(address) }
    })
  await client.connect(pipe.transport)
  const end = async () => {
    await client.close()
    return running
  }
  onTestFinished(async () => void (await end()))
  const call = async (name: string, args: Record<string, unknown>): Promise<Told> => {
    const result = await client.callTool({ name, arguments: args })
    const [{ text = '' } = {}] = result.content as { text?: string }[]
    return { isError: result.isError === true, text, ...(text.startsWith('{') ? JSON.parse(text) : {}) }
  }
  /** All that visitors and editors see, without when it was saved. */
  const records = async () => {
    const answers = await Promise.all(lists.map(path => ask(`GET ${path}&per_page=50`)))
    return JSON.stringify(answers.flatMap(({ body }) => body.events ?? body.venues ?? []).map(comparable))
  }
  /** Sends what the official client would not send. */
  const send = (message: unknown) => void pipe.partner.input.write(`${JSON.stringify(message)}\n`)
  return { ask, beside, call, client, end, ids, opened, plansFolder, records, send, writes }
}

const march = { start_date: '2027-03-04 19:00:00', end_date: '2027-03-04 21:00:00' }

const lists = [
  ...['publish', 'draft', 'pending', 'private'].map(status => `/events?starts_after=2000-01-01&status=${status}`),
  ...['publish', 'draft'].map(status => `/venues?status=${status}`),
]

const comparable = ({ modified: _, modified_utc: __, ...event }: Record<string, unknown>) => event

const optionsFor = (revision: keyof typeof revisions, opensPages: boolean): ClientOptions => ({
  versionNegotiation: { mode: revisions[revision] },
  capabilities: opensPages ? { elicitation: { url: {}, form: {} } } : {},
})

/** A pipe between a command and a client in this process, a message a line. */
function createPipe() {
  const input = new PassThrough()
  let rest = ''
  const transport: Transport = {
    start: async () => {},
    send: async message => void input.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      input.end()
      transport.onclose?.()
    },
  }
  const hear = (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage)
  }
  return { transport, partner: { input, hear } }
}

/** What a person does on the page: Apply, without some of the steps, or Not this. */
export async function decide(
  address: string,
  decision: 'approve' | 'refuse' = 'approve',
  leftOut: readonly number[] = [],
) {
  const post = await postingTo(address)
  const { token } = await post('opened')
  return post(decision, { token, ...(await post('question', { leftOut })) })
}

/** The presses of two windows of the same page. */
export async function twoWindows(address: string) {
  const post = await postingTo(address)
  const [one, other] = [await post('opened'), await post('opened')]
  const press = (window: object) => () => post('approve', { ...window, leftOut: [] })
  return { first: press(one), second: press(other) }
}

/** Sends what the page sends. */
async function postingTo(address: string) {
  const { cookie, home } = await enteredBy(address)
  const headers = { connection: 'close', cookie, origin: new URL(home).origin, 'sec-fetch-site': 'same-origin' }
  return async (path: string, body: object = {}) => {
    const answer = await fetch(`${home}/__page/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return JSON.parse(await answer.text())
  }
}

export const skillText = () => readFileSync('skills/calctl/SKILL.md', 'utf8')
