import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { styleText } from 'node:util'
import { Failure } from '../../base/failure.ts'
import { sanitize } from '../../base/text/escaping.ts'
import { capitalized } from '../../base/text/sentence-parts.ts'
import { readYesNo } from '../../base/text/yes-no.ts'
import { writtenDay } from '../../base/time/calendar-words.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import type { Field } from '../../contract/field.ts'
import { checkValue } from '../../contract/kinds/kind-values.ts'
import type { World } from '../world.ts'
import type { input } from './inquirer.lib.ts'
import { spokenName } from './spoken-name.ts'
import { keyboardOf } from './streams.ts'
import { wrapSentences } from './wrapped-sentences.ts'

type Terminal = Pick<World, 'stdin' | 'stderr' | 'openKeyboard' | 'hasReadStdin'>

/** Prompts for the value of a field, according to its kind, until the answer is valid; returns it normalized. */
export async function askField(terminal: Terminal, field: Field): Promise<unknown> {
  const message = field.words[interfaceLanguage()]
  if (field.kind.shape === 'flag') return askYesNo(terminal, message, { usual: 'yes' })
  const { choices, kind } = field
  if (choices && !kind.isRepeatable)
    return askOneFrom(
      terminal,
      message,
      choices.map(value => ({ name: value, value })),
    )
  const validate = (text: string) => {
    const checked = checkValue(field, text)
    return (
      checked.ok ||
      phrase('expected {expected}, such as {example}', { expected: checked.expected, example: checked.example })
    )
  }
  const checked = checkValue(field, await askLine(terminal, { message, validate }))
  return checked.ok ? checked.value : undefined
}

/** Further properties of a question in a dialog. */
export interface Asking {
  /** The text in the line at the beginning, to be changed or kept. */
  readonly initial?: string | undefined
  /** The answer for Enter alone, in a yes/no question. */
  readonly usual?: 'yes' | 'no' | undefined
  /** Whether `<` goes back to the previous question: then `WentBack` is thrown. */
  readonly canGoBack?: boolean
}

/** The user wants to go back to the previous question. */
export class WentBack extends Error {}

/** The text that was in the line need not be deleted first. */
const isBack = (text: string, { canGoBack, initial = '' }: Pick<Asking, 'canGoBack' | 'initial'>): boolean =>
  canGoBack === true && ['<', `${initial}<`].includes(text.trim())

/** Asks for a text until it is valid; `validate` returns what is wrong. */
export async function askValid(
  terminal: Terminal,
  message: string,
  validate: (text: string) => string | true | Promise<string | true>,
  asking: Asking = {},
): Promise<string> {
  const { initial } = asking
  const check = (text: string) => isBack(text, asking) || validate(text)
  const kept = initial === undefined ? {} : ({ default: initial, prefill: 'editable' } as const)
  const text = await askLine(terminal, { message, validate: check, ...kept })
  if (isBack(text, asking)) throw new WentBack()
  return text
}

/** Something to choose: its text, and the value that is returned. */
export interface Choice<T> {
  readonly name: string
  readonly value: T
}

const backValue: unique symbol = Symbol('back')

const backChoice = (): Choice<typeof backValue> => ({ name: phrase('Back'), value: backValue })

/** The answer, unless it is to go back. */
function unlessBack<T>(answer: T | typeof backValue): T {
  if (answer === backValue) throw new WentBack()
  return answer as T
}

/**
 * Lets the user choose from what `source` finds for a typed term; without a term, it offers the most likely choices, with `usual` first.
 */
export async function askChoice<T>(
  terminal: Terminal,
  message: string,
  source: (term: string, signal: AbortSignal) => Promise<readonly Choice<T>[]>,
  asking: Omit<Asking, 'usual'> & { readonly usual?: T } = {},
): Promise<T> {
  const { search } = await import('./inquirer.lib.ts')
  const { initial, canGoBack = false, usual } = asking
  const find = async (term = '', { signal }: { signal: AbortSignal }) =>
    isBack(term, { canGoBack, initial }) ? [backChoice()] : inMenu(terminal, await source(term, signal))
  const chosen = {
    message: sanitize(message),
    ...(usual !== undefined && { default: usual }),
    ...(initial !== undefined && { initialValue: initial }),
  }
  return unlessBack(
    await ask(terminal, streams =>
      search<T | typeof backValue>({ source: find, pageSize: 10, theme: theme(), ...chosen }, streams),
    ),
  )
}

