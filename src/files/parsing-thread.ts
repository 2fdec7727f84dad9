import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asFailure, Failure, usage } from '../base/failure.ts'
import { phrase, speakAs, speechNow } from '../base/words/phrase.ts'
import { type ObjectText, type PlacedValue, valuesIn } from './placed-values.ts'

/** Texts up to this length are parsed at once, without the start of a thread. */
const longestAtOnce = 200_000

/** The script of the thread, which the build writes beside the bundle. */
const script = () => join(dirname(import.meta.filename), 'parsing-thread.js')

const valuesPerMessage = 500

/** A message of the thread; the last one has no values. */
interface Message {
  readonly values?: readonly PlacedValue[]
  readonly failure?: Pick<Failure, 'kind' | 'message' | 'details'>
}

/**
 * Parses a text. A long one is parsed in another thread, because a library that parses the whole of it would let no signal
 * through. The values come in parts, so that receiving them takes no long time either.
 */
export async function* valuesApart(source: ObjectText): AsyncGenerator<PlacedValue> {
  if (source.text.length <= longestAtOnce || !existsSync(script())) return yield* valuesIn(source)
  const { Worker } = await import('node:worker_threads')
  const worker = new Worker(script(), { workerData: { source, speech: speechNow() }, execArgv: [], env: {} })
  try {
    for (;;) {
      const [message] = await once(worker, 'message').catch(error => {
        throw error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? needsMemory(source) : error
      })
      const { values, failure }: Message = message
      if (failure) throw new Failure(failure.kind, failure.message, failure.details)
      if (!values) return
      yield* values
      worker.postMessage('next')
    }
  } finally {
    await worker.terminate()
  }
}

const needsMemory = ({ name }: ObjectText) =>
  usage(
    phrase('{file} needs more memory than is available', { file: name }),
    phrase('split the file into smaller ones'),
  )

/** What the thread runs. */
export async function answerFromThread(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads')
  const send = (message: Message) => parentPort?.postMessage(message)
  let values: PlacedValue[] = []
  const sendValues = async () => {
    send({ values })
    values = []
    if (parentPort) await once(parentPort, 'message')
  }
  speakAs(workerData.speech)
  try {
    for await (const value of valuesIn(workerData.source))
      if (values.push(value) === valuesPerMessage) await sendValues()
    await sendValues()
    send({})
  } catch (error) {
    const { kind, message, details } = asFailure(error)
    send({ failure: { kind, message, details } })
  }
}
