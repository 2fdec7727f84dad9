import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Failure } from '../../base/failure.ts'
import { sanitize } from '../../base/text/escaping.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import type { Field } from '../../contract/field.ts'
import { checkValue } from '../../contract/kinds/kind-values.ts'
import type { World } from '../world.ts'
import { keyboardOf } from './streams.ts'

type Terminal = Pick<World, 'stdin' | 'stderr' | 'openKeyboard' | 'hasReadStdin'>

/** Prompts for the value of a field, according to its kind, until the answer is valid; returns it normalized. */
export async function askField(terminal: Terminal, field: Field): Promise<unknown> {
  const { confirm, input, select } = await import('./inquirer.lib.ts')
  const message = field.words[interfaceLanguage()]
  if (field.kind.shape === 'flag') return ask(terminal, streams => confirm({ message }, streams))
  const { choices, kind } = field
  if (choices && !kind.isRepeatable) return ask(terminal, streams => select({ message, choices }, streams))
  const validate = (text: string) => {
    const checked = checkValue(field, text)
    return checked.ok || `expected ${checked.expected}, such as ${checked.example}`
  }
  const checked = checkValue(field, await ask(terminal, streams => input({ message, validate }, streams)))
  return checked.ok ? checked.value : undefined
}

/** Asks for a text until it is valid; `validate` returns what is wrong. */
export async function askValid(
  terminal: Terminal,
  message: string,
  validate: (text: string) => string | true,
): Promise<string> {
  const { input } = await import('./inquirer.lib.ts')
  return ask(terminal, streams => input({ message, validate }, streams))
}

/** What can be chosen, as it is shown and as it is returned. */
export interface Choice<T> {
  readonly name: string
  readonly value: T
}

/** Lets the user choose from what `source` finds for a typed term; without a term it offers what is most likely. */
export async function askChoice<T>(
  terminal: Terminal,
  message: string,
  source: (term: string, signal: AbortSignal) => Promise<readonly Choice<T>[]>,
): Promise<T> {
  const { search } = await import('./inquirer.lib.ts')
  const find = (term: string | undefined, { signal }: { signal: AbortSignal }) => source(term ?? '', signal)
  return ask(terminal, streams => search<T>({ message, source: find, pageSize: 10 }, streams))
}

/** Asks what a date means that can be read in several ways; returns it as it could have been written. */
export async function askReading(terminal: Terminal, text: string, readings: readonly string[]): Promise<string> {
  const { select } = await import('./inquirer.lib.ts')
  const choices = readings.map(value => ({ name: fullDate(value), value }))
  const message = phrase('What does "{text}" mean?', { text: sanitize(text) })
  return ask(terminal, streams => select({ message, choices }, streams))
}

/** A reading of a date with its days in full: `Saturday, 28 November 2026, 20:00`. */
const fullDate = (reading: string): string =>
  reading.replace(/(\d{4}-\d\d-\d\d)(?: (?=\d\d:))?/g, (found, day: string) => {
    const language = interfaceLanguage() === 'en' ? 'en-GB' : interfaceLanguage()
    const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day))
    return found === day ? full : `${full}, `
  })

/** Asks for a text; Enter alone gives `suggestion`. */
export async function askText(terminal: Terminal, message: string, suggestion = ''): Promise<string> {
  const { input } = await import('./inquirer.lib.ts')
  return ask(terminal, streams => input({ message, default: suggestion }, streams))
}

/** Asks for a password, which is not shown. */
export async function askPassword(terminal: Terminal, message: string): Promise<string> {
  const { password } = await import('./inquirer.lib.ts')
  return ask(terminal, streams => password({ message, mask: false }, streams))
}

/** Asks for the name of a protected profile, which confirms a write. */
export const askProfileName = (terminal: Terminal, profile: string, question?: string): Promise<string> =>
  askText(
    terminal,
    `${question === undefined ? '' : `${sanitize(question)} `}The profile ${profile} is protected; type its name to go on:`,
  ).then(name => name.trim())

/** Asks a yes/no question that has other answers as well, by their letters; Enter alone means no. */
export async function askLetter<T extends string>(
  terminal: Terminal,
  question: string,
  others: Readonly<Record<T, string>>,
): Promise<'y' | 'n' | T> {
  const { input } = await import('./inquirer.lib.ts')
  const meanings: Readonly<Record<string, string>> = { y: 'yes', n: 'no', ...others }
  const letters = Object.keys(others)
  const letterOf = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replace(/^yes$/, 'y')
      .replace(/^(no)?$/, 'n')
  const validate = (text: string) => Object.hasOwn(meanings, letterOf(text)) || meaningsOf(meanings)
  const message = `${sanitize(question)} (${['y', 'N', ...letters].join('/')})`
  return letterOf(await ask(terminal, streams => input({ message, validate, theme: emptied }, streams))) as
    | 'y'
    | 'n'
    | T
}

/** What was not accepted is gone from the line, so that the next letter is alone. */
const emptied = { validationFailureMode: 'clear' } as const

/** What letters stand for, in a line: `l: keep left, r: keep right`. */
export const meaningsOf = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([letter, meaning]) => `${letter}: ${meaning}`)
    .join(', ')

/** Asks for one of several letters; Enter alone asks again, and says what they mean. */
export async function askOneOf<T extends string>(
  terminal: Terminal,
  question: string,
  meanings: Readonly<Record<T, string>>,
): Promise<T> {
  const { input } = await import('./inquirer.lib.ts')
  const letterOf = (text: string) => text.trim().toLowerCase()
  const validate = (text: string) => Object.hasOwn(meanings, letterOf(text)) || meaningsOf(meanings)
  const message = `${sanitize(question)} (${Object.keys(meanings).join('/')})`
  return letterOf(await ask(terminal, streams => input({ message, validate, theme: emptied }, streams))) as T
}

/** Asks a yes/no question; Enter alone means no, unless yes is what most people answer. */
export async function askYesNo(terminal: Terminal, question: string, isYesUsual = false): Promise<boolean> {
  const { confirm } = await import('./inquirer.lib.ts')
  return ask(terminal, streams => confirm({ message: sanitize(question), default: isYesUsual }, streams))
}

interface Streams {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  signal: AbortSignal
}

/** Prompts go to stderr, because stdout is for data. Ctrl-C, Ctrl-D and the end of the input interrupt the command. */
async function ask<T>(terminal: Terminal, question: (streams: Streams) => Promise<T>): Promise<T> {
  const { stderr } = terminal
  const keyboard = keyboardOf(terminal) ?? terminal.stdin
  const cancellation = new AbortController()
  // Otherwise a prompt whose input closes would wait forever.
  const onPause = () => cancellation.abort()
  const output = outputTo(stderr)
  const answer = question({ input: keyboard, output, signal: cancellation.signal })
  keyboard.once('pause', onPause)
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name))
      throw new Failure('interrupted', 'interrupted; nothing was done')
    throw error
  } finally {
    keyboard.off('pause', onPause)
    // The next output must start on a new line.
    await finished(output)
  }
}

const outputTo = (sink: World['stderr']) =>
  Object.assign(
    new Writable({
      write: (chunk, _, done) => {
        sink.write(String(chunk), 'painted').then(() => done(), done)
      },
    }),
    { columns: sink.columns },
  )