/** Choices wrapped between words, which the library would break. */
const inMenu = <T>(terminal: Terminal, choices: readonly Choice<T>[]): Promise<Choice<T>[]> =>
  Promise.all(choices.map(async one => ({ ...one, name: await wrapQuestion(terminal, sanitize(one.name)) })))

/** Lets the user choose from a few; Enter alone takes the first. `hasTip` shows which keys to press. */
export async function askOneFrom<T>(
  terminal: Terminal,
  message: string,
  choices: readonly Choice<T>[],
  { canGoBack = false, hasTip = true }: Pick<Asking, 'canGoBack'> & { readonly hasTip?: boolean } = {},
): Promise<T> {
  const { select } = await import('./inquirer.lib.ts')
  const all = await inMenu<T | typeof backValue>(terminal, [...choices, ...(canGoBack ? [backChoice()] : [])])
  return unlessBack(
    await ask(terminal, streams =>
      select<T | typeof backValue>({ message: sanitize(message), choices: all, theme: theme(hasTip) }, streams),
    ),
  )
}

/** Asks which reading of a date is meant; returns it in an unambiguous form. */
export const askReading = (terminal: Terminal, text: string, readings: readonly string[], canGoBack = false) =>
  askOneFrom(
    terminal,
    phrase('What does "{text}" mean?', { text }),
    readings.map(value => ({ name: fullDate(value), value })),
    { canGoBack },
  )

/** A reading of a date with its days in full: `Saturday, 28 November 2026, 20:00`. */
const fullDate = (reading: string): string =>
  reading.replace(/(\d{4}-\d\d-\d\d)(?: (?=\d\d:))?/g, (found, day: string) => {
    const language = interfaceLanguage()
    const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(new Date(day))
    const full = `${weekday}, ${writtenDay(day, language)}`
    return found === day ? full : `${full}, `
  })

/** Asks for a text; Enter alone gives `suggestion`. */
export const askText = (terminal: Terminal, message: string, suggestion = ''): Promise<string> =>
  askLine(terminal, { message, default: suggestion })

/** Asks for a password, which is not shown. */
export async function askPassword(terminal: Terminal, message: string): Promise<string> {
  const { password } = await import('./inquirer.lib.ts')
  const wrapped = await wrapQuestion(terminal, message, phrase('[input is masked]').length)
  return ask(terminal, streams => password({ message: wrapped, mask: false, theme: theme() }, streams))
}

/** Asks for the name of a protected profile, which confirms a write. */
export const askProfileName = (terminal: Terminal, profile: string, question?: string): Promise<string> =>
  askText(
    terminal,
    `${question === undefined ? '' : `${sanitize(question)} `}${phrase('The profile {profile} is protected; type its name to go on:', { profile })}`,
  ).then(name => name.trim())

/** Translates the library's own words in prompts. */
function theme(hasTip = true) {
  const tip = (keys: [key: string, action: string][]) =>
    keys
      .map(([key, action]) => `${styleText('bold', key)} ${styleText('dim', spokenName(action))}`)
      .join(styleText('dim', ' • '))
  const keysHelpTip = hasTip ? tip : () => undefined
  const error = (text: string) => styleText('red', `> ${spokenName(text)}`)
  return { style: { keysHelpTip, error, maskedText: phrase('[input is masked]') } }
}

/** The letter for yes in the language of the interface; the letter for no is the same in all of them. */
const yesLetter = (): string => (interfaceLanguage() === 'en' ? 'y' : 's')

