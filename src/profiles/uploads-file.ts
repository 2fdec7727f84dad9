import { appendFileSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { UploadStore } from '../client/client.ts'
import { makeFolder } from '../fs.ts'
import type { World } from '../world.ts'
import { uploadsFile } from './user-folders.ts'

/** A line of the file: what was uploaded to a site, and the address that it was copied from. */
interface Entry {
  readonly site: string
  readonly sha256: string
  readonly id: number
  readonly url: string
  readonly source?: string
}

/**
 * Remembers the images that were uploaded to sites, by their contents, next to the journals of runs: a line for each upload, the last
 * one counts. Lines are only appended, so that processes need not wait for one another. A file that cannot be read is as good as an
 * empty one, and one that cannot be written costs a second upload.
 */
export function uploadsTo(world: World, site: string): UploadStore {
  const file = uploadsFile(world)
  let known: { readonly byContent: Map<string, Entry>; readonly sources: Map<number, string> } | undefined
  const read = () => {
    known ??= entriesIn(file, site)
    return known
  }
  return {
    find: async sha256 => read().byContent.get(sha256),
    sourceOf: async id => read().sources.get(id),
    async remember(sha256, { id, url }, source) {
      const { byContent, sources } = read()
      const before = byContent.get(sha256)
      if (before?.id === id && (source === undefined || sources.get(id) === source)) return
      const entry = { site, sha256, id, url, ...(source !== undefined && { source }) }
      byContent.set(sha256, entry)
      if (source !== undefined) sources.set(id, source)
      try {
        makeFolder(dirname(file), 0o700)
        // A line that a killed process left unfinished stays a line of its own.
        appendFileSync(file, `\n${JSON.stringify(entry)}`, { mode: 0o600 })
      } catch {}
    },
  }
}

function entriesIn(file: string, site: string) {
  const byContent = new Map<string, Entry>()
  const sources = new Map<number, string>()
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch {}
  for (const line of text.split('\n')) {
    const entry = parseLine(line)
    if (entry?.site !== site) continue
    byContent.set(entry.sha256, entry)
    if (entry.source !== undefined) sources.set(entry.id, entry.source)
  }
  return { byContent, sources }
}

/** A line that another process is just writing is not complete. */
function parseLine(line: string): Entry | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
