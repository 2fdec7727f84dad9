import type { World } from '../../world.ts'

/** The password of --password-stdin: the first line of stdin, or typed unseen at a terminal. */
export async function readPasswordInput(world: World): Promise<string> {
  if (world.stdin.isTTY) return (await import('../../terminal/prompts.ts')).askPassword(world, 'Password')
  return (await import('../../profiles/secrets.ts')).readPassword(world)
}