/** Asks a yes/no question that also has other answers, by their letters; Enter alone means no. */
export async function askLetter<T extends string>(
  terminal: Terminal,
  question: string,
  others: Readonly<Record<T, string>>,
): Promise<'y' | 'n' | T> {
  const meanings = { [yesLetter()]: phrase('yes'), n: phrase('no'), ...others }
  const letterOf = (text: string) => {
    if (Object.hasOwn(others, text)) return text as T
    const isYes = text === '' ? false : readYesNo(text)
    return isYes === undefined ? undefined : isYes ? 'y' : 'n'
  }
  return askRead(terminal, `${sanitize(question)} (${yesLetter()}/N, ${phrase('? for more')})`, letterOf, meanings)
}

/** Asks until the answer, in lower case, is one of these letters. */
async function askRead<T extends string>(
  terminal: Terminal,
  question: string,
  letterOf: (text: string) => T | undefined,
  meanings: Readonly<Record<string, string>>,
): Promise<T> {
  const read = (typed: string) => letterOf(typed.trim().toLowerCase())
  const validate = (text: string) => read(text) !== undefined || meaningsOf(meanings)
  return read(await askLine(terminal, { message: question, validate, theme: emptied })) as T
}

/** A question wrapped between words, which the library would break, with room for the mark before it and what comes after it. */
const wrapQuestion = ({ stderr: { isTTY, columns = 0 } }: Terminal, question: string, after = 0): Promise<string> =>
  wrapSentences(question, { isTTY, columns: Math.max(0, columns - roomBesideQuestion - after) })

const roomBesideQuestion = 6

/** Clears an answer that was not accepted, so that the next letter is alone in the line. */
const emptied = { validationFailureMode: 'clear' } as const

/** The meanings of letters, on one line: `l: keep left, r: keep right`. */
export const meaningsOf = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([letter, meaning]) => `${letter}: ${meaning}`)
    .join(', ')

/** Asks for one of several letters; Enter alone asks again, with their meanings. */
export const askOneOf = <T extends string>(
  terminal: Terminal,
  question: string,
  meanings: Readonly<Record<T, string>>,
): Promise<T> => {
  const letters = Object.keys(meanings) as T[]
  const letterOf = (text: string) => letters.find(letter => letter === text)
  return askRead(terminal, `${sanitize(question)} (${letters.join('/')})`, letterOf, meanings)
}

/** Asks a yes/no question; Enter alone means no, unless the usual answer is yes. */
export async function askYesNo(terminal: Terminal, question: string, asking: Asking = {}): Promise<boolean> {
  const isYesUsual = asking.usual === 'yes'
  const isYes = (typed: string) => (typed.trim() === '' ? isYesUsual : readYesNo(typed))
  const letters = isYesUsual ? `${yesLetter().toUpperCase()}/n` : `${yesLetter()}/N`
  const validate = (text: string) =>
    isBack(text, asking) || isYes(text) !== undefined || phrase('type {yes} for yes or n for no', { yes: yesLetter() })
  const transformer = (text: string, { isFinal }: { isFinal: boolean }) => {
    if (!isFinal || isBack(text, asking)) return text
    return capitalized(isYes(text) ? phrase('yes') : phrase('no'))
  }
  const message = `${sanitize(question)} (${letters})`
  const answer = await askLine(terminal, { message, validate, transformer, theme: emptied })
  if (isBack(answer, asking)) throw new WentBack()
  return isYes(answer) === true
}

interface Streams {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  signal: AbortSignal
}

/** Asks for a line of text. */
async function askLine(terminal: Terminal, line: Parameters<typeof input>[0]): Promise<string> {
  const { input } = await import('./inquirer.lib.ts')
  const message = await wrapQuestion(terminal, line.message)
  const validate = async (text: string) => {
    const checked = (await line.validate?.(text)) ?? true
    return typeof checked === 'string' ? wrapQuestion(terminal, spokenName(checked)) : checked
  }
  return ask(terminal, streams => input({ ...line, message, validate }, streams))
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
      throw new Failure('interrupted', phrase('interrupted; nothing was done'))
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
