import type { Argument, Command, Option } from 'commander'
import { foldCase } from '../../../base/text/folding.ts'

/** A completion of the word under the cursor, and its description. */
export interface Completion {
  readonly value: string
  readonly about?: string
}

/** What Tab offers: candidates, or files where a file is expected. */
export interface Offer {
  readonly candidates: readonly Completion[]
  readonly files?: true
  /** Whether the word continues after a completion. */
  readonly goesOn?: true
}

/** The completions that begin with what was typed; if there are none, those that do without regard to case and accents. */
export function fitting(candidates: readonly Completion[], typed: string): readonly Completion[] {
  const exact = candidates.filter(({ value }) => value.startsWith(typed))
  if (exact.length > 0) return exact
  const start = foldCase(typed)
  return candidates.filter(({ value }) => foldCase(value).startsWith(start))
}

/** The part of a list that is being typed: `tit` of `id,tit`. */
const elementOf = (typed: string): string => typed.slice(typed.lastIndexOf(',') + 1)

/** Candidates for the last element of a list, with the elements before it. */
export function inList(typed: string, candidates: readonly Completion[]): Offer {
  const before = typed.slice(0, typed.length - elementOf(typed).length)
  const taken = new Set(before.split(','))
  return {
    candidates: candidates
      .filter(({ value }) => !taken.has(value))
      .map(candidate => ({ ...candidate, value: before + candidate.value })),
  }
}

/** What the word under the cursor can be. */
type Expected =
  | { readonly kind: 'option'; readonly command: Command }
  | { readonly kind: 'value'; readonly command: Command; readonly option: Option }
  | { readonly kind: 'command'; readonly command: Command }
  | {
      readonly kind: 'argument'
      readonly command: Command
      readonly argument: Argument
      /** The arguments before the cursor. */
      readonly before: readonly string[]
    }
  | { readonly kind: 'nothing' }

/** Where the cursor is in a command line. */
export interface Cursor {
  readonly expected: Expected
  /** The part of the word that is already typed: `tod` in `--from=tod`. */
  readonly typed: string
  /** What comes before that part in the same word: `--from=`. */
  readonly lead: string
}

/** Follows the words of a command line through the tree; the last word is the one under the cursor. */
export function cursorAt(root: Command, words: readonly string[]): Cursor {
  const walk = new TreeWalk(root)
  for (const word of words.slice(0, -1)) walk.read(word)
  const { command, awaited } = walk
  const typed = words.at(-1) ?? ''
  if (awaited) return { expected: { kind: 'value', command, option: awaited }, typed, lead: '' }
  const [, lead = '', flag = '', rest = ''] = /^((--[^=]+)=)(.*)/s.exec(typed) ?? []
  const inline = walk.isPastOptions ? undefined : walk.optionNamed(flag)
  if (inline && takesValue(inline)) return { expected: { kind: 'value', command, option: inline }, typed: rest, lead }
  const expected: Expected = walk.isOption(typed) ? { kind: 'option', command } : walk.expectedName()
  return { expected, typed, lead: '' }
}

/** Where the words before the cursor lead to. */
class TreeWalk {
  command: Command
  /** The option whose value is the next word. */
  awaited: Option | undefined
  isPastOptions = false
  readonly #root: Command
  /** The arguments. */
  readonly #before: string[] = []

  constructor(root: Command) {
    this.#root = root
    this.command = root
  }

  read(word: string): void {
    if (this.awaited) this.awaited = undefined
    else if (word === '--' && !this.isPastOptions) this.isPastOptions = true
    else if (this.isOption(word)) this.#readOption(word)
    else this.#readName(word)
  }

  isOption(word: string): boolean {
    return word.startsWith('-') && word !== '-' && !this.isPastOptions
  }

  optionNamed(flag: string): Option | undefined {
    const known = [...new Set([this.command, this.#root])].flatMap(({ options }) => options)
    return known.find(({ long, short }) => long === flag || short === flag)
  }

  #readOption(word: string): void {
    const [flag = '', ...rest] = word.split('=')
    const option = this.optionNamed(flag)
    if (option && rest.length === 0 && takesValue(option)) this.awaited = option
  }

  #readName(word: string): void {
    const child = this.command.commands.find(one => one.name() === word)
    if (child) this.command = child
    else this.#before.push(word)
  }

  /** What a word that is not an option should be. */
  expectedName(): Expected {
    const command = this.command
    const before = this.#before
    if (command.commands.length > 0) return before.length === 0 ? { kind: 'command', command } : { kind: 'nothing' }
    const last = command.registeredArguments.at(-1)
    const argument = command.registeredArguments[before.length] ?? (last?.variadic ? last : undefined)
    return argument ? { kind: 'argument', command, argument, before } : { kind: 'nothing' }
  }
}

const takesValue = ({ required, optional }: Option): boolean => required || optional

/** Parts of words: a character after a backslash, a text in quotes, one without; and the blanks between words. */
const wordParts = /\\(.?)|'([^']*)'?|"((?:\\.|[^"\\])*)"?|([^\s'"\\]+)|\s+/gs

/**
 * The words of a command line up to the cursor, as a shell would split it. The last one is still being typed, and may be empty or have an
 * open quote. Nothing is expanded.
 */
export function typedWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (const [, escaped, literal, quoted, plain] of line.matchAll(wordParts)) {
    const part = escaped ?? literal ?? quoted?.replace(/\\(.)/gs, '$1') ?? plain
    if (part === undefined && word !== undefined) words.push(word)
    word = part === undefined ? undefined : (word ?? '') + part
  }
  return [...words, word ?? '']
}
