import { createRequire } from 'node:module'
import type { Worker } from 'node:worker_threads'
import { Failure, usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Sink } from '../world.ts'

/** Something that writes JSON to a stream. */
export type Print = (stdout: Sink) => Promise<void>

/**
 * Whether an expression takes each record of a list on its own, so that a long list is filtered part by part. Others, such as `length` or
 * `group_by`, need the whole list.
 */
export const takesEach = (expression: string): boolean =>
  /^\s*\.\[\]\??(\.[A-Za-z_]\w*\??)*\s*(\|(?!=)|$)/.test(expression)

/** Throws `usage` for an invalid expression, before anything is sent. */
export async function checkExpression(expression: string): Promise<void> {
  const { exitCode, stderr } = await runJq('', expression, [])
  if (exitCode !== 0) throw invalid(expression, stderr)
}

/** An expression, and a signal that stops it. */
interface Filtering {
  readonly expression: string
  readonly stop: AbortSignal
}

/** Prints what an expression makes of JSON: texts as they are, everything else as JSON, in a pipe on one line each. */
export async function throughJq(filtering: Filtering, print: Print, stdout: Sink): Promise<void> {
  const filter = await filterTo(filtering, stdout)
  let text = ''
  await print({
    ...stdout,
    write: async part => {
      text += String(part)
    },
  })
  if (text.trim() !== '') await filter(text)
}

/** In characters: each part takes 50 ms more than its records. */
const partLength = 4 * 1024 ** 2

/** The same for records that `print` writes as NDJSON, part by part; the expression sees each part as a list. */
export async function recordsThroughJq(filtering: Filtering, print: Print, stdout: Sink): Promise<void> {
  const filter = await filterTo(filtering, stdout)
  let lines = ''
  const filterLines = async () => {
    const list = lines.trimEnd().replaceAll('\n', ',')
    lines = ''
    await filter(`[${list}]`)
  }
  await print({
    ...stdout,
    write: async part => {
      lines += String(part)
      if (lines.length >= partLength) await filterLines()
    },
  })
  if (lines !== '') await filterLines()
}

async function filterTo({ expression, stop }: Filtering, stdout: Sink): Promise<(json: string) => Promise<void>> {
  const flags = ['--raw-output', ...(stdout.isTTY ? [] : ['--compact-output'])]
  return async json => {
    const result = await runJq(json, expression, flags, stop)
    if (result.stdout !== '') await stdout.write(`${result.stdout}\n`)
    if (result.exitCode !== 0) throw invalid(expression, result.stderr)
  }
}

/** The failure for an expression that jq rejects, with the place; jq counts lines and bytes from 1. */
function invalid(expression: string, stderr: string): Failure {
  const [, what = '', line = '1', column = ''] =
    /^jq: error: (.*?) at <top-level>, line (\d+), column (\d+):/s.exec(stderr) ?? []
  if (what === '') {
    const message = stderr.trim().replace(/^jq: error(?: \(at [^)]*\))?:? /, '')
    return usage(`--jq: ${message}`, phrase('see its input with: --json'))
  }
  const lines = expression.split('\n')
  const upTo = Buffer.from(lines[Number(line) - 1] ?? '')
    .subarray(0, Number(column))
    .toString()
  const place =
    lines.length > 1 ? phrase('line {line}, column {column}', { line, column }) : phrase('column {column}', { column })
  return usage(phrase('--jq: {what}, at {place}', { what, place }), phrase('look at the end of: {upTo}', { upTo }))
}

/** What jq printed, and its exit status; without one, it has crashed. */
interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode?: number
}

/** jq 1.8.2 as WebAssembly: 1 MB, read only if an expression is given. */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const loading = require(workerData).loadJq()
parentPort.on('message', async ([json, expression, flags]) => {
  try {
    const { stdout, stderr, exitCode } = (await loading).raw(json, expression, flags)
    parentPort.postMessage({ stdout, stderr, exitCode })
  } catch (error) {
    parentPort.postMessage({ stdout: '', stderr: String(error) })
  }
})`

let started: Worker | undefined

/** A thread for jq: an expression can take any amount of time and memory, and a thread can be stopped. */
async function thread(): Promise<Worker> {
  if (started) return started
  const { Worker } = await import('node:worker_threads')
  const require = createRequire(import.meta.filename)
  const jq = require.resolve('jq-wasm')
  // When WebAssembly crashes, it prints only what developers need, so that is not shown. Modules that Node preloads are only for the main
  // thread.
  started = new Worker(program, { eval: true, workerData: jq, stdout: true, stderr: true, execArgv: [], env: {} })
  started.unref()
  return started
}

/** Runs jq on a text. Throws `usage` if it needs too much memory, and `interrupted` if it is stopped. */
export async function runJq(
  json: string,
  expression: string,
  flags: readonly string[],
  stop?: AbortSignal,
): Promise<Required<Outcome>> {
  const worker = await thread()
  let end = () => {}
  const outcome = await new Promise<Outcome>((resolve, reject) => {
    end = () => reject(new Failure('interrupted', phrase('interrupted while --jq was running')))
    if (stop?.aborted) end()
    stop?.addEventListener('abort', end, { once: true })
    worker.once('error', error => resolve({ stdout: '', stderr: String(error) }))
    worker.once('message', resolve)
    worker.ref()
    worker.postMessage([json, expression, flags])
  })
    .finally(() => {
      stop?.removeEventListener('abort', end)
      worker.removeAllListeners('message').removeAllListeners('error').unref()
    })
    .catch(async error => {
      await endThread()
      throw error
    })
  const { exitCode } = outcome
  if (exitCode !== undefined) return { ...outcome, exitCode }
  await endThread()
  if (!/memory|aborted|out of bounds/i.test(outcome.stderr)) throw new Error(outcome.stderr)
  throw usage(
    phrase('--jq: the expression needs more memory than is available'),
    phrase('produce less output at a time, for example: .[] | .title'),
  )
}

async function endThread(): Promise<void> {
  const worker = started
  started = undefined
  await worker?.terminate()
}
