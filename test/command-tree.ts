import { Command } from 'commander'
import { createApp } from '../src/app.ts'
import { program } from '../src/program.ts'
import type { World } from '../src/world.ts'

/** The command tree as it is built for a person, in a world that nothing is asked of. */
export function commandTree(): Command {
  const root = new Command('calctl')
  return program(
    root,
    createApp({} as World, () => ({})),
  )
}

/** Every command below one, with its words: `['events', 'list']`. */
export function commandsUnder(
  command: Command,
  path: readonly string[] = [],
): { path: readonly string[]; command: Command }[] {
  return [
    ...(path.length > 0 ? [{ path, command }] : []),
    ...command.commands.flatMap(child => commandsUnder(child, [...path, child.name()])),
  ]
}
