import { decodeEntities } from '../../text/normalize.ts'

/** Text without markup, as services answer HTML; undefined for what is none. */
export function plainText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value
    .replace(/<br\s*\/?>\n?/gi, '\n')
    .replace(/<\/p>\s*(?=<p\b)/gi, '\n\n')
    .replace(/<\/?[a-z][^>]*>/gi, '')
  return decodeEntities(text).trim() || undefined
}
