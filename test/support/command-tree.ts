import { Command } from 'commander'
import { createApp } from '../../src/cli/create-app.ts'
import { program } from '../../src/cli/program.ts'
import type { World } from '../../src/cli/world.ts'

/** The command tree as the program builds it, in a world that is never used. */
export function commandTree(): Command {
  const root = new Command('calctl')
  return program(
    root,
    createApp({} as World, () => ({})),
  )
}

/** All commands below a command, each with its path: `['events', 'list']`. */
export function commandsUnder(
  command: Command,
  path: readonly string[] = [],
): { path: readonly string[]; command: Command }[] {
  return [
    ...(path.length > 0 ? [{ path, command }] : []),
    ...command.commands.flatMap(child => commandsUnder(child, [...path, child.name()])),
  ]
}
