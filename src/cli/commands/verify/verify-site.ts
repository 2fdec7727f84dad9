import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure } from '../../../base/failure.ts'
import { reason } from '../../../base/fs.ts'
import { escapeXml } from '../../../base/text/escaping.ts'
import { isObject } from '../../../base/text/json.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { createHttpTransport } from '../../../client/http/transport.ts'
import type { Request, Response, Transport } from '../../../contract/exchange.ts'
import { differenceText } from '../../../testing/parity/compare.ts'
import { Ids } from '../../../testing/parity/ids.ts'
import { type Outcome, playRecording } from '../../../testing/parity/play.ts'
import { recordSite } from '../../../testing/parity/record-site.ts'
import { type Exchange, type Recording, recordingText } from '../../../testing/parity/recording.ts'
import { parityRows, parityTotal, percentSame } from '../../../testing/parity/report.ts'
import type { App } from '../../app.ts'
import { connectionOptions } from '../../connect/connection.ts'
import { resolveTarget } from '../../profiles/resolve.ts'
import { writeLines } from '../../terminal/sentences.ts'
import { parityShape } from '../shared/output-forms.ts'
import { readRecordings } from './recording-files.ts'

export interface VerifyOptions {
  readonly record?: string
  readonly write?: true
}

/** Plays recordings against the calendar in use, and prints how its answers differ; or records what it answers. */
export async function verifySite(app: App, files: readonly string[], options: VerifyOptions): Promise<void> {
  if (options.record === undefined && files.length === 0)
    throw new Failure('usage', phrase('no recordings given'), {
      hint: phrase('record a site with: {command}', { command: 'calctl verify --record FOLDER' }),
    })
  const recordings = files.flatMap(file => readRecordings(app.world, file))
  const client = options.write ? await app.writer() : await app.client()
  const site = await openVerified(app, client.send)
  try {
    if (options.record !== undefined) await record(app, site, options.record, options.write ?? false)
    else await play(app, site, recordings, options.write ?? false)
  } finally {
    await removeOwn(app, site)
    await site.close()
  }
}

/** A calendar that is asked request by request. */
interface Verified {
  readonly send: Transport
  readonly baseUrl: string
  readonly namespace: string
  /** The headers of everybody, and those of the user, if there is one. */
  readonly headers: { readonly public: Headers; readonly user: Headers | undefined }
  /** The routes of the records that were created and not deleted since, oldest first. */
  readonly own: Set<string>
  close(): Promise<void>
}

type Headers = Readonly<Record<string, string>>

async function openVerified(app: App, sendEmbedded: Transport): Promise<Verified> {
  const target = await resolveTarget(app.world, app.globals)
  const { place, namespace } = target
  const own = new Set<string>()
  const noted =
    (send: Transport): Transport =>
    async request => {
      const response = await send(request)
      noteOwn(own, request, response, namespace)
      return response
    }
  if (place.kind !== 'http')
    return {
      send: noted(sendEmbedded),
      baseUrl: 'http://calendar.test',
      namespace,
      headers: { public: {}, user: undefined },
      own,
      close: async () => {},
    }
  const { baseUrl } = place
  const connection = { ...(await connectionOptions(app.world, app.globals)), follow: app.globals.follow }
  const transport = await createHttpTransport({ ...connection, baseUrl })
  const user = await target.credentials()
  return {
    send: noted(transport),
    baseUrl,
    namespace,
    headers: { public: await target.front(), user: Object.keys(user).length > 0 ? user : undefined },
    own,
    close: () => transport.close(),
  }
}

function noteOwn(own: Set<string>, { method, path }: Request, { status, body }: Response, namespace: string): void {
  const route = path.slice(namespace.length + 1)
  if (status >= 300 || !path.startsWith(`/${namespace}/`)) return
  if (method === 'DELETE') own.delete(route)
  if (method !== 'POST' || route.split('/').length > 2) return
  const id = /"id":(\d+)/.exec(String(body))?.[1]
  if (id !== undefined) own.add(`${route}/${id}`)
}

/** Removes what was created and is still there: a server may have taken what the recorded one refused. */
async function removeOwn(app: App, site: Verified): Promise<void> {
  for (const route of [...site.own].toReversed())
    await site.send({ method: 'DELETE', path: `/${site.namespace}${route}`, headers: site.headers.user ?? {} })
  if (site.own.size > 0) await app.notice(phrase('not removed: {list}', { list: [...site.own].join(', ') }))
}

