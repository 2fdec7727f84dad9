import { createHash } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { asFailure, type Failure, usage } from '../base/failure.ts'
import { isInside, largerThan } from '../base/fs.ts'
import { phrase } from '../base/words/phrase.ts'
import { isWebAddress } from '../client/http/request.ts'
import { type Format, formatOf } from '../files/file-format.ts'
import { readRecords } from '../files/read-records.ts'
import type { FileRecord, Notice } from '../files/records/file-record.ts'
import { joinBytes } from '../files/text-streams.ts'
import { isOwnHost } from './public-address.ts'
import type { Source, SourceKind, Validators } from './source.ts'

/** What reading a source gives. `window` has the first and the last start of its events, as wall times. */
export type SourceReading =
  | {
      readonly state: 'read'
      readonly kind: SourceKind
      readonly records: readonly FileRecord[]
      readonly window?: { readonly from?: string; readonly until?: string }
      readonly validators: Validators
    }
  | { readonly state: 'unchanged' }
  | { readonly state: 'failed'; readonly failure: Failure }

/** An answer that is whole, or 304. */
export interface AddressAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
}

/** What reading needs of the program around it. */
export interface SourceWorld {
  /** The path of `sources.yaml`. */
  readonly file: string
  /** The zone of the calendar for which is read. */
  readonly timezone: string | undefined
  readonly now: Date
  readonly notice: Notice
  /** The last request to each host, after which the next one comes. */
  readonly requests: Map<string, Promise<unknown>>
  /** Why the file may not do this before it is trusted; undefined if it is trusted. */
  trustProblem(consequence: string): Failure | undefined
  /** Reads an address; throws a `Failure` with the status unless it is 200 or 304. */
  get(address: URL, headers: Readonly<Record<string, string>>, publicOnly: boolean): Promise<AddressAnswer>
  open(path: string): AsyncIterable<Uint8Array>
  /** The value of `env:NAME`. */
  secret(from: string): Promise<string>
}

/** The most that a source may send, in bytes. */
const largestAnswer = 50 * 1024 ** 2

/** Reads what a source says now. `earlier` is of the reading before, whose records are still known. */
export async function readSource(
  source: Source,
  earlier: Validators | undefined,
  world: SourceWorld,
): Promise<SourceReading> {
  const settings = digestOf(JSON.stringify(source))
  const day = world.now.toISOString().slice(0, 10)
  const isUsable = earlier?.settings === settings && (earlier.day ?? day) === day
  try {
    return await readNow(source, isUsable ? earlier : undefined, { ...world, settings, day })
  } catch (error) {
    return { state: 'failed', failure: asFailure(error) }
  }
}

interface Reading extends SourceWorld {
  readonly settings: string
  readonly day: string
}

async function readNow(source: Source, earlier: Validators | undefined, reading: Reading): Promise<SourceReading> {
  const answer = await answerOf(source, earlier, reading)
  if (answer.status === 304) return { state: 'unchanged' }
  if (answer.bytes.length > largestAnswer)
    throw usage(
      phrase('cannot read {name}: {problem}', { name: source.name, problem: largerThan(largestAnswer) }),
      phrase('choose an address with fewer events'),
    )
  const digest = digestOf(answer.bytes)
  if (digest === earlier?.digest) return { state: 'unchanged' }
  const records: FileRecord[] = []
  for await (const record of readRecords(piecesOf(answer.bytes), readingOptions(source, reading))) records.push(record)
  const { etag, 'last-modified': lastModified } = answer.headers
  const window = windowOf(records)
  return {
    state: 'read',
    kind: source.kind ?? 'icalendar',
    records,
    ...(window && { window }),
    validators: {
      digest,
      settings: reading.settings,
      ...(etag && { etag }),
      ...(lastModified && { lastModified }),
      ...(records.some(({ series }) => series) && { day: reading.day }),
    },
  }
}

function readingOptions({ name, place, kind }: Source, { timezone, now, notice }: Reading) {
  const path = isWebAddress(place) ? new URL(place).pathname : place
  const format: Format | undefined = kind === 'icalendar' ? 'ics' : formatOf(path)
  return { name, now, notice, resource: 'events' as const, ...(format && { format }), ...(timezone && { timezone }) }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const digestOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

function windowOf(records: readonly FileRecord[]): { from: string; until: string } | undefined {
  const starts = records.flatMap(({ values }) => (typeof values.start_date === 'string' ? values.start_date : []))
  const [from, until] = [starts.toSorted()[0], starts.toSorted().at(-1)]
  return from === undefined || until === undefined ? undefined : { from, until }
}

/** What a source answers; bytes of a file have no headers. */
async function answerOf(source: Source, earlier: Validators | undefined, world: Reading): Promise<AddressAnswer> {
  checkTrust(source, world)
  if (!isWebAddress(source.place)) {
    const bytes = await joinBytes(world.open(resolve(dirname(world.file), source.place)))
    return { status: 200, headers: {}, bytes }
  }
  const headers: Record<string, string> = { accept: '*/*' }
  for (const [name, from] of Object.entries(source.headers ?? {}))
    headers[name.toLowerCase()] = await world.secret(from)
  if (earlier?.etag !== undefined) headers['if-none-match'] = earlier.etag
  if (earlier?.lastModified !== undefined) headers['if-modified-since'] = earlier.lastModified
  return get(addressOf(source), headers, world)
}

const addressOf = ({ place }: Source): URL => new URL(place.replace(/^webcal:/i, 'https:'))

/** Sends one request after the other to each host. */
async function get(address: URL, headers: Readonly<Record<string, string>>, world: Reading): Promise<AddressAnswer> {
  const { requests, trustProblem } = world
  const publicOnly = trustProblem('') !== undefined
  const before = requests.get(address.host) ?? Promise.resolve()
  const answer = before.then(() => world.get(address, headers, publicOnly))
  requests.set(
    address.host,
    answer.catch(() => {}),
  )
  return answer
}

/** Refuses what a file that may be somebody else's could use to read what is not public. */
function checkTrust(source: Source, { file, trustProblem }: SourceWorld): void {
  const consequence = consequenceOf(source, dirname(file))
  const problem = consequence === undefined ? undefined : trustProblem(consequence)
  if (problem) throw problem
}

function consequenceOf(source: Source, folder: string): string | undefined {
  const { name, place, headers = {} } = source
  if (!isWebAddress(place)) {
    if (isInside(resolve(folder, place), folder)) return undefined
    return phrase('its source {name} cannot be read from {place}, which is outside its folder', { name, place })
  }
  if (Object.keys(headers).length > 0) return phrase('its source {name} cannot be read with credentials', { name })
  if (!isOwnHost(addressOf(source))) return undefined
  return phrase('its source {name} cannot be read from {place}, which is not on the public web', { name, place })
}
