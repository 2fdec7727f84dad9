import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/words.ts'
import type { ImageRow } from '../store/rows.ts'

/** Assigns IDs: the same record always gets the same one. */
export interface Register {
  post(of: ResourceName, language: Language, slug: string): number
  term(of: ResourceName, language: Language, slug: string): number
  /** The ID of a picture on the town's server; null without a file name. */
  image(file: string | undefined): number | null
  readonly images: ImageRow[]
}

/** Posts and pictures share one sequence, terms have another, as in WordPress. */
export function createRegister(): Register {
  const posts = sequence()
  const terms = sequence()
  const images: ImageRow[] = []
  return {
    post: (of, language, slug) => posts(`${of}/${language}/${slug}`),
    term: (of, language, slug) => terms(`${of}/${language}/${slug}`),
    image(file) {
      if (file === undefined) return null
      const url = `https://media.riumajor.example/${file}`
      const id = posts(url)
      if (!images.some(image => image.id === id)) images.push({ id, url })
      return id
    },
    images,
  }
}

function sequence(): (key: string) => number {
  const ids = new Map<string, number>()
  return key => {
    const id = ids.get(key) ?? ids.size + 1
    ids.set(key, id)
    return id
  }
}
