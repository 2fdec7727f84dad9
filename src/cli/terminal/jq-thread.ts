import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { Failure } from '../../base/failure.ts'

/** What jq printed, and how it ended; without an exit status it broke down. */
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

/** The thread of jq: an expression can take all the time and memory that there is, and a thread can be ended. */
function thread(): Worker {
  if (started) return started
  const require = createRequire(import.meta.filename)
  const jq = require.resolve('jq-wasm')
  // What WebAssembly prints when it breaks down is for developers, and what Node is told to load first is for this thread.
  started = new Worker(program, { eval: true, workerData: jq, stdout: true, stderr: true, execArgv: [], env: {} })
  started.unref()
  return started
}

/** Runs jq on a text. Throws `usage` if it needs more memory than there is, and `interrupted` if it is stopped. */
export async function runJq(
  json: string,
  expression: string,
  flags: readonly string[],
  stop?: AbortSignal,
): Promise<Required<Outcome>> {
  const worker = thread()
  const outcome = await new Promise<Outcome>((resolve, reject) => {
    const end = () => reject(new Failure('interrupted', 'stopped while --jq was at work'))
    if (stop?.aborted) end()
    stop?.addEventListener('abort', end, { once: true })
    worker.once('error', error => resolve({ stdout: '', stderr: String(error) }))
    worker.once('message', resolve)
    worker.ref()
    worker.postMessage([json, expression, flags])
  })
    .finally(() => {
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
  throw new Failure('usage', '--jq: the expression needs more memory than there is', {
    hint: 'make less of the records at once, for example: .[] | .title',
  })
}

async function endThread(): Promise<void> {
  const worker = started
  started = undefined
  await worker?.terminate()
}
