import { dirname, join } from 'node:path'
import { Failure } from '../failure.ts'
import type { World } from '../world.ts'
import { configFile } from './places.ts'

/** Where a profile's password is once it is kept, as the source of a secret. */
export const passwordSource = (world: World, profile: string): string => `file:${passwordFile(world, profile)}`

/** Keeps a password in a file that only its owner may read. */
export async function keepPassword(world: World, profile: string, password: string): Promise<void> {
  const { mkdir, writeFile } = await import('node:fs/promises')
  const path = passwordFile(world, profile)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, `${password}\n`, { mode: 0o600 })
}

/** Removes the password that was kept for a profile, if there is one. */
export async function forgetPassword(world: World, profile: string): Promise<void> {
  const { rm } = await import('node:fs/promises')
  await rm(passwordFile(world, profile), { force: true })
}

/** The first line of stdin. */
export async function readPassword({ stdin }: World): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += chunk
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
