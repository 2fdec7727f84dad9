import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Failure } from '../../failure.ts'
import type { World } from '../../world.ts'
import type { ServeOptions } from './settings.ts'

/** Users of the file, of the environment and of the options; of two with one name the last holds. */
export async function readUsers(
  world: World,
  { user = [], usersFile }: ServeOptions,
): Promise<ReadonlyMap<string, string>> {
  const inFile = usersFile === undefined ? '' : await readUsersFile(resolve(world.cwd, usersFile))
  const inEnvironment = world.env.CALCTL_SERVE_USERS?.split(/[,\n]/) ?? []
  return new Map([
    ...inFile.split('\n').flatMap((line, n) => readUser(`--users-file ${usersFile}, line ${n + 1}`, line)),
    ...inEnvironment.flatMap(text => readUser('CALCTL_SERVE_USERS', text)),
    ...user.flatMap(text => readUser('--user', text || '-')),
  ])
}

/** One user, or none on a blank line. The failure does not repeat what was given: it may be a password. */
function readUser(from: string, text: string): [name: string, password: string][] {
  if (text.trim() === '') return []
  const [, name, password] = /^\s*([^:]+):(.+?)\s*$/.exec(text) ?? []
  if (!name || !password)
    throw new Failure('usage', `${from}: expected NAME:PASSWORD`, { hint: 'for example: --user editor:secret' })
  return [[name, password]]
}

async function readUsersFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new Failure('settings', `cannot read the users file ${path}: ${(error as NodeJS.ErrnoException).code}`, {
      hint: 'give a file with a line NAME:PASSWORD for each user',
    })
  }
}
