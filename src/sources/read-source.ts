import { createHash } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { asFailure, type Failure, forExample, refused, usage } from '../base/failure.ts'
import { largerThan } from '../base/fs.ts'
import { isInside } from '../base/paths.ts'
import { hidePassword, keepSecret } from '../base/text/secrets.ts'
import { phrase } from '../base/words/phrase.ts'
import { isWebAddress } from '../client/http/request.ts'
import { type Format, formatOf } from '../files/file-format.ts'
import { readRecords } from '../files/read-records.ts'
import type { FileRecord, Notice } from '../files/records/file-record.ts'
import { joinBytes } from '../files/text-streams.ts'
import { chosenRecords } from './chosen-records.ts'
import { nextPage } from './next-page.ts'
import { isOwnHost } from './public-address.ts'
import type { Source, Validators } from './source.ts'

/** What reading a source gives. */
export type SourceReading =
  | {
      readonly state: 'read'
      /** What the settings of the source want, with what they say of all its events. */
      readonly records: readonly FileRecord[]
      /** What it says beside that: it has not vanished. */
      readonly leftOut: readonly FileRecord[]
      readonly validators: Validators
    }
  | { readonly state: 'unchanged' }
  | { readonly state: 'failed'; readonly failure: Failure }

/** An answer that is whole, or 304. */
interface AddressAnswer {
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
  /** The ID of that calendar. */
  readonly calendar?: string
  /** Says in each request who asks. */
  readonly agent: string
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
  const day = world.now.toISOString().slice(0, 10)
  try {
    checkTrust(source, world)
    const placed = await withAddress(source, world)
    const settings = digestOf(JSON.stringify(placed))
    const isUsable = earlier?.settings === settings && (earlier.day ?? day) === day
    return await readNow(placed, isUsable ? earlier : undefined, { ...world, settings, day })
  } catch (error) {
    return { state: 'failed', failure: asFailure(error) }
  }
}

/** A source whose address is a secret, with the address. */
async function withAddress(source: Source, { secret }: SourceWorld): Promise<Source> {
  if (!isSecretPlace(source)) return source
  const place = await secret(source.place)
  if (!isWebAddress(place))
    throw usage(phrase('{name} is not an address on the web', { name: source.place }), forExample(exampleAddress))
  keepSecret(addressOf({ ...source, place }))
  return { ...source, place }
}

const exampleAddress = 'https://example.org/town.ics'

const isSecretPlace = ({ place }: Source): boolean => /^env:\w+$/.test(place)

interface Reading extends SourceWorld {
  readonly settings: string
  readonly day: string
}

async function readNow(source: Source, earlier: Validators | undefined, reading: Reading): Promise<SourceReading> {
  const found = await recordsOf(source, earlier, reading)
  if (found === undefined || found.digest === earlier?.digest) return { state: 'unchanged' }
  const { records: all, digest, headers } = found
  const { records, leftOut } = chosenRecords(all, source)
  const { etag, 'last-modified': lastModified } = headers
  return {
    state: 'read',
    records,
    leftOut,
    validators: {
      digest,
      settings: reading.settings,
      ...(etag && { etag }),
      ...(lastModified && { lastModified }),
      ...(all.some(({ series }) => series) && { day: reading.day }),
    },
  }
}

interface Found extends Pick<AddressAnswer, 'headers'> {
  readonly records: readonly FileRecord[]
  readonly digest: string
}

/** The records of a source; undefined if it says that nothing changed. */
async function recordsOf(source: Source, earlier: Validators | undefined, world: Reading): Promise<Found | undefined> {
  const answer = source.kind === 'calendar' ? undefined : await answerOf(source, earlier, world)
  if (answer?.status === 304) return undefined
  if (answer === undefined || isApi(answer.bytes)) return recordsOfCalendar(source, world)
  const { bytes } = answer
  checkLength(source, bytes.length)
  if (isWebAddress(source.place) && isPage(bytes)) await checkRobots(source, world)
  const pages = [bytes, ...(isWebAddress(source.place) ? await laterPages(source, bytes, world) : [])]
  const digest = digestOf(Buffer.concat(pages))
  if (digest === earlier?.digest) return undefined
  const records: FileRecord[] = []
  for (const page of pages)
    for await (const record of readRecords(piecesOf(page), readingOptions(source, world))) records.push(record)
  // That the first page is as it was says nothing of the others.
  return { records, digest, headers: pages.length > 1 ? {} : answer.headers }
}

