import { dirname, join } from 'node:path'
import { Failure } from '../failure.ts'
import { makeFolder } from '../fs.ts'
import type { World } from '../world.ts'
import { configFile } from './places.ts'

/** Where a profile's password is once it is kept, as the source of a secret. */
export const passwordSource = (world: World, profile: string): string => `file:${passwordFile(world, profile)}`

/** Keeps a password in a file that only its owner may read. */
export async function keepPassword(world: World, profile: string, password: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises')
  const path = passwordFile(world, profile)
  try {
    makeFolder(dirname(path), 0o700)
    await writeFile(path, `${password}\n`, { mode: 0o600 })
  } catch (error) {
    throw new Failure('settings', `cannot write ${path}: ${(error as Error).message}`, {
      hint: 'is the folder yours? XDG_CONFIG_HOME names another one',
    })
  }
}

/** Removes the password that was kept for a profile, if there is one. */
export async function forgetPassword(world: World, profile: string): Promise<void> {
  const { rm } = await import('node:fs/promises')
  await rm(passwordFile(world, profile), { force: true })
}

/** The first line of stdin. */
export async function readPassword({ stdin }: Pick<World, 'stdin'>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdin) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text.includes('\n')) break
  }
  const [password = ''] = text.split(/\r?\n/, 1)
  if (password === '')
    throw new Failure('usage', '--password-stdin: nothing on stdin', {
      hint: 'for example: pass show site | calctl profiles edit site --password-stdin',
    })
  return password
}

const passwordFile = (world: World, profile: string): string => join(dirname(configFile(world)), 'secrets', profile)
