import type { Command, Option } from 'commander'
import { hidden, isSecretName, shellWord } from '../../../base/text/escaping.ts'
import { readDayAndTime, readMonthOf } from '../../../base/time/date-grammar.ts'
import { readWeek } from '../../../base/time/typed-dates.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { resources } from '../../../contract/contract.ts'
import type { Resource } from '../../../contract/resource.ts'
import { commandWords, englishWordFor, meaningIn, optionWords, splitWords, verbWords } from './known-words.ts'
import { rootOf } from './tree-description.ts'

/** A command line, and the word after which it is not understood any more. */
interface Stop {
  readonly command: Command
  readonly before: readonly string[]
  readonly word: string
  readonly after: readonly string[]
}

/** The hint for a command line with an unknown command; undefined if the word has no known meaning. */
export function commandMeant(root: Command, args: readonly string[]): string | undefined {
  const words = withEnglishNames(root, args)
  const meant = knownWords(root, words) ?? (words === args ? undefined : words)
  return meant && hintFor(root, words, meant)
}

/** A command line in which names in Catalan or Spanish are replaced: `esdeveniments crea` by `events create`. */
function withEnglishNames(root: Command, args: readonly string[]): readonly string[] {
  let words = args
  for (let stop = firstUnknown(root, words); stop; stop = firstUnknown(root, words)) {
    const { before, word, after } = stop
    const name = englishWordFor(word)
    if (name === undefined) return words
    words = [...before, name, ...(isVerb(name) ? withEnglishNoun(after) : after)]
  }
  return words
}

/** `crea esdeveniment`: the resource comes after the verb. */
function withEnglishNoun([noun = '', ...rest]: readonly string[]): readonly string[] {
  const name = englishWordFor(noun)
  return [resources.some(one => one.name === name || one.singular === name) ? name : noun, ...rest].flatMap(
    word => word || [],
  )
}

const isVerb = (word: string): boolean => verbWords.some(([, meaning]) => splitWords(meaning)[0] === word)

/**
 * A hint never changes more than the words that were typed. For commands that only read, calctl may guess more. For those that may write, a
 * hint at most replaces names of commands; if that is not enough, it names the help.
 */
function hintFor(root: Command, args: readonly string[], meant: readonly string[]): string {
  const command = commandNamed(root, meant)
  return isReading(command, meant) || hasOtherNamesOnly(args, meant, pathTo(command))
    ? didYouMean(meant)
    : usageHint(command)
}

const didYouMean = (args: readonly string[]): string => phrase('did you mean: {command}', { command: typed(args) })

const usageHint = (command: Command): string =>
  phrase('see the usage with: {command} --help', { command: ['calctl', ...pathTo(command)].join(' ') })

const readingCommands = new Set(
  'list get history show agenda month status diff export whoami doctor lint doc routes help'.split(' '),
)

/** Whether a command with these options only reads. */
const isReading = (command: Command, words: readonly string[]): boolean =>
  command.parent === null ||
  (readingCommands.has(command.name()) && !words.some(word => word === '--fix' || word === '--write'))

/** Whether two command lines differ only in names of commands. calctl does not choose a resource for the user. */
function hasOtherNamesOnly(args: readonly string[], meant: readonly string[], names: readonly string[]): boolean {
  const added = meant.filter(word => !args.includes(word))
  const kept = args.filter(word => meant.includes(word))
  const isChosen = (name: string) =>
    resources.some(
      one => one.name === name && !args.some(word => word === one.singular || meaningIn(commandWords, word)),
    )
  return (
    added.every(word => names.includes(word) && !isChosen(word)) &&
    args.every(word => meant.includes(word) || !word.startsWith('-')) &&
    kept.filter(word => !names.includes(word)).join('\n') === meant.filter(word => !names.includes(word)).join('\n')
  )
}

/** The innermost command that the words name. */
function commandNamed(root: Command, words: readonly string[]): Command {
  let command = root
  for (const word of words) command = command.commands.find(child => child.name() === word) ?? command
  return command
}

const pathTo = (command: Command): string[] => (command.parent ? [...pathTo(command.parent), command.name()] : [])

function knownWords(root: Command, args: readonly string[]): readonly string[] | undefined {
  let words = args
  // `event add` has two other words.
  for (let round = 0; round < 3; round++) {
    const stop = firstUnknown(root, words)
    if (!stop) return round === 0 ? undefined : words
    const meant = meaningOf(stop)
    if (!meant) return undefined
    words = meant
  }
  return undefined
}