async function record(app: App, site: Verified, folder: string, writes: boolean): Promise<void> {
  const zone = (await (await app.client()).timezone()) ?? 'UTC'
  const recording = await recordSite({ ...site, zone, now: app.world.now() }, { writes })
  const file = join(folder, `${recording.group.replaceAll(/[^\w.-]/g, '-')}.ndjson`)
  try {
    mkdirSync(resolve(app.world.cwd, folder), { recursive: true })
    writeFileSync(resolve(app.world.cwd, file), recordingText(recording), { mode: 0o600 })
  } catch (error) {
    throw new Failure('settings', phrase('cannot write {file}: {reason}', { file, reason: reason(error as Error) }), {
      hint: phrase('choose another file'),
    })
  }
  await app.notice(
    phrase('recorded {count, plural, one {# exchange} other {# exchanges}} in {file}; play them with: {command}', {
      count: recording.steps.length,
      file,
      command: `calctl verify ${folder}`,
    }),
  )
}

async function play(app: App, site: Verified, recordings: readonly Recording[], writes: boolean): Promise<void> {
  const outcomes: Outcome[] = []
  let skipped = 0
  for (const recording of recordings) {
    const own = createdIn(recording)
    const plays = ({ request: { method, headers, path } }: Exchange): boolean => {
      const isPlayed =
        (writes || (method === 'GET' && !own.has(path))) &&
        path !== '/' &&
        (site.headers.user !== undefined || headers.authorization !== 'Basic <admin>')
      if (!isPlayed) skipped++
      return isPlayed
    }
    const found = await playRecording(recording, {
      send: request => site.send({ ...request, headers: { ...site.headers.public, ...request.headers } }),
      baseUrl: site.baseUrl,
      namespace: site.namespace,
      ids: new Ids({ hasSameRecords: recording.start === 'site' }),
      moments: { now: momentsOf(recording, app.world.now()) },
      credentials: who => (who === 'admin' ? site.headers.user : undefined),
      plays,
      compares: () => true,
    })
    outcomes.push(...found)
  }
  await print(app, outcomes, skipped)
}

/** The routes of the records that a recording creates. */
const createdIn = ({ steps }: Recording): ReadonlySet<string> =>
  new Set(
    steps.flatMap(step => {
      if (!('request' in step) || step.request.method !== 'POST' || !isObject(step.response.body)) return []
      return [`${step.request.path}/${step.response.body.id}`]
    }),
  )

/** How many years ahead of now The Events Calendar lists events, unless it is asked for a date. */
const yearsListed = 2

/** Times of the hours in which a recording was made and played, in any zone: those that a server gives to new records. */
function momentsOf({ clock }: Recording, now: Date): RegExp {
  const hours = [...(clock === undefined ? [] : [new Date(clock)]), now].flatMap(moment =>
    Array.from({ length: 29 }, (_, offset) => new Date(moment.getTime() + (offset - 13) * 3_600_000).toISOString()),
  )
  const later = (text: string) => String(Number(text.slice(0, 4)) + yearsListed) + text.slice(4)
  const all = [...hours, ...hours.map(later)]
  const beginnings = new Set(all.map(text => `${text.slice(0, 10)}(?:[ T+]|%20)${text.slice(11, 13)}`))
  return new RegExp(`(${[...beginnings].join('|')})(?::|%3A)\\d\\d(?::|%3A)\\d\\d`, 'g')
}

async function print(app: App, outcomes: readonly Outcome[], skipped: number): Promise<void> {
  const { output, globals, world } = app
  const total = parityTotal(outcomes)
  const differing = outcomes.filter(({ differences }) => differences.length > 0)
  if (differing.length > 0 || outcomes.length === 0) app.status = 1
  if (output === 'junit') await world.stdout.write(junitText(outcomes))
  else if (output === 'json' && !globals.fields)
    await app.printValue({ ...total, family: undefined, skipped, families: parityRows(outcomes), differing })
  else {
    await app.print(parityShape, parityRows(outcomes))
    if (output === undefined || output === 'table')
      for (const { name, differences } of differing)
        await writeLines(world, globals, world.stdout, `! ${name}: ${differences.map(differenceText).join('; ')}\n`)
  }
  await app.notice(
    phrase('{same} of {exchanges} answers are as recorded ({percent} %); {skipped} not played', {
      same: total.same,
      exchanges: total.exchanges,
      percent: percentSame(total),
      skipped,
    }),
  )
}

/** A report as CI servers read it: a test case for each exchange. */
function junitText(outcomes: readonly Outcome[]): string {
  const failures = outcomes.filter(({ differences }) => differences.length > 0).length
  const cases = outcomes.map(({ name, family, differences }) => {
    const start = `  <testcase classname="${escapeXml(family)}" name="${escapeXml(name)}"`
    if (differences.length === 0) return `${start}/>\n`
    const texts = differences.map(differenceText)
    return `${start}>\n    <failure message="${escapeXml(texts[0] ?? '')}">${escapeXml(texts.join('\n'))}</failure>\n  </testcase>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="calctl verify" tests="${outcomes.length}" failures="${failures}">\n${cases.join('')}</testsuite>\n`
}
