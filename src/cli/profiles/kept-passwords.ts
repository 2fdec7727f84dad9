import { dirname, join } from 'node:path'
import { usage } from '../../base/failure.ts'
import { makeFolder, writeAtomically } from '../../base/fs.ts'
import { phrase } from '../../base/words/phrase.ts'
import { cannotWrite } from '../failures.ts'
import type { World } from '../world.ts'
import { checkFolder, configFile } from './user-folders.ts'

/** The source of a profile's password after `savePassword`. */
export const passwordSource = (world: World, profile: string): string => `file:${passwordFile(world, profile)}`

/** Writes a password to a file that only its owner may read. */
export async function savePassword(world: World, profile: string, password: string): Promise<void> {
  const path = passwordFile(world, profile)
  try {
    makeFolder(dirname(path), 0o700)
    await writeAtomically(path, `${password}\n`, 0o600)
  } catch (error) {
    throw cannotWrite(path, error, checkFolder())
  }
}

/** Deletes the saved password of a profile, if there is one. */
export async function deletePassword(world: World, profile: string): Promise<void> {
  const { rm } = await import('node:fs/promises')
  await rm(passwordFile(world, profile), { force: true })
}

/** The password of --password-stdin: the first line of stdin, or typed unseen at a terminal. */
export async function readPasswordInput(world: World): Promise<string> {
  if (!world.stdin.isTTY) return readPassword(world)
  return (await import('../terminal/prompts.ts')).askPassword(world, phrase('Password'))
}

/** Reads a password: the first line of stdin. */
export async function readPassword({ stdin }: Pick<World, 'stdin'>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdin) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text.includes('\n')) break
  }
  const [password = ''] = text.split(/\r?\n/, 1)
  if (password === '')
    throw usage(
      phrase('--password-stdin: no password on stdin'),
      phrase('for example: pass show site | calctl profiles edit site --password-stdin'),
    )
  return password
}

const passwordFile = (world: World, profile: string): string => join(dirname(configFile(world)), 'secrets', profile)