/** Where the words stop naming commands; undefined if they lead to a command without subcommands. */
function firstUnknown(root: Command, args: readonly string[]): Stop | undefined {
  let command = root
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (word.startsWith('-')) {
      index += takesNext(root, word) ? 1 : 0
      continue
    }
    const child = command.commands.find(one => one.name() === word)
    if (!child) return { command, before: args.slice(0, index), word, after: args.slice(index + 1) }
    command = child
    if (command.commands.length === 0) return undefined
  }
  return undefined
}

const takesNext = (root: Command, word: string): boolean =>
  root.options.some(option => (option.long === word || option.short === word) && option.required)

const meaningOf = (stop: Stop): readonly string[] | undefined =>
  stop.command.parent ? meaningOfVerb(stop) : meaningOfCommand(stop)

/** The meaning of a word after the name of a resource. */
function meaningOfVerb({ command, before, word, after }: Stop): readonly string[] | undefined {
  const isResource = resources.some(({ name }) => name === command.name())
  if (!isResource) return undefined
  if (/^\d+$/.test(word)) return [...before, 'get', word, ...after]
  if (meaningIn(commandWords, word) === 'apply …') return ['apply', ...after]
  if (word === 'export') return ['export', command.name(), ...after]
  if (isCommand(rootOf(command), word)) return [word, ...after]
  return filled(before, meaningIn(verbWords, word), after)
}

/** The meaning of a word in place of a command. */
function meaningOfCommand({ command, before, word, after }: Stop): readonly string[] | undefined {
  const resource = resources.find(({ singular }) => singular === word)
  if (resource) return [...before, resource.name, ...after]
  const [next = ''] = after
  if (/^(auth|account|config)$/.test(word) && next !== '' && !next.startsWith('-'))
    return isCommand(command, next) || meaningIn(commandWords, next)
      ? [...before, ...after]
      : [...before, 'profiles', ...after]
  if (word === 'upload' && recordFile.test(next)) return [...before, 'apply', ...after]
  const whole = meaningIn(commandWords, word)
  if (whole) return filled(before, whole, after)
  const [noun, ...rest] = after
  const named = resources.find(({ name, singular }) => noun === name || noun === singular)
  return filled(
    [...before, named?.name ?? 'events'],
    isVerb(word) ? `${word} …` : meaningIn(verbWords, word),
    named ? rest : after,
  )
}

const isCommand = (root: Command, word: string): boolean => root.commands.some(child => child.name() === word)

/** A file that `apply` reads. */
const recordFile = /\.(csv|tsv|xlsx|ods|json|ndjson|ya?ml|ics)$/i

/** The words of a meaning, completed with what was typed: after `move`, a new time or a distance is the value of the option. */
function filled(before: readonly string[], meaning: string | undefined, after: readonly string[]) {
  if (meaning === undefined) return undefined
  const last = after.at(-1) ?? ''
  if (meaning.endsWith('--search …')) return [...before, 'list', ...searched(after)]
  if (meaning.includes('--shift') && /^[+]\d/.test(last))
    return [...before, 'update', ...after.slice(0, -1), '--shift', last]
  if (meaning.includes('--shift') && after.length > 1 && /^\d+-\d+|\d:\d/.test(last))
    return [...before, 'update', ...after.slice(0, -1), '--start-date', last]
  return splitWords(meaning).flatMap((word, index) => [
    ...(index === 0 ? before : []),
    ...(word === '…' ? after : [word]),
  ])
}

/** The words before the first option, as one text to search for. */
function searched(after: readonly string[]): string[] {
  const end = after.findIndex(word => word.startsWith('-'))
  const text = after.slice(0, end < 0 ? undefined : end)
  return text.length === 0 ? [...after] : ['--search', text.join(' '), ...after.slice(text.length)]
}

/**
 * The hint for a command line with excess words: an ID to get, a day or a month to list, or a text to search for. No word is taken as
 * something to write.
 */
export function argumentMeant(
  command: Command,
  args: readonly string[],
  excess: readonly string[],
): string | undefined {
  if (!isReading(command, args)) return undefined
  const meant = withoutExcess(command, args, excess)
  return meant && didYouMean(meant)
}

function withoutExcess(
  command: Command,
  args: readonly string[],
  excess: readonly string[],
): readonly string[] | undefined {
  const words = wordsWithout(args, excess)
  if (!words) return undefined
  const text = excess.join(' ')
  const flags = new Set(command.options.map(({ long }) => long))
  const named = resources.some(({ name }) => name === command.parent?.name())
  if (named && command.name() === 'list' && excess.every(word => /^\d+$/.test(word)))
    return [...words.map(word => (word === 'list' ? 'get' : word)), ...excess]
  const option = optionFor(text, flags)
  return option && [...words, ...option]
}

