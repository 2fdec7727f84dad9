import { isLanguage, type Language } from '../../contract/words.ts'

/** A path taken apart: the language of its segment, if it has one, and what comes after the namespace. */
export interface Address {
  readonly language?: Language
  /** Begins with a slash, or is empty for the namespace itself. */
  readonly path: string
}

/** Reads `/en/calendar/events/v1/events`; undefined for what is not below the namespace. */
export function readAddress(path: string, namespace: string): Address | undefined {
  const segment = path.split('/', 2)[1] ?? ''
  const language = segment.toLowerCase()
  const below = isLanguage(language) ? path.slice(segment.length + 1) : path
  const root = `/${namespace}`
  if (below.slice(0, root.length).toLowerCase() !== root.toLowerCase()) return undefined
  const rest = below.slice(root.length)
  if (rest !== '' && !rest.startsWith('/')) return undefined
  return isLanguage(language) ? { language, path: rest } : { path: rest }
}