/** The pages of open data after the first one. */
async function laterPages(source: Source, first: Uint8Array, world: Reading): Promise<Uint8Array[]> {
  const headers = await headersOf(source, world)
  const pages: Uint8Array[] = []
  let length = first.length
  for (let next = nextPage(addressOf(source), first); next; ) {
    const { bytes } = await get(next, headers, world)
    // A server that does not know the parameter gives the same page again.
    if (Buffer.compare(bytes, pages.at(-1) ?? first) === 0) break
    length += bytes.length
    checkLength(source, length)
    pages.push(bytes)
    next = nextPage(next, bytes)
  }
  return pages
}

function checkLength({ name }: Source, length: number): void {
  if (length > largestAnswer)
    throw usage(
      phrase('cannot read {name}: {problem}', { name, problem: largerThan(largestAnswer) }),
      phrase('choose an address with fewer events'),
    )
}

/** Whether an answer is what the root of an API of WordPress says. */
const isApi = (bytes: Uint8Array): boolean =>
  /^\s*\{"name":.{0,2000}"namespaces":\[/s.test(Buffer.from(bytes.subarray(0, 4000)).toString())

async function recordsOfCalendar(source: Source, world: Reading): Promise<Found> {
  const { readOtherCalendar } = await import('./read-calendar.ts')
  const { createBuild } = await import('../files/records/record-builder.ts')
  const headers = await headersOf(source, world)
  const build = createBuild(source.name, world.notice, undefined)
  const getPage = (address: URL) => get(address, headers, world)
  const records = await readOtherCalendar(source, addressOf(source), getPage, {
    ...readingOptions(source, world),
    build,
    own: world.calendar,
  })
  return { records, digest: digestOf(JSON.stringify(records)), headers: {} }
}

function readingOptions({ name, place, kind, map, language }: Source, { timezone, now, notice }: Reading) {
  const path = isWebAddress(place) ? new URL(place).pathname : place
  const format: Format | undefined = kind === 'icalendar' ? 'ics' : formatOf(path)
  return {
    name,
    now,
    notice,
    ...(map && { jsonMap: map }),
    ...(language && { language }),
    ...(format && { format }),
    ...(timezone && { timezone }),
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const digestOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** What a source answers; bytes of a file have no headers. */
async function answerOf(source: Source, earlier: Validators | undefined, world: Reading): Promise<AddressAnswer> {
  if (!isWebAddress(source.place)) {
    const bytes = await joinBytes(world.open(resolve(dirname(world.file), source.place)))
    return { status: 200, headers: {}, bytes }
  }
  const headers = await headersOf(source, world)
  if (earlier?.etag !== undefined) headers['if-none-match'] = earlier.etag
  if (earlier?.lastModified !== undefined) headers['if-modified-since'] = earlier.lastModified
  return get(addressOf(source), headers, world)
}

async function headersOf({ headers = {} }: Source, world: SourceWorld): Promise<Record<string, string>> {
  const sent: Record<string, string> = { 'user-agent': world.agent }
  for (const [name, from] of Object.entries(headers)) sent[name.toLowerCase()] = await world.secret(from)
  return sent
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
  const isSecret = isSecretPlace(source) || Object.keys(headers).length > 0
  if (isSecret) return phrase('its source {name} cannot be read with credentials', { name })
  if (!isWebAddress(place)) {
    if (isInside(resolve(folder, place), folder)) return undefined
    return phrase('its source {name} cannot be read from {place}, which is outside its folder', { name, place })
  }
  if (!isOwnHost(addressOf(source))) return undefined
  return phrase('its source {name} cannot be read from {place}, which is not on the public web', {
    name,
    place: hidePassword(place),
  })
}

const isPage = (bytes: Uint8Array): boolean =>
  /^\s*<(?!\?xml|rss)/i.test(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))

/** Throws for a page that its site does not want programs to read (RFC 9309). Without a robots.txt, all may be read. */
async function checkRobots(source: Source, world: Reading): Promise<void> {
  const page = addressOf(source)
  const robots = new URL('/robots.txt', page)
  const rules = await get(robots, { 'user-agent': world.agent }, world).catch((error: unknown) => {
    const { status = 500 } = asFailure(error).details
    if (status >= 500) throw error
    return { bytes: Buffer.alloc(0) }
  })
  const { default: robotsParser } = await import('robots-parser')
  if (robotsParser(robots.href, Buffer.from(rules.bytes).toString()).isDisallowed(page.href, 'calctl'))
    throw refused(
      phrase('{origin} does not let programs read the page of {name} (robots.txt)', {
        origin: page.origin,
        name: source.name,
      }),
      phrase('look for a feed there, or ask whoever runs the site'),
    )
}
