import { basename } from 'node:path'
import { isObject } from '../../../base/text/json.ts'
import type { Request, Transport } from '../../../contract/exchange.ts'
import { isWrite } from '../../../contract/received-request.ts'
import { Ids } from '../../../testing/parity/ids.ts'
import { besideClock } from '../../../testing/parity/moments.ts'
import type { OwnRecords } from '../../../testing/parity/own-records.ts'
import { type Outcome, playRecording, pngBytes } from '../../../testing/parity/play.ts'
import { type Exchange, parsedBody, type RecordedWrite, type Recording } from '../../../testing/parity/recording.ts'

/** A calendar to which single requests are sent. */
export interface VerifiedSite {
  readonly send: Transport
  readonly baseUrl: string
  readonly namespace: string
  /** The headers for visitors, and those for the user, if there is one. */
  readonly headers: { readonly public: Headers; readonly user: Headers | undefined }
  /** The records that were created here. */
  readonly own: OwnRecords
}

type Headers = Readonly<Record<string, string>>

/**
 * Why an exchange is not played: it writes, or reads what was written; needs other credentials; asks for the front page; changes records of
 * others.
 */
export type Skip = 'write' | 'user' | 'front_page' | 'record'

interface Skipped {
  readonly name: string
  readonly reason: Skip
}

export interface Played {
  readonly outcomes: readonly Outcome[]
  readonly skipped: readonly Skipped[]
}

/** Plays recordings against a site, one after another; without `writes`, only exchanges that read. */
export async function playAll(
  recordings: readonly Recording[],
  site: VerifiedSite,
  options: { readonly writes: boolean; readonly now: Date },
): Promise<Played> {
  const outcomes: Outcome[] = []
  const skipped: Skipped[] = []
  for (const recording of recordings) {
    const skipOf = options.writes ? skipWriting(site) : skipReading(createdIn(recording))
    const ids = new Ids({ hasSameRecords: recording.start === 'site' })
    if (options.writes && recording.poster !== undefined)
      ids.learn('post', recordedPoster, await uploaded(recording.poster, site))
    const found = await playRecording(recording, {
      send: request => site.send({ ...request, headers: { ...site.headers.public, ...request.headers } }),
      baseUrl: site.baseUrl,
      namespace: site.namespace,
      ids,
      moments: {
        recorded: besideClock(new Date(recording.clock ?? recording.recorded ?? options.now)),
        played: besideClock(options.now),
      },
      credentials: who => (who === 'admin' ? site.headers.user : undefined),
      plays: async (step, request) => {
        const reason = pathOf(step) === '/' ? 'front_page' : await skipOf(step, request)
        if (reason) skipped.push({ name: nameOf(step), reason })
        return reason === undefined
      },
      compares: () => true,
    })
    // Each recording begins with the initial records of the site.
    await site.own.remove()
    outcomes.push(...found)
  }
  return { outcomes, skipped }
}

/** The ID of the image that exists at the beginning of recordings. */
const recordedPoster = 5

/** The ID of an uploaded image with the name in a recording; undefined if the site accepts none. */
async function uploaded(url: string, { send, headers }: VerifiedSite): Promise<unknown> {
  const { body } = await send({
    method: 'POST',
    path: '/wp/v2/media',
    headers: {
      ...headers.user,
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="${basename(new URL(url).pathname)}"`,
    },
    body: pngBytes(80, 60),
  })
  const answer = parsedBody(String(body))
  return isObject(answer) ? answer.id : undefined
}

type Step = Exchange | RecordedWrite

type SkipOf = (step: Step, request: Request | undefined) => Promise<Skip | undefined>

const skipReading =
  (created: ReadonlySet<string>): SkipOf =>
  async (step, request) => {
    if ('write' in step || created.has(step.request.path)) return 'write'
    if (!request) return 'user'
    return isWrite(request) ? 'write' : undefined
  }

const skipWriting =
  ({ own }: VerifiedSite): SkipOf =>
  async (_, request) => {
    if (!request) return 'user'
    return isWrite(request) && !(await own.maySend(request)) ? 'record' : undefined
  }

/** The routes of the records that a recording creates. */
const createdIn = ({ steps }: Recording): ReadonlySet<string> =>
  new Set(
    steps.flatMap(step => {
      if (!('request' in step) || step.request.method !== 'POST' || !isObject(step.response.body)) return []
      return [`${step.request.path}/${step.response.body.id}`]
    }),
  )

const pathOf = (step: Step): string => ('write' in step ? step.write.path : step.request.path)

const nameOf = (step: Step): string => ('write' in step ? `${step.write.method} ${step.write.path}` : step.name)
