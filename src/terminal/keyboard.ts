import type { World } from '../world.ts'

/**
 * Where answers are typed: on stdin, or where stdin was a pipe with records on the terminal itself. A pipe that nothing was read from
 * may belong to a script, which answers no questions.
 */
export function keyboardOf(world: Pick<World, 'stdin' | 'openKeyboard' | 'hasReadStdin'>): World['stdin'] | undefined {
  if (world.stdin.isTTY) return world.stdin
  return world.hasReadStdin ? world.openKeyboard?.() : undefined
}
