import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Field } from '../contract/field.ts'
import { checkValue } from '../contract/kinds.ts'
import { Failure } from '../failure.ts'
import type { World } from '../world.ts'

type Person = Pick<World, 'stdin' | 'stderr'>

/** Asks for the value of a field in the way that suits its kind, until it is one; gives it normalised. */
export async function askField(person: Person, field: Field): Promise<unknown> {
  const { confirm, input, select } = await import('@inquirer/prompts')
  const message = field.words.en
  if (field.kind === 'boolean') return ask(person, streams => confirm({ message }, streams))
  if (field.kind === 'choice') return ask(person, streams => select({ message, choices: field.choices ?? [] }, streams))
  const validate = (text: string) => {
    const checked = checkValue(field, text)
    return checked.ok || `expected ${checked.expected}, such as ${checked.example}`
  }
  const checked = checkValue(field, await ask(person, streams => input({ message, validate }, streams)))
  return checked.ok ? checked.value : undefined
}

/** Asks whether to go on; Enter alone means no. */
export async function askYesNo(person: Person, question: string): Promise<boolean> {
  const { confirm } = await import('@inquirer/prompts')
  return ask(person, streams => confirm({ message: question, default: false }, streams))
}

interface Streams {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  signal: AbortSignal
}

/** Questions go to stderr, so that stdout stays the answer. Ctrl-C, Ctrl-D and the end of the input all mean: leave it. */
async function ask<T>({ stdin, stderr }: Person, question: (streams: Streams) => Promise<T>): Promise<T> {
  const leaving = new AbortController()
  // A prompt whose input closes would otherwise wait for ever.
  const onPause = () => leaving.abort()
  const output = outputTo(stderr)
  const answer = question({ input: stdin, output, signal: leaving.signal })
  stdin.once('pause', onPause)
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name))
      throw new Failure('interrupted', 'interrupted; nothing was done')
    throw error
  } finally {
    stdin.off('pause', onPause)
    // What is said next begins on a line of its own.
    await finished(output)
  }
}

const outputTo = (sink: World['stderr']) =>
  Object.assign(
    new Writable({
      write: (chunk, _, done) => {
        sink.write(chunk).then(() => done(), done)
      },
    }),
    { columns: sink.columns },
  )
