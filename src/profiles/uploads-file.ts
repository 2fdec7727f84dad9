import type { UploadStore } from '../client/client.ts'
import type { World } from '../world.ts'
import { addNote, notesOf } from './site-notes.ts'
import { uploadsFile } from './user-folders.ts'

/** What was uploaded to a site, and the address that it was copied from. */
interface UploadNote {
  readonly site: string
  readonly sha256: string
  readonly id: number
  readonly url: string
  readonly source?: string
}

/**
 * Remembers the images that were uploaded to sites, by their contents, next to the journals of runs: a line for each upload, the last
 * one counts. If the file cannot be written, the next command uploads them again.
 */
export function uploadsTo(world: World, site: string): UploadStore {
  const file = uploadsFile(world)
  let known: ReturnType<typeof indexOf> | undefined
  const read = () => {
    known ??= indexOf(notesOf(file, site))
    return known
  }
  return {
    find: async sha256 => read().byContent.get(sha256),
    sourceOf: async id => read().sources.get(id),
    async remember(sha256, { id, url }, source) {
      const { byContent, sources } = read()
      const before = byContent.get(sha256)
      if (before?.id === id && (source === undefined || sources.get(id) === source)) return
      const note = { site, sha256, id, url, ...(source !== undefined && { source }) }
      byContent.set(sha256, note)
      if (source !== undefined) sources.set(id, source)
      addNote(file, note)
    },
  }
}

function indexOf(notes: readonly UploadNote[]) {
  const sources = notes.flatMap(({ id, source }) => (source === undefined ? [] : [[id, source] as const]))
  return { byContent: new Map(notes.map(note => [note.sha256, note])), sources: new Map(sources) }
}
