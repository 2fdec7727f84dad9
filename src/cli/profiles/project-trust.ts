import { createHash } from 'node:crypto'
import { lstatSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../../base/failure.ts'
import { readSettingsFile, writeAtomically } from '../../base/fs.ts'
import { isObject } from '../../base/text/json.ts'
import { listOf } from '../../base/text/words.ts'
import type { World } from '../world.ts'
import { changeFile, type ProjectSource } from './config.ts'
import { configFile } from './user-folders.ts'

/**
 * The project files that the user trusts to say where credentials are sent: their paths with a hash of what was in them, so that a
 * file that changed has to be trusted again. A list that cannot be read is as good as an empty one.
 */
type Trusted = Readonly<Record<string, unknown>>

/** Throws unless these settings of a project file may be used with credentials. */
export function requireTrust(world: World, source: ProjectSource, settings: readonly string[]): void {
  const problem = trustProblem(world, source, settings)
  if (problem) throw problem
}

/** Why these settings of a project file may not be used with credentials, if they may not. */
export function trustProblem(world: World, source: ProjectSource, settings: readonly string[]): Failure | undefined {
  const consequence = `its ${listOf(settings)} cannot be used with credentials`
  const foreign = foreignOwner(world, source.path, consequence)
  if (foreign) return foreign
  const trusted = readTrusted(world)[source.path]
  if (trusted === hashOf(source)) return undefined
  const why = trusted === undefined ? 'is not trusted' : 'changed after it was trusted'
  return new Failure('settings', `${source.path} ${why}: ${consequence}`, {
    // The list of trusted files is one of the user's own, and root has another.
    hint: `check what is in it, then run: ${sudoUser(world) === undefined ? '' : 'sudo '}calctl trust`,
  })
}

/** Trusts a project file as it was read. */
export async function trustFile(world: World, source: ProjectSource): Promise<void> {
  const foreign = foreignOwner(world, source.path, 'it cannot be trusted')
  if (foreign) throw foreign
  await changeTrusted(world, trusted => ({ ...trusted, [source.path]: hashOf(source) }))
}

/** Trusts a project file no longer, whatever is in it; false if it was not trusted. */
export async function distrustFile(world: World, path: string): Promise<boolean> {
  if (readTrusted(world)[path] === undefined) return false
  await changeTrusted(world, ({ [path]: _, ...others }) => others)
  return true
}

/** Who else owns a file, or a link to it, can let it say anything at any time. Root can do that with every file. */
function foreignOwner(world: World, path: string, consequence: string): Failure | undefined {
  const own = [process.geteuid?.(), 0, sudoUser(world)]
  const owner = [lstatSync(path).uid, statSync(path).uid].find(uid => !own.includes(uid))
  if (own[0] === undefined || owner === undefined) return undefined
  return new Failure('settings', `${path} belongs to somebody else (user ID ${owner}): ${consequence}`, {
    hint: 'give --base-url and --namespace on the command line, or replace the file by one of your own',
  })
}

/** The user on whose behalf root works. */
const sudoUser = ({ env }: World): number | undefined =>
  process.geteuid?.() === 0 && env.SUDO_UID ? Number(env.SUDO_UID) : undefined

const hashOf = ({ text }: ProjectSource): string => createHash('sha256').update(text).digest('hex')

const fileOfTrust = (world: World): string => join(dirname(configFile(world)), 'trusted.json')

function readTrusted(world: World): Trusted {
  try {
    const content: unknown = JSON.parse(readSettingsFile(fileOfTrust(world)))
    return isObject(content) ? content : {}
  } catch {
    return {}
  }
}

/** Changes the list, of which no other process writes another version meanwhile. */
async function changeTrusted(world: World, change: (trusted: Trusted) => Trusted): Promise<void> {
  const path = fileOfTrust(world)
  await changeFile(path, () => writeAtomically(path, JSON.stringify(change(readTrusted(world))), 0o600))
}
