import type { Argument, Command, Option } from 'commander'
import { foldCase } from '../../../base/text/similarity.ts'

/** A word that the cursor's word can become, and what it is. */
export interface Completion {
  readonly value: string
  readonly about?: string
  /** What people may type for it instead: the title of a record. */
  readonly title?: string
  /** Whether its signs are our own or the user's: they may mean something to a shell, whose script quotes them. */
  readonly isOwn?: true
}

/** What Tab offers: candidates, or files where a file is expected. */
export interface Offer {
  readonly candidates: readonly Completion[]
  readonly files?: true
  /** Whether more belongs to the same word. */
  readonly goesOn?: true
}

/**
 * The candidates that begin with what is typed; if there are none, those of which the name or the title does, whatever the case and the
 * accents; else those with a word in the title that does.
 */
export function fitting(candidates: readonly Completion[], typed: string): readonly Completion[] {
  const exact = candidates.filter(({ value }) => value.startsWith(typed))
  if (exact.length > 0) return exact
  const start = foldCase(typed)
  const begins = candidates.filter(({ value, title }) =>
    [value, title ?? ''].some(text => foldCase(text).startsWith(start)),
  )
  if (begins.length > 0 || start === '') return begins
  const words = ` ${spaced(start)}`
  return candidates.filter(({ title = '' }) => ` ${spaced(foldCase(title))}`.includes(words))
}

const spaced = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ')

/** A shell puts a candidate on the command line as it stands, and it may come from a site: nothing in it may mean more than itself. */
export const isPlainWord = (value: string): boolean => /^[\p{L}\p{M}\p{N}@%_+=:,./-]*$/u.test(value)

/** The part of a list that is being typed: `tit` of `id,tit`. */
export const elementOf = (typed: string): string => typed.slice(typed.lastIndexOf(',') + 1)

/** A candidate behind what is typed of the same word. */
export const after = (before: string, { title, ...candidate }: Completion): Completion => ({
  ...candidate,
  value: before + candidate.value,
  ...(title !== undefined && { title: before + title }),
})

/** Candidates for the last element of a list, with the elements before it. */
export function inList(typed: string, candidates: readonly Completion[]): Offer {
  const before = typed.slice(0, typed.length - elementOf(typed).length)
  const taken = new Set(before.split(','))
  return {
    candidates: candidates.filter(({ value }) => !taken.has(value)).map(candidate => after(before, candidate)),
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
  /** The part of the word that is already typed: `tod` of `--from=tod`. */
  readonly typed: string
  /** What stands before that part in the same word: `--from=`. */
  readonly lead: string
  /** The values of the options before the cursor, by their long names; true for one that takes none. */
  readonly given: ReadonlyMap<string, string | true>
}

/** Follows the words of a command line through the tree; the last word is the one under the cursor. */
export function cursorAt(root: Command, words: readonly string[]): Cursor {
  const given = new Map<string, string | true>()
  const typed = words.at(-1) ?? ''
  const known = (): readonly Option[] => [...command.options, ...(command === root ? [] : root.options)]
  const optionNamed = (flag: string) => known().find(({ long, short }) => long === flag || short === flag)
  let command = root
  let values: Option | undefined
  const before: string[] = []
  let isPastOptions = false
  for (const word of words.slice(0, -1)) {
    if (values) {
      given.set(nameOf(values), word)
      values = undefined
    } else if (word === '--' && !isPastOptions) isPastOptions = true
    else if (word.startsWith('-') && word !== '-' && !isPastOptions) {
      const [flag = '', ...rest] = word.split('=')
      const option = optionNamed(flag)
      if (option && rest.length > 0) given.set(nameOf(option), rest.join('='))
      else if (option && takesValue(option)) values = option
      else if (option) given.set(nameOf(option), true)
    } else {
      const child = command.commands.find(one => one.name() === word)
      if (child) command = child
      else before.push(word)
    }
  }
  const at = (expected: Expected, lead = '', rest = typed): Cursor => ({ expected, typed: rest, lead, given })
  if (values) return at({ kind: 'value', command, option: values })
  const [, lead = '', flag = '', rest = ''] = /^((--[^=]+)=)(.*)/s.exec(typed) ?? []
  const inline = isPastOptions ? undefined : optionNamed(flag)
  if (inline && takesValue(inline)) return at({ kind: 'value', command, option: inline }, lead, rest)
  if (typed.startsWith('-') && typed !== '-' && !isPastOptions) return at({ kind: 'option', command })
  if (command.commands.length > 0) return at(before.length === 0 ? { kind: 'command', command } : { kind: 'nothing' })
  const last = command.registeredArguments.at(-1)
  const argument = command.registeredArguments[before.length] ?? (last?.variadic ? last : undefined)
  return at(argument ? { kind: 'argument', command, argument, before } : { kind: 'nothing' })
}

const nameOf = ({ long, flags }: Option): string => long ?? flags

const takesValue = ({ required, optional }: Option): boolean => required || optional

/**
 * The words of a command line up to the cursor, as a shell would split it; the last one is still being typed, and may be empty. A
 * quote that is not closed yet belongs to it. Nothing is expanded.
 */
export function typedWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? ''
    if (character === '\\' && quote !== "'") {
      index += 1
      word = (word ?? '') + (line[index] ?? '')
    } else if (quote !== '') {
      if (character === quote) quote = ''
      else word += character
    } else if (character === "'" || character === '"') {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  return [...words, word ?? '']
}
