import { readFileSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../../failure.ts'
import { inputProblem, reason, writeAtomically } from '../../fs.ts'
import { type HashedPassword, hashPassword, isHashed, type Users } from '../../service/logins.ts'
import { counted } from '../../text/words.ts'
import type { World } from '../../world.ts'

/** One user, or none on a blank line. The failure does not quote the text, which may contain a password. */
export function readUser(from: string, text: string): [name: string, password: string][] {
  if (text.trim() === '') return []
  const [, name, password] = /^\s*([^:]+):(.+?)\s*$/.exec(text) ?? []
  if (!name || !password)
    throw new Failure('usage', `${from}: expected NAME:PASSWORD`, { hint: 'for example: --user editor:secret' })
  return [[name, password]]
}

/** The users of a file. Passwords that stand in it are replaced by their hashes, and work as before. */
export async function readUsersFile({ cwd, stderr }: World, name: string): Promise<Users> {
  const path = resolve(cwd, name)
  const lines = readText(path).split('\n')
  const users = new Map<string, HashedPassword>()
  const hashed: string[] = []
  let count = 0
  for (const [index, line] of lines.entries()) {
    const [user] = readUser(`--users-file ${name}, line ${index + 1}`, line)
    if (!user) {
      hashed.push(line)
      continue
    }
    const [who, password] = user
    const hash = isHashed(password) ? password : await hashPassword(password)
    if (hash !== password) count += 1
    users.set(who, { hashed: hash })
    hashed.push(`${who}:${hash}`)
  }
  if (count > 0 && statSync(path).isFile())
    await stderr.write(await replaceText(path, hashed.join('\n'), name, counted(count, 'password')))
  return users
}

function readText(path: string): string {
  const unreadable = (why: string) =>
    new Failure('settings', `cannot read the users file ${path}: ${why}`, {
      hint: 'pass a file with NAME:PASSWORD on each line',
    })
  const problem = inputProblem(path)
  if (problem !== undefined) throw unreadable(problem)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(reason(error as Error, 'read'))
  }
}

/** Replaces the file as a whole; returns what to say about it. The server can do without. */
async function replaceText(path: string, text: string, name: string, what: string): Promise<string> {
  try {
    const file = realpathSync(path)
    await writeAtomically(file, text, statSync(file).mode & 0o777)
    return `hashed ${what} in ${name}\n`
  } catch (error) {
    return `warning: ${what} in ${name} cannot be replaced by hashes: ${reason(error as Error)}\n`
  }
}
