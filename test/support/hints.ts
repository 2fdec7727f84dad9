import { type Command, CommanderError } from 'commander'
import { commandTree } from './command-tree.ts'
import { words } from './world.ts'

/** The command lines in a text: each from `calctl` to the end of its clause, the longest first. */
function commandLines(text: string): string[][] {
  const starts = [...text.matchAll(/(?<![\w/.@-])calctl (?=[a-z-])/g)].map(({ index }) => index)
  return starts.map(start => {
    const rest = text.slice(start).split('\n')[0] ?? ''
    const ends = [...rest.matchAll(/[;,.:)]? |[;,.:)]?$/g)].map(({ index }) => rest.slice(0, index))
    return ends.toReversed()
  })
}

let tree: Command | undefined

/** The program’s commands, which only parse what they are given. */
function parser(): Command {
  if (tree) return tree
  const root = commandTree()
  const silence = (command: Command) => {
    command.exitOverride().configureOutput({ writeOut() {}, writeErr() {} })
    if (command.commands.length === 0) command.action(() => {})
    for (const child of command.commands) silence(child)
  }
  silence(root)
  tree = root
  return root
}

const known = new Map<string, boolean>()

/** Whether the program takes a command line. */
async function doesParse(line: string): Promise<boolean> {
  const answer = known.get(line)
  if (answer !== undefined) return answer
  let doesParse = true
  try {
    // An ellipsis stands for the value of an option, or for any command.
    const filled = line.replace(/(--\S+) …/g, '$1 https://example.org').replace(/…/g, 'events list')
    await parser().parseAsync(words(filled).slice(1), { from: 'user' })
  } catch (error) {
    doesParse = error instanceof CommanderError && error.exitCode === 0
  }
  known.set(line, doesParse)
  return doesParse
}

/** Whether a text after `calctl` is about the program, and not a command: `calctl keeps its lock`. */
const isSentence = (line: string): boolean => {
  const [word = ''] = words(line).slice(1)
  return !word.startsWith('-') && !parser().commands.some(command => command.name() === word)
}

/** The command lines in a text that the program would refuse. */
export async function unparsable(text: string): Promise<string[]> {
  const wrong: string[] = []
  for (const candidates of commandLines(text)) {
    const [longest = ''] = candidates
    if (isSentence(longest)) continue
    let found = false
    for (const line of candidates) found ||= await doesParse(line)
    if (!found) wrong.push(longest)
  }
  return wrong
}
