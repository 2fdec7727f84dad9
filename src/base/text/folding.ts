import { memoize } from '../memoize.ts'
import { decodeEntities } from './escaping.ts'

export const foldCase = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** A text without the effects of rendering: paragraphs, entities, typography, repeated white space. For comparison only. */
export const normalizeText = (text: string): string =>
  decodeEntities(text.replace(/<\/?p[^>]*>|<br\s*\/?>/gi, ' '))
    // WordPress's typographic quotes, dashes and dots, as they were probably typed.
    .replace(/[‘’′]/g, "'")
    .replace(/[“”″]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/-{2,3}/g, '-')
    .replace(/…/g, '...')
    .replace(/×/g, 'x')
    .replace(/\s+/g, ' ')
    .trim()

export const foldText = memoize(text => foldCase(normalizeText(text)))
