import type { ImageSources } from '../client/client.ts'
import type { World } from '../world.ts'
import { addNote, notesOf } from './site-notes.ts'
import { imageSourcesFile } from './user-folders.ts'

/** From where a site loaded an image. */
interface SourceNote {
  readonly site: string
  readonly id: number
  readonly source: string
}

/** Remembers the sources of images in the folder for caches: a line for each image, the last one counts. */
export function imageSourcesIn(world: World, site: string): ImageSources {
  const file = imageSourcesFile(world)
  let sources: Map<number, string> | undefined
  const read = () => {
    sources ??= new Map(notesOf<SourceNote>(file, site).map(({ id, source }) => [id, source]))
    return sources
  }
  return {
    sourceOf: async id => read().get(id),
    async remember(id, source) {
      if (read().get(id) === source) return
      read().set(id, source)
      addNote(file, { site, id, source })
    },
  }
}