/** The words without the last occurrence of each excess word; undefined if one is missing. */
function wordsWithout(args: readonly string[], excess: readonly string[]): readonly string[] | undefined {
  const words = [...args]
  for (const word of excess.toReversed()) {
    const index = words.lastIndexOf(word)
    if (index < 0) return undefined
    words.splice(index, 1)
  }
  return words
}

/** The option with which a command lists what a text names: a week, a month or a day, or else a search for the text. */
function optionFor(text: string, flags: ReadonlySet<string | undefined>): readonly string[] | undefined {
  const now = '2026-01-01 00:00:00'
  const isDay = readDayAndTime(text, { now }) !== undefined
  const options: readonly (readonly [option: readonly string[], isMeant: boolean])[] = [
    [['--weekend'], /^(this )?weekend$|cap de setmana|fin de semana/i.test(text)],
    [['--week'], /^(?:(?:this )?week|(?:aquesta )?setmana|(?:esta )?semana)$/i.test(text)],
    [['--week', text], !isDay && readWeek(text, now).ok],
    [['--month', text], /\D/.test(text) && readMonthOf(text, now) !== undefined],
    [['--on', text], isDay],
    [['--search', text], true],
  ]
  return options.find(([[flag], isMeant]) => isMeant && flags.has(flag))?.[0]
}

/** The hint for a command line with an option that its command does not have. */
export function optionMeant(command: Command, args: readonly string[], flag: string): string | undefined {
  const [name = ''] = flag.replace(/^--?/, '').split('=')
  const known: readonly Option[] = [...command.options, ...rootOf(command).options]
  const has = (long: string) => known.some(option => option.long === long)
  const english = englishWordFor(name) ?? name
  const index = args.findIndex(word => word === flag || word.startsWith(`--${name}=`))
  if (index < 0) return undefined
  const resource = resources.find(one => one.name === command.parent?.name())
  // For a field without a filter, lists have `--where`.
  const isCondition = (long: string) => command.name() === 'list' && has('--where') && isField(resource, long)
  const possible = [`--${english}`, ...splitWords(meaningIn(optionWords, english) ?? '')]
  const meant = possible.find(long => has(long) || isCondition(long))
  if (meant && resource && !has(meant)) return conditionMeant(args, index, { resource, name: fieldOf(meant) })
  // With an option that selects records or answers a question, a command that writes would do more.
  const isSafe = isReading(command, args) || meant === '--dry-run' || isField(resource, meant)
  if (meant && !isSafe) return usageHint(command)
  if (meant) return didYouMean(args.with(index, (args[index] ?? '').replace(/^[^=]*/, meant)))
  const isOfEvents = command.name() === 'list' && resource && daysFlags.includes(english)
  return isOfEvents ? didYouMean(args.map(word => (word === resource.name ? 'events' : word))) : undefined
}

/** The hint for an option with the name of a field, which means a condition. */
function conditionMeant(args: readonly string[], index: number, field: { resource: Resource; name: string }): string {
  const [, inline] = /=(.*)/s.exec(args[index] ?? '') ?? []
  const value = inline ?? args[index + 1] ?? ''
  const rest = args.slice(index + (inline === undefined ? 2 : 1))
  const { resource, name } = field
  const sign = resource.fields[name]?.kind.shape === 'prose' ? '~' : '='
  return didYouMean([...args.slice(0, index), '--where', `${name}${sign}${value}`, ...rest])
}

/** The field that an option sets. */
const fieldOf = (option: string): string => option.slice(2).replaceAll('-', '_')

const isField = (resource: Resource | undefined, option = ''): boolean =>
  resource !== undefined && fieldOf(option) in resource.fields

/** Only events have days. */
const daysFlags = ['on', 'from', 'to', 'week', 'month', 'weekend', 'today']

/** A command line to type, without secrets. */
const typed = (args: readonly string[]): string =>
  ['calctl', ...args.map((word, index) => (isSecret(args[index - 1]) ? hidden : shellWord(hideValue(word))))].join(' ')

const isSecret = (flag = ''): boolean => flag.startsWith('--') && isSecretName(flag.slice(2))

const hideValue = (word: string): string => {
  const [name = ''] = word.split('=', 1)
  return isSecret(name) && name !== word ? `${name}=${hidden}` : word
}
