import { type Argument, Command, CommanderError, InvalidArgumentError, type Option } from 'commander'
import { phrase } from '../base/words/phrase.ts'
import { resources } from '../contract/contract.ts'
import { mistyped } from './mistyped.ts'
import { spokenName } from './terminal/spoken-name.ts'

/** What is wrong with a command line, in the language of the interface. */
export class UsageMistake extends CommanderError {
  constructor(
    /** The innermost command that was understood. */
    readonly command: Command,
    message: string,
    /** The name that was probably mistyped. */
    readonly similar?: string,
    /** The words for which the command has no place. */
    readonly words: readonly string[] = [],
  ) {
    super(2, 'calctl.usage', message)
  }
}

/**
 * A command that describes mistakes in a command line itself: commander has these sentences only in English, and its types do not declare
 * the methods for them.
 */
export class SpeakingCommand extends Command {
  override createCommand(name?: string): Command {
    return new SpeakingCommand(name)
  }

  /** `--create-missing` alone means all kinds, and must not take the name of a file for one. */
  override parseOptions(args: string[]) {
    const takesKinds = this.options.some(({ long, optional }) => long === '--create-missing' && optional)
    return super.parseOptions(takesKinds ? withKinds(args) : args)
  }

  unknownCommand(): never {
    const [word = ''] = this.args
    const known = this.commands.map(child => child.name())
    throw new UsageMistake(this, phrase("unknown command '{word}'", { word }), mistyped(word, known))
  }

  unknownOption(typed: string): never {
    // Without its value, which may be a secret.
    const [flag = ''] = /^--[^=]*|^-./.exec(typed) ?? [typed]
    const known = [this, ...parentsOf(this)].flatMap(({ options }) =>
      options.flatMap(({ hidden, long }) => (hidden ? [] : (long ?? []))),
    )
    // `venues create --name`: each resource has a word of its own for the name of its records.
    const { title } = resources.find(({ name }) => name === this.parent?.name()) ?? {}
    const isName = /^--(?:name|title)$/.test(flag) && known.includes(`--${title}`)
    const nearest = flag.startsWith('--') ? mistyped(flag, known) : undefined
    const similar = isName ? `--${title}` : nearest
    const words = this.args.slice(this.args.indexOf(typed)).slice(0, typed.includes('=') ? 1 : 2)
    throw new UsageMistake(this, phrase("unknown option '{flag}'", { flag }), similar, words)
  }

  missingArgument(name: string): never {
    throw new UsageMistake(this, phrase("missing required argument '{name}'", { name }))
  }

  optionMissingArgument({ flags }: Option): never {
    throw new UsageMistake(this, phrase("option '{flags}' argument missing", { flags }))
  }

  _excessArguments(words: readonly string[]): never {
    const expected = this.registeredArguments.length
    const message = phrase(
      "too many arguments for '{name}'. Expected {expected, plural, one {# argument} other {# arguments}} but got {count}",
      { name: this.name(), expected, count: words.length },
    )
    throw new UsageMistake(this, message, undefined, words.slice(expected))
  }

  /** The value of an option or argument; throws if it is not one of its choices. */
  _callParseArg(target: Option | Argument, value: string, previous: unknown): unknown {
    try {
      return (target as { parseArg?(value: string, previous: unknown): unknown }).parseArg?.(value, previous)
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      const { argChoices = [] } = target
      const [name, choices] = [spokenName(target.name()), argChoices.join(', ')]
      const message = phrase('{name}: expected one of {choices}, got "{value}"', { name, choices, value })
      const words = this.args.filter(word => !argChoices.includes(word))
      throw new UsageMistake(this, message, undefined, words)
    }
  }
}

/** The arguments with the kinds that follow `--create-missing` attached to it. */
function withKinds(args: readonly string[]): string[] {
  const at = args.indexOf('--create-missing')
  if (at < 0 || args.slice(0, at).includes('--')) return [...args]
  const [kinds] = /^(?:(?:venues|organizers|categories|tags)(?:,|$))+$/.exec(args[at + 1] ?? '') ?? []
  return args.toSpliced(at, kinds ? 2 : 1, `--create-missing=${kinds ?? 'all'}`)
}

const parentsOf = ({ parent }: Command): readonly Command[] => (parent ? [parent, ...parentsOf(parent)] : [])
