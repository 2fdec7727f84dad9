import { appendFileSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ImageSources } from '../client/client.ts'
import { makeFolder } from '../fs.ts'
import type { World } from '../world.ts'
import { imageSourcesFile } from './user-folders.ts'

/**
 * Remembers the sources of images in the folder for caches: a line for each image, `{site, id, source}`, the last one counts. Lines are
 * only appended, so that processes need not wait for one another. A file that cannot be read or written is as good as an empty one.
 */
export function imageSourcesIn(world: World, site: string): ImageSources {
  const file = imageSourcesFile(world)
  let sources: Map<number, string> | undefined
  const read = () => {
    sources ??= readSources(file, site)
    return sources
  }
  return {
    sourceOf: async id => read().get(id),
    async remember(id, source) {
      if (read().get(id) === source) return
      read().set(id, source)
      try {
        makeFolder(dirname(file), 0o700)
        // A line that a killed process left unfinished stays a line of its own.
        appendFileSync(file, `\n${JSON.stringify({ site, id, source })}`, { mode: 0o600 })
      } catch {}
    },
  }
}

function readSources(file: string, site: string): Map<number, string> {
  const sources = new Map<number, string>()
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch {}
  for (const line of text.split('\n')) {
    const entry = parseLine(line)
    if (entry?.site === site) sources.set(entry.id, entry.source)
  }
  return sources
}

/** A line that another process is just writing is not complete. */
function parseLine(line: string): { site: string; id: number; source: string } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
