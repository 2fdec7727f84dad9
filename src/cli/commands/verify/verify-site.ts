import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { excluding, Failure } from '../../../base/failure.ts'
import { reason } from '../../../base/fs.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Reads } from '../../../client/client.ts'
import { createHttpTransport } from '../../../client/http/transport.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { Transport } from '../../../contract/exchange.ts'
import { OwnRecords } from '../../../testing/parity/own-records.ts'
import { recordSite } from '../../../testing/parity/record-site.ts'
import { type Recording, recordingText } from '../../../testing/parity/recording.ts'
import type { App } from '../../app.ts'
import { connectionOptions } from '../../connect/connection.ts'
import { resolveTarget } from '../../profiles/resolve.ts'
import { playAll, type VerifiedSite } from './play-all.ts'
import { printParity } from './print-parity.ts'
import { readRecordings } from './recording-files.ts'

export interface VerifyOptions {
  readonly record?: string
  readonly write?: true
}

/** Plays recordings against the current calendar, and prints how its answers differ; or records its answers. */
export async function verifySite(app: App, files: readonly string[], options: VerifyOptions): Promise<void> {
  const { record: folder, write: writes = false } = options
  if (folder !== undefined && files.length > 0) throw excluding('--record', phrase('recordings'))
  if (folder === undefined && files.length === 0)
    throw new Failure('usage', phrase('no recordings given'), {
      hint: phrase('record a site with: calctl verify --record FOLDER'),
    })
  const recordings = files.flatMap(file => readRecordings(app.world, file))
  const client = writes ? await app.writer() : await app.client()
  await checkCredentials(client)
  const site = await openSite(app, client.send, writes)
  try {
    const now = await clockOf(site, app.world)
    if (folder !== undefined) await record(app, site, { folder, writes, now })
    else await printParity(app, await playAll(recordings, site, { writes, now }))
  } finally {
    await removeOwn(app, site.own)
    await site.close()
  }
}

/** A wrong password, or a server that does not answer, ends the command, instead of being a difference in each answer. */
async function checkCredentials(client: Pick<Reads, 'list'>): Promise<void> {
  try {
    await client.list(resourceNamed('events'), { per_page: 1 })
  } catch (error) {
    const isOfEveryAnswer = error instanceof Failure && (error.kind === 'denied' || error.details.status === undefined)
    if (isOfEveryAnswer) throw error
  }
}

/** The time on the clock of the server. */
async function clockOf({ send, namespace }: VerifiedSite, world: App['world']): Promise<Date> {
  const { headers } = await send({ method: 'GET', path: `/${namespace}/events`, query: 'per_page=1' })
  const date = new Date(headers.date ?? '')
  return Number.isNaN(date.getTime()) ? world.now() : date
}

async function openSite(app: App, sendEmbedded: Transport, writes: boolean): Promise<VerifiedSite & Closable> {
  const { world, globals } = app
  const target = await resolveTarget(world, globals)
  const { place, namespace } = target
  if (place.kind !== 'http')
    return withOwn(app, writes, {
      send: sendEmbedded,
      baseUrl: 'http://calendar.test',
      namespace,
      headers: { public: {}, user: undefined },
      close: async () => {},
    })
  const { baseUrl } = place
  const connection = { ...(await connectionOptions(world, globals)), follow: globals.follow }
  const transport = await createHttpTransport({ ...connection, baseUrl })
  const user = await target.credentials()
  return withOwn(app, writes, {
    send: transport,
    baseUrl,
    namespace,
    headers: { public: await target.front(), user: Object.keys(user).length > 0 ? user : undefined },
    close: () => transport.close(),
  })
}

interface Closable {
  close(): Promise<void>
}

type Site = Omit<VerifiedSite, 'own'> & Closable

/** The same site, with its new records remembered. After Ctrl-C, a command that writes only sends requests that remove them. */
function withOwn({ world }: App, writes: boolean, site: Site): VerifiedSite & Closable {
  const { send, namespace, headers } = site
  const own = new OwnRecords({ send, namespace, headers: headers.user ?? headers.public })
  const stopping = writes ? world.stopping() : undefined
  return {
    ...site,
    own,
    send: async request => {
      if (stopping?.aborted) throw new Failure('interrupted', phrase('interrupted'))
      const response = await send(request)
      await own.note(request, response)
      return response
    },
  }
}

async function removeOwn(app: App, own: OwnRecords): Promise<void> {
  await own.remove()
  const { trashed, left } = own
  if (trashed.length > 0) await app.notice(phrase('in the trash: {list}', { list: trashed.join(', ') }))
  if (left.length > 0) await app.notice(phrase('not removed: {list}', { list: left.join(', ') }))
}

async function record(
  app: App,
  site: VerifiedSite,
  { folder, writes, now }: { readonly folder: string; readonly writes: boolean; readonly now: Date },
): Promise<void> {
  const zone = (await (await app.client()).timezone()) ?? 'UTC'
  const recording = await recordSite({ ...site, zone, now }, { writes })
  const file = join(folder, `${recording.group.replaceAll(/[^\w.-]/g, '-')}.ndjson`)
  try {
    mkdirSync(resolve(app.world.cwd, folder), { recursive: true })
    writeFileSync(resolve(app.world.cwd, file), recordingText(recording), { mode: 0o600 })
  } catch (error) {
    throw new Failure('settings', phrase('cannot write {file}: {reason}', { file, reason: reason(error as Error) }), {
      hint: phrase('choose another file'),
    })
  }
  if (writes && !hasWritten(recording))
    await app.notice(phrase('the site took no write: only its refusals are recorded'))
  await app.notice(
    phrase('recorded {count, plural, one {# exchange} other {# exchanges}} in {file}; play them with: {command}', {
      count: recording.steps.length,
      file,
      command: `calctl verify ${folder}`,
    }),
  )
}

const hasWritten = ({ steps }: Recording): boolean =>
  steps.some(step => 'request' in step && step.request.method === 'POST' && step.response.status < 300)
