import { badSettings } from '../../../base/failure.ts'
import { writeAtomically } from '../../../base/fs.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { publicLookup } from '../../../sources/public-address.ts'
import type { SourceWorld } from '../../../sources/read-source.ts'
import type { SourcesFile } from '../../../sources/source.ts'
import type { App } from '../../app.ts'
import { readSecret } from '../../profiles/secret-sources.ts'
import { trustFile, trustProblem } from '../../profiles/trust.ts'
import type { World } from '../../world.ts'
import { bytesOfFile, readFromWeb } from '../shared/input.ts'

type FileOfSources = Pick<SourcesFile, 'path' | 'text'>

/** What reading the sources of a file needs of this command. Without a text, the user has typed what is read. */
export function sourceWorld(
  app: App,
  { path, text }: { readonly path: string; readonly text?: string },
  reading: Pick<SourceWorld, 'notice' | 'timezone' | 'agent' | 'calendar'>,
): SourceWorld {
  const { world } = app
  return {
    ...reading,
    file: path,
    now: world.now(),
    requests: new Map(),
    trustProblem: consequence => (text === undefined ? undefined : trustProblem(world, { path, text }, consequence)),
    get: (address, headers, publicOnly) =>
      readFromWeb(app, address.href, { headers, lookup: publicOnly ? publicLookup : undefined }),
    open: file => bytesOfFile(app, file),
    secret: from => readSecret(from, world),
  }
}

/** Throws unless the file of sources is trusted: its sources decide what is written to the calendar. */
export function requireTrustedSources(world: World, file: FileOfSources): void {
  const problem = trustProblem(world, file, phrase('its sources cannot change a calendar'))
  if (problem) throw problem
}

/** Writes the file of sources. One that was trusted stays so, and a new one is, because calctl itself has written it. */
export async function writeSources(world: World, path: string, before: FileOfSources | undefined, text: string) {
  const isTrusted = before === undefined || trustProblem(world, before, '') === undefined
  await writeAtomically(path, text)
  if (isTrusted) await trustFile(world, { path, text })
}

/** The sources of this folder; throws if it has no file of them. */
export async function sourcesHere({ cwd }: World): Promise<SourcesFile> {
  const { readSourcesFile } = await import('../../../sources/sources-file.ts')
  const file = await readSourcesFile(cwd)
  if (file) return file
  throw badSettings(
    phrase('there is no sources.yaml in this folder'),
    phrase('add a source with: calctl sources add NAME PLACE'),
  )
}
