import { createHash } from 'node:crypto'
import { lstatSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ignoreErrors } from '../../base/attempt.ts'
import { badSettings, type Failure } from '../../base/failure.ts'
import { readSettingsFile, writeAtomically } from '../../base/fs.ts'
import { isInside } from '../../base/paths.ts'
import { isObject } from '../../base/text/json.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { World } from '../world.ts'
import { changeFile } from './change-file.ts'
import type { ProjectSource } from './project-settings.ts'
import { configFile } from './user-folders.ts'

/**
 * The project files that the user trusts to choose where credentials are sent, and calendar files outside their folders: their paths
 * with a hash of their contents, so that a file that changed has to be trusted again. A list that cannot be read counts as empty.
 */
type Trusted = Readonly<Record<string, unknown>>

/** Throws unless these settings of a project file may choose this calendar file, or else be used with credentials. */
export function requireTrust(world: World, source: ProjectSource, settings: readonly string[], file?: string): void {
  if (settings.length === 0) return
  if (file !== undefined && isInside(file, dirname(source.path))) return
  const problem = trustProblem(world, source, consequenceOf(settings, file))
  if (problem) throw problem
}

/** What settings cannot do before their file is trusted: be used with credentials, or choose a file outside its folder. */
export const consequenceOf = (settings: readonly string[], file?: string): string =>
  file === undefined
    ? phrase('its {settings} cannot be used with credentials', { settings: listOf(settings) })
    : phrase('its {settings} cannot choose {file}, which is outside its folder', { settings: listOf(settings), file })

/** Why a file may not do something before it is trusted, if it may not; `consequence` says what it cannot do. */
export function trustProblem(world: World, source: ProjectSource, consequence: string): Failure | undefined {
  const { path } = source
  const foreign = foreignOwner(world, path, consequence)
  if (foreign) return foreign
  const trusted = readTrusted(world)[path]
  if (trusted === hashOf(source)) return undefined
  const message =
    trusted === undefined
      ? phrase('{path} is not trusted: {consequence}', { path, consequence })
      : phrase('{path} changed after it was trusted: {consequence}', { path, consequence })
  // The list of trusted files is one of the user's own, and root has another.
  const command = sudoUser(world) === undefined ? 'calctl trust' : 'sudo calctl trust'
  return badSettings(message, phrase('check its contents, then run: {command}', { command }))
}

/** Trusts a project file with the contents that were read. */
export async function trustFile(world: World, source: ProjectSource): Promise<void> {
  const foreign = foreignOwner(world, source.path, phrase('it cannot be trusted'))
  if (foreign) throw foreign
  await changeTrusted(world, trusted => ({ ...trusted, [source.path]: hashOf(source) }))
}

/** Stops trusting a project file, whatever its contents; false if it was not trusted. */
export async function distrustFile(world: World, path: string): Promise<boolean> {
  if (readTrusted(world)[path] === undefined) return false
  await changeTrusted(world, ({ [path]: _, ...others }) => others)
  return true
}

/** Another owner of a file, or of a link to it, who could change it at any time. Root, who could change any file, does not count. */
function foreignOwner(world: World, path: string, consequence: string): Failure | undefined {
  const own = [process.geteuid?.(), 0, sudoUser(world)]
  const owner = [lstatSync(path).uid, statSync(path).uid].find(uid => !own.includes(uid))
  if (own[0] === undefined || owner === undefined) return undefined
  return badSettings(
    phrase('{path} belongs to another user (ID {owner}): {consequence}', { path, owner, consequence }),
    phrase(
      'give --base-url and --namespace on the command line (-p in place of its profile), or replace the file by one of your own',
    ),
  )
}

/** The user on whose behalf root works. */
const sudoUser = ({ env }: World): number | undefined =>
  process.geteuid?.() === 0 && env.SUDO_UID ? Number(env.SUDO_UID) : undefined

const hashOf = ({ text }: ProjectSource): string => createHash('sha256').update(text).digest('hex')

const fileOfTrust = (world: World): string => join(dirname(configFile(world)), 'trusted.json')

function readTrusted(world: World): Trusted {
  const content: unknown = ignoreErrors(() => JSON.parse(readSettingsFile(fileOfTrust(world))))
  return isObject(content) ? content : {}
}

/** Changes the list of trusted files, while no other process writes it. */
async function changeTrusted(world: World, change: (trusted: Trusted) => Trusted): Promise<void> {
  const path = fileOfTrust(world)
  await changeFile(path, () => writeAtomically(path, JSON.stringify(change(readTrusted(world))), 0o600))
}
