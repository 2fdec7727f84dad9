import { Failure, type FailureKind, forExample, usage } from '../../../base/failure.ts'
import { inputProblem, isPipe, largestInput, tooLarge } from '../../../base/fs.ts'
import { reason } from '../../../base/io-reasons.ts'
import { localPath } from '../../../base/paths.ts'
import { hidePassword } from '../../../base/text/secrets.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { looksLikePlan } from '../../../changes/plan/plan-file.ts'
import { isWebAddress } from '../../../client/http/request.ts'
import type { App } from '../../app.ts'
import type { DownloadOptions } from '../../connect/download.ts'

/** The bytes of a file, of a URL, or of stdin for `-`. Throws `usage` for an unreadable file and for a saved plan. */
export async function* readInput(app: App, name: string, spooled?: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let hasBegun = false
  let size = 0
  for await (const bytes of name === '-' && spooled ? spooled : bytesOf(app, name)) {
    if (!hasBegun && looksLikePlan(Buffer.from(bytes).toString('utf8', 0, 200))) throw savedPlanFailure(name)
    hasBegun = true
    size += bytes.length
    if (size > largestInput) throw unreadable(name, tooLarge())
    yield bytes
  }
}

const savedPlanFailure = (name: string) =>
  usage(
    phrase('{name} is a saved plan, not a file of records', { name: name === '-' ? 'stdin' : name }),
    phrase('apply it on its own with: calctl apply {file}', { file: name === '-' ? 'plan.json' : name }),
  )

function bytesOf(app: App, name: string): AsyncGenerator<Uint8Array> {
  if (name === '-') return bytesOfStdin(app)
  return isWebAddress(name) ? bytesOfUrl(app, name) : bytesOfFile(app, localPath(name))
}

/** The bytes of stdin. */
export async function* bytesOfStdin({ world }: App): AsyncGenerator<Uint8Array> {
  world.hasReadStdin = true
  for await (const chunk of world.stdin) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}

/**
 * Reads stdin to its end, into a spool. The process that writes to the pipe may have locked the calendar file that is opened next, and
 * releases it only when all of its output has been read.
 */
export async function spoolStdin(app: App): Promise<Iterable<Uint8Array>> {
  const { createSpool } = await import('../../../changes/plan/spool.ts')
  const pieces = createSpool<string>(0)
  for await (const bytes of bytesOfStdin(app)) pieces.add(Buffer.from(bytes).toString('base64'))
  return {
    *[Symbol.iterator]() {
      for (const piece of pieces) yield Buffer.from(piece, 'base64')
    },
  }
}

/** The bytes of a file; `option` is named in the failure. Throws `usage` for a file that cannot be read. */
export async function* bytesOfFile(
  { world }: App,
  name: string,
  { option, hint }: { option?: string; hint?: string } = {},
): AsyncGenerator<Uint8Array> {
  const { createReadStream } = await import('node:fs')
  const { resolve } = await import('node:path')
  const path = resolve(world.cwd, name)
  try {
    const problem = inputProblem(path)
    if (problem !== undefined) throw unreadable(name, problem, option, hint)
    yield* isPipe(path) ? await openPipe(path) : createReadStream(path)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unreadable(name, reason(error as Error, 'read'), option, hint)
  }
}

/** Opens a pipe without blocking: waiting for a writer in the thread that opens files would keep the process from ending. */
async function openPipe(path: string): Promise<AsyncIterable<Uint8Array>> {
  const { constants, openSync } = await import('node:fs')
  const { Socket } = await import('node:net')
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false })
}

const unreadable = (
  name: string,
  why: string,
  option?: string,
  hint = phrase('pass a file, an http(s) URL, or - for stdin'),
) => usage(`${option ? `${option}: ` : ''}${phrase('cannot read {name}: {problem}', { name, problem: why })}`, hint)

/** The URL of a feed, which may have the scheme webcal. */
function parseUrl(name: string): URL {
  const url = name.replace(/^webcal:/i, 'https:')
  if (URL.canParse(url)) return new URL(url)
  throw usage(phrase('invalid URL: {name}', { name: hidePassword(name) }), forExample('https://example.org/town.ics'))
}

async function* bytesOfUrl(app: App, name: string): AsyncGenerator<Uint8Array> {
  yield (await readFromWeb(app, name)).bytes
}

/** The answer of an address, whose text is in UTF-8. Throws for a status other than 200, and than 304 if the headers allow it. */
export async function readFromWeb(app: App, name: string, reading: DownloadOptions = {}) {
  const { download } = await import('../../connect/download.ts')
  const { asUtf8 } = await import('../../../files/declared-charset.ts')
  const { world, globals, notice } = app
  const context = { world, globals, notice, traffic: await app.traffic() }
  const { status, headers, body } = await download(context, parseUrl(name), reading)
  if (status !== 200 && status !== 304)
    throw new Failure(kindOf(status), phrase('{name} answered {status}', { name: hidePassword(name), status }), {
      hint:
        status === 401
          ? phrase('download it with your credentials and pipe it in: curl … | calctl apply -')
          : phrase('open the URL in a browser to see the response'),
      status,
    })
  return { status, headers, bytes: asUtf8(Buffer.from(body), headers['content-type']) }
}

function kindOf(status: number): FailureKind {
  if (status === 401 || status === 403) return 'denied'
  return status < 500 ? 'refused' : 'unreachable'
}
