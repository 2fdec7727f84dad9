/**
 * Plays recorded exchanges against a server with the same contract, and compares its answers with the recorded ones. Input: a recording,
 * and how to reach the server. Output: the differences of each exchange, in order. IDs of the recording are translated into those of the
 * corresponding records on the server.
 */

import { isObject } from '../../../src/base/text/json.ts'
import type { Request, Transport } from '../../../src/contract/exchange.ts'
import { type AnswerDifference, answerDifferences, type Moments } from './compare.ts'
import type { Ids } from './ids.ts'
import {
  type ByHand,
  type Exchange,
  pathBelowRoot,
  type RecordedStep,
  type RecordedWrite,
  type Recording,
  recordedForm,
} from './recording.ts'

/** The result of one exchange. */
export interface Outcome {
  readonly name: string
  readonly family: string
  readonly differences: readonly AnswerDifference[]
}

/** How recordings are played. */
export interface Player {
  readonly send: Transport
  /** The address that `send` reaches; paths of requests are added to it. */
  readonly baseUrl: string
  readonly namespace: string
  readonly ids: Ids
  readonly moments: Moments
  /** The headers of a caller, `admin` or `other:NAME:PASSWORD`; undefined if that caller does not exist here. */
  credentials(who: string): Readonly<Record<string, string>> | undefined
  /** Whether a step is played; other steps are not in the result. */
  plays(step: Exchange | RecordedWrite): boolean
  /** Whether a change that is played counts in the result. */
  compares(exchange: Exchange): boolean
  /** Called before each step. */
  tick?(): void
  changeByHand?(change: ByHand['by_hand']): Promise<void>
}

/** Plays all steps of a recording; the outcomes are in their order. */
export async function playRecording({ steps }: Recording, player: Player): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const step of steps) {
    player.tick?.()
    const outcome = await playStep(step, player)
    if (outcome) outcomes.push(outcome)
  }
  return outcomes
}

async function playStep(step: RecordedStep, player: Player): Promise<Outcome | undefined> {
  if ('by_hand' in step) {
    await player.changeByHand?.(step.by_hand)
    return undefined
  }
  const request = 'write' in step ? requestOfWrite(step, player) : requestOf(step.request, {}, player)
  if (!request || !player.plays(step)) return undefined
  if ('write' in step) return playWrite(step, request, player)
  const outcome = await playExchange(step, request, player)
  return player.compares(step) ? outcome : undefined
}

function requestOfWrite({ write }: RecordedWrite, player: Player): Request | undefined {
  const { type = 'application/json', auth } = write
  const headers: Readonly<Record<string, string>> = auth ? { authorization: `Basic <${auth}>` } : {}
  return requestOf({ ...write, headers }, { 'content-type': type }, player)
}

/** Writes of every role are played, so that later exchanges find their records. */
async function playWrite({ write }: RecordedWrite, request: Request, player: Player): Promise<Outcome | undefined> {
  const { method, path } = write
  const answer = recordedForm(await player.send(request), player.baseUrl)
  const isAsRecorded = write.status === undefined ? answer.status < 300 : answer.status === write.status
  if (!isAsRecorded)
    return {
      name: `${method} ${path}`,
      family: familyOf(method, path),
      differences: [{ facet: 'status', path: 'status', expected: write.status ?? 201, actual: answer.status }],
    }
  if (write.ids && answer.status < 300 && isObject(answer.body)) player.ids.learnFrom(path, write.ids, answer.body)
  return undefined
}

async function playExchange({ name, request, response }: Exchange, sent: Request, player: Player): Promise<Outcome> {
  const { baseUrl, ids, moments } = player
  const answer = recordedForm(await player.send(sent), baseUrl)
  const { method, path } = request
  if (method !== 'GET' && answer.status < 300 && isObject(response.body) && isObject(answer.body))
    ids.learnFrom(path, response.body, answer.body)
  const { location } = response.headers
  const expected = {
    ...response,
    headers: { ...response.headers, ...(location && { location: String(ids.answer(path, location)) }) },
    body: ids.answer(path, response.body),
  }
  return { name, family: familyOf(method, path), differences: answerDifferences(expected, answer, moments) }
}

/** The request with the IDs and credentials of this server; undefined if there are no such credentials here. */
function requestOf(
  recorded: Exchange['request'],
  more: Readonly<Record<string, string>>,
  { ids, namespace, credentials }: Player,
): Request | undefined {
  const { authorization, ...others } = recorded.headers
  const who = /<(.*)>/.exec(authorization ?? '')?.[1]
  const own = who === undefined ? { ...(authorization && { authorization }) } : credentials(who)
  if (!own) return undefined
  const { body, method, path, query } = ids.request(recorded)
  const headers: Record<string, string> = { ...others, ...more, ...own }
  const text = body === undefined ? undefined : onTheWire(body, headers['content-type'] ?? '')
  return {
    method,
    path: pathBelowRoot(path, namespace),
    ...(query !== undefined && { query }),
    headers,
    ...(text !== undefined && { body: text }),
  }
}

/** The kind of a request, whichever record it names: `GET /events/{id}`. */
function familyOf(method: string, path: string): string {
  const [route = ''] = path.split('?')
  const place = route
    .replace(/\/by-slug\/[^/]+/, '/by-slug/{slug}')
    .replace(/(?<=^(?:\/wp-json\/wp\/v2)?\/[a-z_]+\/)[^/]+$/, word =>
      word === 'by-slug' || word === 'me' ? word : '{id}',
    )
    .replace(/^\/wp-json/, '')
  return `${method} ${place === '' ? '/' : place}`
}

const onTheWire = (body: unknown, type: string): string | Uint8Array => {
  if (typeof body === 'string') return bytes(body)
  return /urlencoded/.test(type) ? new URLSearchParams(Object.entries(body as object)).toString() : JSON.stringify(body)
}

/** Binary bodies were recorded in Python's notation, `b'…\xff'`, or by what they are: `<PNG, 80 x 60>`, which had 153 bytes. */
function bytes(text: string): string | Uint8Array {
  const [, width, height] = /^<PNG, (\d+) x (\d+)>$/.exec(text) ?? []
  return width === undefined ? inPython(text) : pngBytes(Number(width), Number(height))
}

/** The beginning of an image with this size, in pixels. */
function pngBytes(width: number, height: number): Uint8Array {
  const file = Buffer.alloc(153)
  file.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  return file
}

const inPython = (text: string): string | Uint8Array =>
  text.startsWith("b'")
    ? Buffer.from(
        text.slice(2, -1).replace(/\\x([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
        'latin1',
      )
    : text
